package page

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

var names = append([]string{"1", "2", "-7", "007", "add", "p 1", "281474976710656", "281474976710655", "-0", "a  b", "שלום", "\xff", " \n\t.", "</style>", "]]>"}, hostile...)

// randomVerdict makes a report, whatever its parts say.
func randomVerdict(r *rand.Rand) *Verdict {
	name := func() string { return names[r.IntN(len(names))] }
	values := func() (vs []history.Value) {
		for range r.IntN(3) {
			vs = append(vs, history.Value(name()))
		}
		return vs
	}
	e := &history.Execution{}
	for i := range r.IntN(12) {
		o := history.Operation{ID: fmt.Sprint(name(), i), Process: name(), Call: e.Events, Return: history.NoReturn, Label: history.Label{Kind: history.Kind{Method: name()}, Args: values()}}
		if r.IntN(2) == 0 {
			o.CallPos = history.Pos{Line: 1 + r.IntN(100), Col: 1}
		}
		e.Events++
		e.Ops = append(e.Ops, o)
		if o := &e.Ops[r.IntN(i+1)]; !o.Completed() && r.IntN(3) > 0 {
			o.Return, o.Outcome, o.Rets = e.Events, []history.Outcome{"value", "nil", "none", "full"}[r.IntN(4)], values()
			e.Events++
		}
	}
	v := &Verdict{Run: Run{Against: name(), Version: name(), Command: name()}, Report: check.Report{Name: "x" + name(), Object: name(), Ops: len(e.Ops)}}
	if r.IntN(10) == 0 {
		v.Report.Err = errors.New("e" + name())
		return v
	}
	v.Report.Coverage = history.Of(e)
	v.Report.Result = check.Result{Verdict: []check.Verdict{check.Linearizable, check.Inconclusive, check.NoViolationFound, check.Violation}[r.IntN(4)],
		Engine: name(), Events: e.Events, Detail: name(), Procedure: name(), By: name()}
	v.Log = &Log{Execution: e, Sum: "0", Keys: map[string]theory.Key{}}
	if v.Report.Result.Verdict == check.Violation {
		v.Report.Result.Prefix, v.Report.Result.Patterns = r.IntN(e.Events+1), []string{"p" + name(), "q" + name()}[:r.IntN(3)]
		if r.IntN(4) > 0 {
			v.Report.Explanation = randomExplanation(r, e, name)
		}
	} else if r.IntN(2) == 0 {
		v.Report.Evidence = &evidence.Evidence{}
		for _, i := range r.Perm(len(e.Ops)) {
			v.Report.Evidence.Order = append(v.Report.Evidence.Order, evidence.Taken{Op: e.Ops[i].ID, Outcome: history.Some, Rets: values()})
		}
	}
	return v
}

func randomExplanation(r *rand.Rand, e *history.Execution, name func() string) *check.Explanation {
	x := &check.Explanation{Execution: &history.Execution{Ops: e.Ops, Events: e.Events}, Prefix: e.Events, Minimal: r.IntN(2) == 0, Labels: map[string]history.Label{}}
	if !x.Minimal {
		x.Detail = name()
	}
	id := func() string { return fmt.Sprint(name(), r.IntN(12)) }
	for range r.IntN(3) {
		x.Reasons = append(x.Reasons, check.Reason{Name: "r" + name(), Reading: name(), Axiom: r.IntN(2) == 0})
		x.Keys = append(x.Keys, history.Value(name()))
	}
	for range r.IntN(8) {
		s := evidence.Step{Suppose: r.IntN(3) == 0, Fact: evidence.Fact{Is: []string{evidence.Before, evidence.Took, evidence.Never, evidence.Contradiction}[r.IntN(4)], A: id(), B: id()}, By: name(), Ops: []string{id(), id()}}
		x.Steps = append(x.Steps, s)
	}
	if len(e.Ops) > 0 && r.IntN(2) == 0 {
		x.Last, x.State, x.States, x.Waits = e.Ops[0], name(), []string{name(), name()}, r.IntN(2) == 0
		x.Order = e.Ops[:r.IntN(len(e.Ops))]
		x.Last.Method = "last"
	}
	return x
}
