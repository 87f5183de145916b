//go:build go1.21

package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// handlesOf are the pointers that methods answer with and take: to structs that are
// linked with others, or with the object. A log cannot name them. Other pointers
// may be what callers pass in; what they are shows when an answer is read.
func handlesOf(object reflect.Type, shapes []*shape) map[reflect.Type]bool {
	taken, handles := map[reflect.Type]bool{}, map[reflect.Type]bool{}
	for _, s := range shapes {
		for _, p := range s.params {
			taken[p] = true
		}
	}
	for _, s := range shapes {
		for i, r := range s.rets {
			if p := reflect.PointerTo(r); s.pointers[i] && taken[p] && isLinked(r, object) {
				handles[p] = true
			}
		}
	}
	return handles
}

// isLinked reports whether a struct has a pointer to its own type, or the object's.
func isLinked(t, object reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i).Type
		if f.Kind() == reflect.Pointer && (f.Elem() == t || f.Elem() == object) {
			return true
		}
	}
	return false
}

// isHandle is an error if an operation takes or answers with a handle.
func (o *op) isHandle(handles map[reflect.Type]bool) error {
	for _, p := range o.params {
		if handles[p] {
			return fmt.Errorf("it takes a %s that another method hands out%s", p, letID)
		}
	}
	for i, r := range o.rets {
		if p := reflect.PointerTo(r); o.pointers[i] && handles[p] {
			return fmt.Errorf("it hands out a %s, which another method takes%s", p, letID)
		}
	}
	return nil
}

// letID is what to do about handles.
const letID = ", and which a log cannot name; let an id stand for it, such as a number"

// takers says which methods take values of a type that the reference makes.
func (m *Machine) takers(t reflect.Type) string {
	var names []string
	for i := range m.ops {
		for _, p := range m.ops[i].params {
			if p == t {
				names = append(names, m.Methods[i].GoName)
				break
			}
		}
	}
	return fmt.Sprintf("a %s, which %s takes%s", t, strings.Join(names, " and "), letID)
}

// probe calls methods that may hand out pointers, on new objects, and says which
// does.
func (m *Machine) probe() error {
	for i := range m.ops {
		for _, r := range m.ops[i].rets {
			if r.Kind() != reflect.Pointer || m.Acceptor {
				continue
			}
			request := AppendNumber(AppendNumber(AppendNumber(nil, 1), 1), i)
			for range m.ops[i].params {
				request = AppendValue(request, 1, "")
			}
			_, err := m.Run(context.Background(), request, Watch{Timeout: probeTime})
			var f *Fault
			if errors.As(err, &f) && f.Reason == HandsOut {
				return fmt.Errorf("method %s %s: %s", m.Methods[i].GoName, f.Reason, f.Detail)
			}
		}
	}
	return nil
}

// probeTime is how long a method may take that is probed.
const probeTime = time.Second
