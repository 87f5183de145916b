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
