package wf

import (
	"maps"
	"reflect"
)

// Clone returns a deep copy: nothing that can be changed through one is seen through the other. Go functions are
// shared.
func (w *Workflow) Clone() *Workflow {
	if w == nil {
		return nil
	}
	c := cloneValue(reflect.ValueOf(w)).Interface().(*Workflow)
	ownFuncs(c)
	return c
}

// ownFuncs gives a copy tables of functions of its own.
func ownFuncs(w *Workflow) {
	w.funcs = maps.Clone(w.funcs)
	for _, nested := range w.Workflows {
		if nested != nil {
			ownFuncs(nested)
		}
	}
}

// cloneValue copies what the exported fields of a plan's types reach. Unexported ones are copied as they are.
func cloneValue(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v
		}
		inner := cloneValue(v.Elem())
		if v.Kind() == reflect.Interface {
			return inner
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(inner)
		return p
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		for i := range c.NumField() {
			if c.Type().Field(i).IsExported() {
				c.Field(i).Set(cloneValue(v.Field(i)))
			}
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(cloneValue(v.Index(i)))
		}
		return c
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, item := range v.Seq2() {
			c.SetMapIndex(key, cloneValue(item))
		}
		return c
	}
	return v
}
