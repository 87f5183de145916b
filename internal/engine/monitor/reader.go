package monitor

import (
	"errors"
	"fmt"
	"maps"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// reader turns executions into columns.
type reader struct {
	methods  map[string]*method                 // by name and alias
	priority func(history.Value) (int64, error) // nil if the values have none
}

// method is a method with what its operations do.
type method struct {
	args     int
	outcomes []outcome
	open     role // of pending operations
	kind     uint8
	unique   bool // whatever it answers, the argument is that of no other such call
}

// outcome is what an operation does that had it.
type outcome struct {
	history.Outcome
	rets   int
	role   role
	fromIn bool // the value is the argument, otherwise what was returned
	agree  bool // argument and returned value must be the same
	unique bool // the argument is that of no other such call
}

// does tells whether an operation may have a role.
func (r *reader) does(what role) bool {
	for _, m := range r.methods {
		for _, o := range m.outcomes {
			if o.role == what {
				return true
			}
		}
	}
	return false
}

// errShape is why the values of a theory's operations cannot be told.
var errShape = errors.New("an operation has more than one argument or returned value")

// newReader reads off the theory's matching where operations have their values.
func newReader(t *theory.Theory, l *likeness, s *semantics) (*reader, error) {
	r := &reader{methods: map[string]*method{}}
	adders := l.adders()
	byName := map[string]*method{}
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		if m.Args > 1 {
			return nil, errShape
		}
		x := &method{args: m.Args, unique: m.Args == 1}
		for _, o := range m.Outcomes {
			k := kindReader{s, adders, history.Kind{Method: m.Name, Outcome: o.Outcome}, m.Args, o.Rets}
			y, err := k.outcome(l.shape.role(l.cast[k.Kind]).role)
			if err != nil {
				return nil, err
			}
			if y.role == remove && l.shape.named != (m.Args == 1) {
				return nil, fmt.Errorf("values of a %s are not removed as %s does it", l.shape.name, m.Name)
			}
			if y.role == add || y.role == remove {
				x.kind = l.index[k.Kind]
			}
			x.outcomes = append(x.outcomes, y)
			x.unique = x.unique && y.unique
		}
		if err := x.opens(m); err != nil {
			return nil, err
		}
		for _, a := range m.Aliases {
			r.methods[a] = x
		}
		byName[m.Name] = x
	}
	maps.Copy(r.methods, byName) // a name wins over an alias
	return r, nil
}

// adders lists the kinds that put values in.
func (l *likeness) adders() (ks []history.Kind) {
	for k, letter := range l.cast {
		if l.shape.role(letter).role == add {
			ks = append(ks, k)
		}
	}
	return ks
}

// opens finds out what pending operations of a method may do.
func (x *method) opens(m *history.MethodSig) error {
	for _, o := range x.outcomes {
		switch {
		case o.role != add && o.role != remove:
		case x.open != none:
			return fmt.Errorf("%s both adds and removes", m.Name)
		case o.role == add:
			x.open = maybeAdd
		default:
			x.open = maybeRemove
		}
	}
	return nil
}

// kindReader finds out where operations of a kind have their value.
type kindReader struct {
	*semantics
	adders []history.Kind
	history.Kind
	args, rets int
}

func (k *kindReader) label(arg, ret history.Value) history.Label {
	l := history.Label{Kind: k.Kind}
	if k.args > 0 {
		l.Args = []history.Value{arg}
	}
	if k.rets > 0 {
		l.Rets = []history.Value{ret}
	}
	return l
}

// outcome tells where the value is: where the matching looks for it. An add
// with the value 1 is the target of an operation with the value 1 and no other.
func (k *kindReader) outcome(r role) (outcome, error) {
	o := outcome{Outcome: k.Outcome, rets: k.rets, role: r}
	if k.rets > 1 {
		return o, errShape
	}
	if k.args == 1 {
		o.unique = !k.speaks(k.label("1", "2"), history.Label{Kind: k.adders[0], Args: []history.Value{"1"}})
	}
	if r == add {
		if k.args != 1 || k.rets != 0 {
			return o, fmt.Errorf("%s does not put in what it is called with", k.Kind)
		}
		o.fromIn, o.unique = true, true
		return o, nil
	}
	in, out := 0, 0
	for _, a := range k.adders {
		target := history.Label{Kind: a, Args: []history.Value{"1"}}
		if k.args == 1 && k.matches(k.label("1", "2"), target) {
			in++
		}
		if k.rets == 1 && k.matches(k.label("2", "1"), target) {
			out++
		}
	}
	switch all := len(k.adders); {
	case r == empty && in+out > 0:
		return o, fmt.Errorf("%s has a value", k.Kind)
	case r != empty && (in+out != all || in > 0 && out > 0):
		return o, fmt.Errorf("which value %s speaks of cannot be told", k.Kind)
	}
	o.fromIn = in > 0
	o.agree = k.args == 1 && k.rets == 1 && !o.unique
	return o, nil
}

// read turns an execution into columns. The error is a *BadOperation or an
// *OutsideClass. It takes expected linear time and about 40 bytes an operation.
func (r *reader) read(e *history.Execution) (c *columns, err error) {
	n := len(e.Ops)
	c = &columns{
		events: int32(e.Events),
		role:   make([]role, 0, n), open: make([]role, 0, n), kind: make([]uint8, 0, n),
		value: make([]int32, 0, n), asked: make([]int32, 0, n),
		call: make([]int32, 0, n), ret: make([]int32, 0, n),
	}
	u := numbering{priority: r.priority, small: make([]int32, 2*n+16), rest: map[history.Value]int32{}}
	last := -1
	for i := range e.Ops {
		o := &e.Ops[i]
		m := r.methods[o.Method]
		if m == nil || len(o.Args) != m.args || o.Call <= last || o.Call >= e.Events {
			return nil, &BadOperation{o}
		}
		last = o.Call
		x, err := m.op(e, i, &u)
		if err != nil {
			return nil, err
		}
		c.push(x)
	}
	if c.priority = u.priorities; u.err != nil {
		return nil, &OutsideClass{Reason: u.err.Error()}
	}
	return c, nil
}

// op turns one operation into a row of columns.
func (m *method) op(e *history.Execution, i int, u *numbering) (op, error) {
	o := &e.Ops[i]
	x := op{value: -1, open: m.open, kind: m.kind, asked: -1, call: int32(o.Call) + 1, ret: never}
	unique := m.unique
	if o.Completed() {
		out := m.outcome(o)
		if out == nil || o.Return <= o.Call || o.Return >= e.Events {
			return x, &BadOperation{o}
		}
		x.ret, x.role, unique = int32(o.Return)+1, out.role, out.unique
		switch {
		case out.agree && o.Args[0] != o.Rets[0]:
			return x, &OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", o.ID, o.Label)}
		case out.role == empty:
		case out.fromIn:
			x.value = u.number(o.Args[0])
		default:
			x.value = u.number(o.Rets[0])
		}
	}
	if m.args == 1 {
		x.asked = u.number(o.Args[0])
		if j := u.user(x.asked); unique && *j != 0 {
			return x, &OutsideClass{"a value is used twice", &e.Ops[*j-1], o}
		} else if unique {
			*j = int32(i) + 1
		}
	}
	return x, nil
}

func (m *method) outcome(o *history.Operation) *outcome {
	for i := range m.outcomes {
		if out := &m.outcomes[i]; out.Outcome == o.Outcome && out.rets == len(o.Rets) {
			return out
		}
	}
	return nil
}

// numbering numbers values in the order in which they occur.
type numbering struct {
	small []int32 // by value, for small numbers: 1 + its number
	rest  map[history.Value]int32
	users []int32 // by number: 1 + the operation that must be alone with it

	priority   func(history.Value) (int64, error)
	priorities []int64 // by number
	err        error   // of the first value that has none
}

func (u *numbering) number(v history.Value) int32 {
	p := u.cell(v)
	if p == nil {
		n, ok := u.rest[v]
		if !ok {
			n = u.next(v)
			u.rest[v] = n
		}
		return n
	}
	if *p == 0 {
		*p = u.next(v) + 1
	}
	return *p - 1
}

func (u *numbering) next(v history.Value) int32 {
	if u.priority != nil {
		n, err := u.priority(v)
		if err != nil && u.err == nil {
			u.err = err
		}
		u.priorities = append(u.priorities, n)
	}
	u.users = append(u.users, 0)
	return int32(len(u.users)) - 1
}

func (u *numbering) user(n int32) *int32 { return &u.users[n] }

// cell is where a value's number is kept if it is the text of a small number,
// otherwise nil.
func (u *numbering) cell(v history.Value) *int32 {
	if len(v) == 0 || len(v) > 9 || v[0] == '0' && len(v) > 1 {
		return nil
	}
	n := 0
	for i := range len(v) {
		d := v[i] - '0'
		if d > 9 {
			return nil
		}
		n = n*10 + int(d)
	}
	if n >= len(u.small) {
		return nil
	}
	return &u.small[n]
}
