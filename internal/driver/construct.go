//go:build go1.21

package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
)

// Made is an object that an expression made; its static type is the value's.
type Made struct {
	value reflect.Value
	err   error
}

// Make keeps what a constructor returned: an object, and perhaps an error.
func Make[T any](object T, err ...error) Made {
	m := Made{value: reflect.ValueOf(&object).Elem()}
	if len(err) > 0 {
		m.err = err[len(err)-1]
	}
	return m
}

// constructor prepares New and returns the objects' type. It may take a context
// and options, and gets the first and none of the others.
func (m *Machine) constructor(o Object) (reflect.Type, error) {
	if f, ok := o.New.(func(context.Context) Made); ok {
		m.newObject = func() (reflect.Value, error) {
			made := f(context.Background())
			return made.value, made.err
		}
		return m.attempt(o.Called)
	}
	v := reflect.ValueOf(o.New)
	if !v.IsValid() {
		return nil, errors.New("there is no constructor (New is nil)")
	}
	t := v.Type()
	ok := t.Kind() == reflect.Func && (t.NumOut() == 1 || t.NumOut() == 2 && t.Out(1) == errorType)
	var in []reflect.Value
	for i := 0; ok && i < t.NumIn(); i++ {
		switch {
		case t.In(i) == contextType:
			in = append(in, background)
		case t.IsVariadic() && i == t.NumIn()-1:
		default:
			ok = false
		}
	}
	if !ok {
		return nil, fmt.Errorf("the constructor must be func() T or func() (T, error), not %s; write a func() that calls it", t)
	}
	if v.IsNil() {
		return nil, errors.New("there is no constructor (New is nil)")
	}
	m.newObject = func() (reflect.Value, error) {
		outs := v.Call(in)
		if len(outs) == 2 && !outs[1].IsNil() {
			return outs[0], outs[1].Interface().(error)
		}
		return outs[0], nil
	}
	return t.Out(0), nil
}

// attempt makes an object to learn its type.
func (m *Machine) attempt(called string) (t reflect.Type, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s panics: %s", called, shorten(fmt.Sprint(p)))
		}
	}()
	object, err := m.newObject()
	if err == nil {
		err = notNil(object)
	}
	if err != nil {
		return nil, fmt.Errorf("%s fails: %s", called, shorten(err.Error()))
	}
	return object.Type(), nil
}

// notNil refuses an object that is none.
func notNil(object reflect.Value) error {
	if k := object.Kind(); (k == reflect.Pointer || k == reflect.Interface) && object.IsNil() {
		return errors.New("the constructor returned nil")
	}
	return nil
}

// construct makes an object. A constructor of a T gives a *T to call methods on.
func (m *Machine) construct(r *runner) (reflect.Value, error) {
	r.calling(-1)
	object, err := m.newObject()
	if err == nil {
		err = notNil(object)
	}
	if err != nil || !m.byValue {
		return object, err
	}
	p := reflect.New(object.Type())
	p.Elem().Set(object)
	return p, nil
}
