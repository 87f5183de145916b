//go:build go1.21

package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// describe describes the values of the operations. A result that is a pointer is
// what it points to, unless an operation takes such pointers.
func (m *Machine) describe() {
	passed := map[reflect.Type]bool{}
	for i := range m.ops {
		for _, p := range m.ops[i].params {
			passed[p] = true
		}
	}
	for i := range m.ops {
		d, o := &m.Methods[i], &m.ops[i]
		d.Beside = !m.Acceptor && !o.Whole && o.Beside(outError)+o.Beside(outNil) > 0
		for _, p := range o.params {
			d.Args = append(d.Args, p.String())
			d.Params = append(d.Params, m.types.BasicOf(p))
			d.Domain = append(d.Domain, m.types.DomainOf(p))
		}
		for j, r := range o.rets {
			if p := reflect.PointerTo(r); o.pointers[j] && passed[p] {
				r, o.rets[j] = p, p
			}
			d.Rets = append(d.Rets, r.String())
			b := m.types.BasicOf(r)
			b.Nil = o.pointers[j] && !o.nilable && r.Kind() != reflect.Pointer
			d.Results = append(d.Results, b)
		}
		if !m.oneValue {
			m.split(d, o)
		}
	}
}

// mostLeaves is how many values a method may answer with if structs are split.
const mostLeaves = 16

// split has fields of structs among the results be values of their own, unless operations
// take such structs, or lists of them: these are values that come and go.
func (m *Machine) split(d *Method, o *op) {
	paths, some := make([][][]int, len(o.rets)), false
	var types []reflect.Type
	var basics []values.Basic
	for i, t := range o.rets {
		if !m.takes(t) && (!o.pointers[i] || o.nilable) {
			paths[i] = m.types.Paths(t)
		}
		for _, path := range paths[i] {
			f := t.FieldByIndex(path).Type
			types, basics, some = append(types, f), append(basics, m.types.BasicOf(f)), true
		}
		if paths[i] == nil {
			types, basics = append(types, t), append(basics, d.Results[i])
		}
	}
	if !some || len(types) > mostLeaves {
		return
	}
	for i := range o.outcomes {
		n := 0
		for _, p := range paths[:o.outcomes[i].Rets] {
			n += max(len(p), 1)
		}
		o.outcomes[i].Rets = n
	}
	o.paths, o.rets, d.Structs = paths, types, d.Results
	d.Rets, d.Results = nil, basics
	for _, t := range types {
		d.Rets = append(d.Rets, t.String())
	}
}

// takes reports whether an operation takes values of a type, or such that have one in them.
func (m *Machine) takes(t reflect.Type) bool {
	for i := range m.ops {
		for _, p := range m.ops[i].params {
			if values.Holds(p, t) {
				return true
			}
		}
	}
	return false
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
	if names == nil {
		return fmt.Sprintf("a %s behind another pointer, which a log cannot name; return what it points to", t)
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
