//go:build go1.21

package driver

import (
	"fmt"
	"reflect"
	"strconv"
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
	text, now, before, differs := m.alikes.before(o, result, v, nil)
	if !differs {
		return ""
	}
	name := func(t reflect.Type) string {
		if t == nil {
			return "nothing"
		}
		return "a " + t.String()
	}
	return fmt.Sprintf("result %d is %s, here %s, and before %s; return values of one type there, or the type as another result", result+1, shorten(text), name(now), name(before))
}

// typed are the texts, with their types, of values with the text of others: see Results.
func (m *Machine) typed(method int, vs []reflect.Value) (texts []string) {
	for i, v := range vs {
		var known func(string) (reflect.Type, bool)
		if m.usual != nil {
			known = func(text string) (reflect.Type, bool) { return m.usual(method, i, text) }
		}
		text, now, _, differs := m.alikes.before(&m.ops[method], i, v, known)
		switch {
		case !differs:
			continue
		case texts == nil:
			texts = make([]string, len(vs))
		}
		switch {
		case now == nil:
			text = "any(nil)"
		case now.Kind() == reflect.Pointer:
			text = "(" + now.String() + ")(nil)"
		case now.Kind() == reflect.String:
			text = now.String() + "(" + strconv.Quote(text) + ")"
		default:
			text = now.String() + "(" + text + ")"
		}
		texts[i] = text
	}
	return texts
}

// usual tells the type that a text has as a result of a method.
type usual func(method, result int, text string) (t reflect.Type, known bool)

// Usual has the answers of Live objects compared with those of another machine.
func (m *Machine) Usual(of usual) { m.usual = of }

// TypeOf is the type of the answers of a method that a text had so far.
func (m *Machine) TypeOf(method, result int, text string) (t reflect.Type, known bool) {
	m.alikes.mu.RLock()
	defer m.alikes.mu.RUnlock()
	t, known = m.alikes.types[alike{&m.ops[method], result, text}]
	return t, known
}

// before is the type that an answer with the text of this one had, if it was another one.
// usual, if it is not nil, knows better.
func (a *alikes) before(o *op, result int, v reflect.Value, usual func(text string) (reflect.Type, bool)) (text string, now, before reflect.Type, differs bool) {
	kind := v.Kind()
	if kind != reflect.Pointer && (kind != reflect.Interface || v.NumMethod() > 0) {
		return "", nil, nil, false
	}
	top := v
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		kind, v = v.Kind(), v.Elem()
	}
	text = "nil"
	if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer {
		text = values.LogText(v)
	}
	if v != top {
		now = v.Type()
	}
	if kind == reflect.Pointer && text != "nil" {
		return "", nil, nil, false
	}
	known := false
	if usual != nil {
		before, known = usual(text)
	}
	if !known {
		before, known = a.remember(alike{o, result, text}, now)
	}
	return text, now, before, known && before != now
}

// remember is the type that a text had before; from now on it has t if it had none.
func (a *alikes) remember(key alike, t reflect.Type) (before reflect.Type, known bool) {
	a.mu.RLock()
	before, known = a.types[key]
	a.mu.RUnlock()
	if known {
		return before, true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if before, known = a.types[key]; !known && len(a.types) < mostAlike {
		a.types[key] = t
	}
	return before, known
}
