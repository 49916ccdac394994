package wf

import "reflect"

// scramble changes everything in a plan that can be changed in place.
func scramble(w *Workflow) { scrambleValue(reflect.ValueOf(w)) }

func scrambleValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scrambleValue(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scrambleValue(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			scrambleValue(v.Index(i))
		}
	case reflect.Map:
		for key, item := range v.Seq2() {
			scrambleValue(item)
			v.SetMapIndex(key, reflect.Zero(item.Type()))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString("scrambled")
		}
	case reflect.Uint8:
		if v.CanSet() {
			v.SetUint(v.Uint() ^ 1)
		}
	}
}
