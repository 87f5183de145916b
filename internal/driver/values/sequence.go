//go:build go1.21

package values

import "reflect"

// Sequence are the arguments of the running sequence.
type Sequence struct {
	used []injected
	made []made

	// AsGiven: answers are read as logs have them, without numbers.
	AsGiven bool
}

// made is an argument that later calls of the sequence get, too: a pointer is the
// same each time.
type made struct {
	k     int
	text  string
	value reflect.Value
}

func (s *Sequence) Reset() { s.used, s.made = s.used[:0], s.made[:0] }

// Pass is the value to pass for an argument.
func (s *Sequence) Pass(a *Argument) reflect.Value {
	known := a.known
	if s.AsGiven {
		known = nil
	}
	if !a.Fresh {
		s.learn(known)
		return a.Value
	}
	t := a.Value.Type()
	shared := t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface
	for i := range s.made {
		if m := &s.made[i]; shared && m.k == a.k && m.text == a.text && m.value.Type() == t {
			return m.value
		}
	}
	v := a.again()
	if !shared {
		s.learn(known)
		return v
	}
	s.made = append(s.made, made{a.k, a.text, v})
	k, text := a.k, a.text
	if s.AsGiven && text == "" {
		k, text = 0, GoText(v)
	}
	s.learn(learn(nil, v, k, text))
	return v
}

func (s *Sequence) learn(known []injected) {
	for i := range known {
		if find(s.used, known[i]) == nil {
			s.used = append(s.used, known[i])
		}
	}
}

// ReadBack reads a result of a type. It is not ours if it is a pointer that the
// reference made and may be passed later.
func (s *Sequence) ReadBack(t reflect.Type, v reflect.Value) (k int, text string, ours bool) {
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

// LogText is a result of a type as logs have it.
func (s *Sequence) LogText(t reflect.Type, v reflect.Value) string {
	_, text, ours := s.ReadBack(t, v)
	if !ours {
		_, text = readBack(v, nil)
	}
	return Basic{Kind: KindOf(t)}.LogOf(text)
}
