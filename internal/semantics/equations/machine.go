package equations

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// Machine runs laws without the reference. It is not safe for concurrent use.
//
// A state is the calls that led to it. What an observer is in it follows from what
// observers were before its last call; each is computed once.
type Machine struct {
	*Set
	work int
	made int // states

	types types // nil: any
}

// State is a state of a Machine.
type State struct {
	before *State
	method int
	vars   []Value // arguments, and then the answer
	memo   map[observed]Value
	id     int // in the order in which states were made
}

// observed is an observer with its arguments.
type observed struct {
	observer, n int
	first       [3]Value // of n arguments
	rest        string   // of them, as bytes
}

func observedOf(observer int, args []Value) observed {
	o := observed{observer: observer, n: len(args)}
	if n := copy(o.first[:], args); n < len(args) {
		var b []byte
		for _, a := range args[n:] {
			b = binary.LittleEndian.AppendUint64(b, uint64(a))
		}
		o.rest = string(b)
	}
	return o
}

func (o *observed) args() []Value {
	args := slices.Clone(o.first[:min(o.n, len(o.first))])
	for k := 0; k < len(o.rest); k += 8 {
		args = append(args, Value(binary.LittleEndian.Uint64([]byte(o.rest[k:]))))
	}
	return args
}

func (o observed) compare(p observed) int {
	return cmp.Or(cmp.Compare(o.observer, p.observer), slices.Compare(o.first[:], p.first[:]), cmp.Compare(o.rest, p.rest))
}

// MostWork bounds the observations that one answer follows from.
const MostWork = 1 << 22

// NewMachine makes a Machine.
func NewMachine(s *Set) *Machine { return &Machine{Set: s} }

// Start is the state of a new object.
func (m *Machine) Start() *State { return &State{method: -1} }

// Answer is what a method answers in a state, part by part; Undefined where the laws do
// not say.
func (m *Machine) Answer(st *State, method int, args []Value) ([]Value, error) {
	m.work = 0
	me := &m.Methods[method]
	parts := make([]Value, len(me.Answers))
	for i, o := range me.Answers {
		var err error
		if parts[i], err = m.observe(st, o, args); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// After is the state after a call and its answer. If the method is pure it is the same.
func (m *Machine) After(st *State, method int, args, answer []Value) *State {
	if m.Methods[method].Pure {
		return st
	}
	vars := append(append(make([]Value, 0, len(args)+len(answer)), args...), answer...)
	m.made++
	return &State{before: st, method: method, vars: vars, id: m.made}
}

// Observe is what an observer is in a state.
func (m *Machine) Observe(st *State, observer int, args []Value) (Value, error) {
	m.work = 0
	return m.observe(st, observer, args)
}

type tooMuch struct{}

func (tooMuch) Error() string { return "the laws take too many steps" }

func (m *Machine) observe(st *State, observer int, args []Value) (Value, error) {
	key := observedOf(observer, args)
	if v, ok := st.memo[key]; ok {
		return v, nil
	}
	if !m.takes(observer, args) {
		return Undefined, nil
	}
	if m.work++; m.work > MostWork {
		return Undefined, tooMuch{}
	}
	o := &m.Observers[observer]
	law := &o.Start
	var vars []Value
	env := Env{}
	switch {
	case len(o.Is.Rules) > 0:
		law, vars = &o.Is, args
		env.Obs = func(o int, args []Value) (Value, error) { return m.observe(st, o, args) }
	case st.before == nil:
		vars = args
	default:
		law = &o.After[st.method]
		vars = append(append(make([]Value, 0, len(st.vars)+len(args)), st.vars...), args...)
		env.Obs = func(o int, args []Value) (Value, error) { return m.observe(st.before, o, args) }
	}
	env.Vars = vars
	v, err := m.Store.Of(law, &env)
	if err == nil && m.types != nil {
		err = m.types.refuse(m.Set, observer, v)
	}
	if err != nil {
		return Undefined, err
	}
	if st.memo == nil {
		st.memo = map[observed]Value{}
	}
	st.memo[key] = v
	return v, nil
}

// takes reports whether values can be those of an observer's parameters: of an answer that
// is not there an object has nothing to see.
func (s *Set) takes(observer int, args []Value) bool {
	for i, p := range s.Observers[observer].Params {
		if p.Sort != Words && s.Store.Is(args[i], Word) {
			return false
		}
	}
	return true
}

// Depth is how many calls led to a state.
func (st *State) Depth() (n int) {
	for ; st.before != nil; st = st.before {
		n++
	}
	return n
}

// Told calls a function for what was observed in a state and in all before it, from the
// first on: what the answers so far follow from.
func (st *State) Told(visit func(state *State, observer int, args []Value, v Value)) {
	var all []*State
	for s := st; s != nil; s = s.before {
		all = append(all, s)
	}
	for i := len(all) - 1; i >= 0; i-- {
		for _, key := range slices.SortedFunc(maps.Keys(all[i].memo), observed.compare) {
			visit(all[i], key.observer, key.args(), all[i].memo[key])
		}
	}
}
