package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/theory"
)

// Options say how a Monitor works.
type Options struct {
	// Removal forgets matches that can contribute nothing any more.
	Removal bool

	// Probe tries both values of every open literal near what changed, at each
	// return: it finds more, and earlier, and takes up to a hundred times as long.
	Probe bool

	// Stop, if set, is asked before each literal that is probed. Where it says
	// true, probing is given up for the event at hand.
	Stop func() bool

	// Remember is how many keys of forgotten matches a monitor knows to have
	// been used, most recent first. A key used again after that counts as new.
	// 0 is DefaultRemember.
	Remember int
}

// DefaultRemember is how many used keys a monitor remembers by default; they
// take about 24 bytes each.
const DefaultRemember = 1 << 16

// Monitor follows one execution event by event, until it finds a violation. It
// is not safe for concurrent use.
type Monitor struct {
	r *clauses.Rules
	o Options

	now     int // events so far
	ops     []operation
	spare   []int32 // operations to be used again
	pending []int32 // in order of calls

	matches      []match
	spareMatches []int32
	byKey        []map[string]int32 // matches by key, by kind of the target
	series       []list
	beside       clauses.Kinds // a second target of some match
	used         []usedKeys    // by rule of the language

	facts   []fact // to be propagated
	joined  []int32
	recheck []pair
	stamp   int32

	removal
	probing

	violation *Violation
}

// Op names a running operation of a monitor.
type Op struct {
	slot int32
	call int
}

// never is later than every event.
const never = int(^uint(0) >> 1)

// NewMonitor starts a monitor. The error is an *Unsupported.
func NewMonitor(t *theory.Theory, o Options) (*Monitor, error) {
	r, err := clauses.Compile(t)
	if err != nil {
		return nil, err
	}
	return New(r, o), nil
}

// New starts a monitor for rules that were compiled before.
func New(r *clauses.Rules, o Options) *Monitor {
	if o.Remember == 0 {
		o.Remember = DefaultRemember
	}
	m := &Monitor{r: r, o: o, byKey: make([]map[string]int32, len(r.Kinds)), series: make([]list, r.Series)}
	for i := range m.byKey {
		m.byKey[i] = map[string]int32{}
	}
	for i := range r.Kinds {
		m.beside |= r.Kinds[i].Again
	}
	for range r.Uniques {
		m.used = append(m.used, newUsedKeys(o.Remember))
	}
	return m
}

// Events counts the events so far.
func (m *Monitor) Events() int { return m.now }

// Live counts the operations that the monitor holds.
func (m *Monitor) Live() int { return len(m.ops) - len(m.spare) }

// Violation is what was found, or nil. Later events do not change it.
func (m *Monitor) Violation() *Violation { return m.violation }

// Call takes note of a call. The monitor keeps args. The error, a *LabelError or
// *LanguageError, leaves the monitor as it was.
func (m *Monitor) Call(name string, args []history.Value) (Op, error) {
	mt, err := m.r.Method(name, args)
	if err != nil {
		return Op{}, err
	}
	if err := m.useAll(mt.Uniques, mt.Targets, args, nil); err != nil {
		return Op{}, err
	}
	op := Op{call: m.now}
	m.now++
	if m.violation != nil {
		return op, nil
	}
	op.slot = m.newOp(mt.Index, args, op.call)
	m.connect(op.slot)
	m.candidate(op.slot)
	m.propagate()
	return op, nil
}

// Return takes note of a return. It says so if that makes the execution a
// violation, as far as the monitor finds out. The error, a *LabelError or
// *LanguageError, leaves the monitor as it was.
func (m *Monitor) Return(op Op, outcome history.Outcome, rets []history.Value) (*Violation, error) {
	if m.violation != nil {
		m.now++
		return m.violation, nil
	}
	o := &m.ops[op.slot]
	if o.call != op.call || o.ret != never {
		return nil, &clauses.LabelError{Op: -1, Msg: "the operation is not running"}
	}
	mt := &m.r.Methods[o.method]
	k, err := m.r.Kind(mt, outcome, rets)
	if err != nil {
		return nil, err
	}
	targets := mt.Targets
	if k.Joiners == 0 {
		targets = nil
	}
	if err := m.useAll(k.Uniques, targets, o.args, rets); err != nil {
		return nil, err
	}
	o.ret, o.rets = m.now, rets
	m.now++
	m.returned(op.slot, k)
	m.propagate()
	m.probe()
	m.remove()
	return m.violation, nil
}

// returned handles the return of operation x.
func (m *Monitor) returned(x int32, k *clauses.Kind) {
	o := &m.ops[x]
	i, _ := slices.BinarySearchFunc(m.pending, o.call, func(p int32, call int) int { return m.ops[p].call - call })
	m.pending = slices.Delete(m.pending, i, i+1)
	m.seal(x, o.ret)
	for i := range k.Claims {
		if c := &k.Claims[i]; !c.Holds.Of(o.args, o.rets) {
			m.conflict(verdict{axiom: c.Axiom + 1, a: x})
			return
		}
	}
	if o.forced {
		m.confirm(x, k)
	} else {
		m.join(x, k)
	}
	m.left(x)
	o = &m.ops[x]
	o.args, o.rets = nil, nil
}
