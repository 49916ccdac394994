package value

// Identity tells in which storage a value is kept, for those who want to write or measure once what is there once. Two
// values with one identity are equal; two equal values may well have two. It is comparable, and can be the key of a map.
type Identity struct {
	ref any
	num uint64
}

// Identity gives the identity of v. It keeps the storage alive.
func (v Value) Identity() Identity { return Identity{v.ref, v.num} }
