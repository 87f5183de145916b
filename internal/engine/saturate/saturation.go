package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// Options say how a Saturation works.
type Options struct {
	// Removal forgets matches that can contribute nothing any more.
	Removal bool

	// Probe tries both values of every open literal near what changed, at each
	// return: it finds more, and earlier, and takes up to a hundred times as long.
	Probe bool

	// Stop, if set, is asked now and then. Where it says true, the event at hand is
	// given up; see GaveUp.
	Stop func() bool
}

// Saturation follows one execution event by event, until it finds a violation. The
// execution is in the theory's language, which others see to (clauses.Rules.Validate). It
// is not safe for concurrent use.
type Saturation struct {
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
	secondNeeds  clauses.Kinds // what a second target of some match needs

	facts   []fact // to be propagated
	joined  []int32
	recheck []pair
	stamp   int32

	removal
	probing

	violation *Violation
	gaveUp    bool
}

// Op names a running operation.
type Op struct {
	slot int32
	call int
}

// never is later than every event.
const never = int(^uint(0) >> 1)

// New starts with no events. The rules are of clauses.Compile.
func New(r *clauses.Rules, o Options) *Saturation {
	s := &Saturation{r: r, o: o, byKey: make([]map[string]int32, len(r.Kinds)), series: make([]list, r.Series)}
	for i := range s.byKey {
		s.byKey[i] = map[string]int32{}
	}
	s.written = slices.Repeat([]int{-1}, len(r.Shapes))
	s.overwriting = slices.Contains(r.Overwrites, true)
	for i := range r.Kinds {
		s.secondNeeds |= r.Kinds[i].SecondNeeds
	}
	return s
}

// Events counts the events so far.
func (s *Saturation) Events() int { return s.now }

// Live counts the operations that are held.
func (s *Saturation) Live() int { return len(s.ops) - len(s.spare) }

// Violation is what was found, or nil. Later events do not change it.
func (s *Saturation) Violation() *Violation { return s.violation }

// GaveUp reports whether Options.Stop ended the work on an event: of what came then, and
// later, not all is known.
func (s *Saturation) GaveUp() bool { return s.gaveUp }

// Call takes note of a call, and keeps args. The error, a *clauses.LabelError, leaves
// everything as it was.
func (s *Saturation) Call(name string, args []history.Value) (Op, error) {
	mt, err := s.r.Method(name, args)
	if err != nil {
		return Op{}, err
	}
	op := Op{call: s.now}
	s.now++
	if s.violation != nil {
		return op, nil
	}
	op.slot = s.newOp(mt.Index, args, op.call)
	s.connect(op.slot)
	s.candidate(op.slot)
	s.propagate()
	return op, nil
}

// Return takes note of a return. It says so if that makes the execution a
// violation, as far as unit propagation finds out. The error, a *clauses.LabelError,
// leaves everything as it was.
func (s *Saturation) Return(op Op, outcome history.Outcome, rets []history.Value) (*Violation, error) {
	if s.violation != nil {
		s.now++
		return s.violation, nil
	}
	o := &s.ops[op.slot]
	if o.call != op.call || o.ret != never {
		return nil, &clauses.LabelError{Op: -1, Msg: "the operation is not running"}
	}
	k, err := s.r.Kind(&s.r.Methods[o.method], outcome, rets)
	if err != nil {
		return nil, err
	}
	o.ret, o.rets = s.now, rets
	s.now++
	s.returned(op.slot, k)
	s.propagate()
	s.probe()
	s.remove()
	return s.violation, nil
}

// returned handles the return of operation x.
func (s *Saturation) returned(x int32, k *clauses.Kind) {
	o := &s.ops[x]
	i, _ := slices.BinarySearchFunc(s.pending, o.call, func(p int32, call int) int { return s.ops[p].call - call })
	s.pending = slices.Delete(s.pending, i, i+1)
	s.seal(x, o.ret)
	for i := range k.Claims {
		if c := &k.Claims[i]; !c.Holds.Of(o.args, o.rets) {
			s.conflict(verdict{axiom: c.Axiom + 1, a: x})
			return
		}
	}
	if o.forced {
		s.confirm(x, k)
	} else {
		s.join(x, k)
	}
	s.left(x)
	o = &s.ops[x]
	o.args, o.rets = nil, nil
}

// Violation is what was found.
type Violation struct {
	Prefix   int      // events until it was found; a shorter prefix may violate, too
	Patterns []string // patterns and axioms that exclude the last way out
}

// verdict says what ended in a contradiction.
type verdict struct {
	clause   int32 // from 1: all of its links hold
	pattern  int   // from 1: operation a has no match target
	axiom    int   // from 1: it fails of operation a
	mismatch bool  // operation a had to return something else
	rule     int32 // else: of the clause that puts a before b, which comes after it; negative if it is another reason
	a        int32
}

// conflict ends the search, or the assumption.
func (s *Saturation) conflict(v verdict) {
	if s.violation != nil {
		return
	}
	s.violation = &Violation{Prefix: s.now}
	if s.probing.on {
		return
	}
	s.violation.Patterns = s.blame(v)
}

// blame names the patterns of a verdict, or the axiom.
func (s *Saturation) blame(v verdict) []string {
	r := s.r
	switch {
	case v.pattern > 0:
		return []string{r.Names[v.pattern-1]}
	case v.axiom > 0:
		return []string{r.Axioms[v.axiom-1]}
	case v.clause > 0:
		return r.PatternsOf(v.clause - 1)
	case v.mismatch:
		return r.PatternsOf(s.ops[v.a].why)
	}
	return r.PatternsOf(v.rule)
}

// Holds reports whether a call may have the match target of operations that the
// saturation holds, or become a second one.
func (s *Saturation) Holds(name string, args []history.Value) bool {
	mt, err := s.r.Method(name, args)
	return err == nil && slices.ContainsFunc(mt.Targets, func(t int) bool {
		_, ok := s.byKey[t][clauses.KeyOf(s.r.Kinds[t].Key, args, nil)]
		return ok
	})
}
