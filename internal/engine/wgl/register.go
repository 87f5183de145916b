package wgl

import "github.com/adtinfer/adtinfer/history"

// maybe is a state that holds a value, or none.
type maybe struct {
	held  bool
	value history.Value
}

func (s *maybe) Equal(t State) bool { return *s == *t.(*maybe) }

func (s *maybe) Hash() uint64 {
	if !s.held {
		return 0
	}
	return hashValue(s.value)
}

func (s *maybe) String() string {
	if !s.held {
		return "nothing"
	}
	return string(s.value)
}

// outcome is what a method answers that tells the held value.
func (s *maybe) outcome() history.Outcome {
	if s.held {
		return history.Some
	}
	return history.Nil
}

// register is a read/write register that holds nothing at first.
type register struct{}

func (register) Init() State { return &maybe{} }

func (register) ReadOnly(l *history.Label) bool { return l.Method == "read" }

func (register) Step(s State, l *history.Label) (State, bool) {
	r := s.(*maybe)
	switch {
	case is(l, "write", 1):
		return &maybe{true, l.Args[0]}, answers(l, history.None, "")
	case is(l, "read", 0):
		return r, answers(l, r.outcome(), r.value)
	}
	return nil, false
}

// casRegister is a register with compare-and-swap, and what it holds at first.
type casRegister struct{ first maybe }

func (r casRegister) Init() State { return &r.first }

func (casRegister) ReadOnly(l *history.Label) bool {
	return l.Method == "read" || l.Method == "cas" && l.Outcome != history.Pending && refused(l)
}

func (casRegister) Step(s State, l *history.Label) (State, bool) {
	if is(l, "cas", 2) {
		return s.(*maybe).swap(l, l.Args[0], l.Args[1])
	}
	return register{}.Step(s, l)
}

// swap is what a compare-and-swap does.
func (s *maybe) swap(l *history.Label, old, value history.Value) (State, bool) {
	if s.held && s.value == old {
		return &maybe{true, value}, answers(l, history.True, "")
	}
	return s, refused(l)
}
