//go:build go1.21

package driver

import "reflect"

// sequenceValues are the arguments of the running sequence.
type sequenceValues struct {
	used []injected
	made []made
}

// made is an argument that later calls of the sequence get, too: a pointer is the
// same each time.
type made struct {
	k     int
	text  string
	value reflect.Value
}

func (s *sequenceValues) reset() { s.used, s.made = s.used[:0], s.made[:0] }

// pass is the value to pass for an argument, value number k or what a log has.
func (s *sequenceValues) pass(a *argument, k int) reflect.Value {
	if a.k > 0 {
		k = a.k
	}
	if !a.fresh {
		s.learn(a.known)
		return a.value
	}
	t := a.value.Type()
	shared := t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface
	for i := range s.made {
		if m := &s.made[i]; shared && m.k == k && m.text == a.text && m.value.Type() == t {
			return m.value
		}
	}
	v := a.again(k)
	if !shared {
		s.learn(a.known)
		return v
	}
	s.made = append(s.made, made{k, a.text, v})
	if a.k > 0 {
		s.learn(whole(v, k))
	} else {
		s.learn(learn(nil, v, k, a.text))
	}
	return v
}

func (s *sequenceValues) learn(known []injected) {
	for i := range known {
		if find(s.used, known[i]) == nil {
			s.used = append(s.used, known[i])
		}
	}
}

// readBack reads a result of a type. It is not ours if it is a pointer that the
// reference made and may be passed later.
func (s *sequenceValues) readBack(t reflect.Type, v reflect.Value) (k int, text string, ours bool) {
	if t.Kind() == reflect.Pointer && !v.IsNil() && find(s.used, identity(v)) == nil {
		u := find(s.used, identity(v.Elem())) // a copy of what was passed
		if u == nil {
			return 0, "", false
		}
		return u.k, u.text, true
	}
	k, text = readBack(v, s.used)
	return k, text, true
}
