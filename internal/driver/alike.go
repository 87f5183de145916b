//go:build go1.21

package driver

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// alikes remembers of which type answers were that interfaces and pointers hold: 7 may be an int
// or a string, and nil a pointer or a string. It is safe for concurrent use.
type alikes struct {
	mu    sync.RWMutex
	types map[alike]reflect.Type // nil: it was nil
}

// alike is a result of an operation, and its text.
type alike struct {
	op     *op
	result int
	text   string
}

// mostAlike bounds the texts that are remembered.
const mostAlike = 1 << 12

// alike says that an answer had the text of this one, and another type; "" if none had. Logs
// have the text alone.
func (m *Machine) alike(o *op, result int, v reflect.Value) string {
	kind := v.Kind()
	if kind != reflect.Pointer && (kind != reflect.Interface || v.NumMethod() > 0) {
		return ""
	}
	top := v
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		kind, v = v.Kind(), v.Elem()
	}
	var t reflect.Type
	key := alike{o, result, "nil"}
	if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer {
		key.text = values.LogText(v)
	}
	if v != top {
		t = v.Type()
	}
	if kind == reflect.Pointer && key.text != "nil" {
		return ""
	}
	m.alikes.mu.RLock()
	before, known := m.alikes.types[key]
	m.alikes.mu.RUnlock()
	if !known {
		m.alikes.mu.Lock()
		if before, known = m.alikes.types[key]; !known && len(m.alikes.types) < mostAlike {
			m.alikes.types[key] = t
		}
		m.alikes.mu.Unlock()
	}
	if !known || before == t {
		return ""
	}
	name := func(t reflect.Type) string {
		if t == nil {
			return "nothing"
		}
		return "a " + t.String()
	}
	return fmt.Sprintf("result %d is %s, here %s, and before %s; return values of one type there, or the type as another result", result+1, shorten(key.text), name(t), name(before))
}
