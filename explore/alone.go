package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/quiescent"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/printable"
)

// alone is a program whose operations are called one at a time, and what was seen of it.
type alone struct {
	*problem
	graph *quiescent.Graph
	seen  []quiescent.Seen
	said  map[int][]int32 // the answers of each operation
	found *search.Finding // what is wrong
}

// aloneThreads is how many operations may wait at a time, and mostAlone how many states are looked at.
const (
	aloneThreads = 3
	mostAlone    = 3000
)

// oneAtATime prepares an exploration of calls that come one at a time.
func (l *loaded) oneAtATime(ctx context.Context, b Bounds) (*problem, error) {
	within := *l.Options
	within.Bounds = b
	own := *l
	own.Options, own.runner = &within, nil
	p := &problem{loaded: &own, ctx: ctx, bounds: b, program: copied(l.program)}
	var err error
	if p.list, err = calls.New(p.program, calls.Options{Values: b.Values, Most: b.Values}); err != nil {
		return nil, err
	}
	p.hash = trace.HashOf(p.program, p.list.Calls)
	p.shared, err = machine.New(ctx, p.program, machine.Bounds{Threads: b.Threads, Ops: -1, Calls: p.list.Calls}, machine.Options{Begin: true})
	return p, err
}

// alone looks at what operations do if they are called one at a time.
func (l *loaded) alone(ctx context.Context) (*alone, error) {
	values := l.Bounds.Values
	if values == 0 {
		values = 2
	}
	if l.Policy {
		l = l.withoutPolicy()
	}
	p, err := l.oneAtATime(ctx, Bounds{Threads: aloneThreads, Values: values})
	if err != nil {
		return nil, err
	}
	a := &alone{problem: p, said: map[int][]int32{}}
	if a.graph, err = quiescent.Explore(ctx, p.shared, mostAlone); err != nil {
		return nil, err
	}
	a.seen = a.graph.Seen()
	for _, n := range a.graph.Answers() {
		op := p.shared.Result(n).Op
		a.said[op] = append(a.said[op], n)
	}
	a.found = a.finding()
	return a, nil
}

// finding is what is wrong in these runs, or nil.
func (a *alone) finding() *search.Finding {
	if f := a.graph.Fault; f != nil {
		return &search.Finding{Kind: search.Faulty, Fault: f, Path: a.graph.Path}
	}
	for _, l := range a.graph.Lost() {
		if why := a.judge(&l); why == wrong {
			f := &search.Finding{Kind: search.Stuck, Path: l.Path, Threads: []int{l.Thread}, Lost: l.Thread}
			if l.Spins {
				f.Kind = search.Spins
			}
			return f
		}
	}
	if l := a.leak(); l != nil && a.Leaks {
		return &search.Finding{Kind: search.Leak, Path: l.Path, Threads: []int{l.Thread}, Lost: l.Thread}
	}
	if a.specified() {
		return nil
	}
	if answer := a.panics(); answer >= 0 {
		return &search.Finding{Kind: search.Panics, Path: a.graph.To(answer)}
	}
	return nil
}

// specified reports whether something other than these runs says what operations do.
func (a *alone) specified() bool { return a.Theory != nil || a.ref != nil || a.Model != "" }

// judgement is what an operation that never returns is.
type judgement int

const (
	wrong     judgement = iota
	allowed             // it may be meant: it waits for what its type has no operation for
	undecided           // operations that were not explored may let it go on, or more calls than were looked at
)

// judge tells what an operation is that waits where no calls that follow let it return. A lock that no
// operation holds which runs is wrong. Who waits for something else may be meant to do so, unless the call
// returns at once where it is the first one, or none of the operation's ever do.
func (a *alone) judge(l *quiescent.Lost) judgement {
	op := a.list.Calls[l.Call].Op
	switch at := a.shared.Machine().Look(l.State, l.Thread, mine); {
	case at.Op == ir.Lock || at.Op == ir.RLock || at.Op == ir.WLock:
	case a.specified() || !a.seen[l.Call].First && a.returns(op):
		return allowed
	}
	if l.Undecided || len(a.pkg.Skipped) > 0 {
		return undecided
	}
	return wrong
}

// returns reports whether an operation ever returns.
func (a *alone) returns(op int) bool { return len(a.said[op]) > 0 }

// meets is the operation of a finding that is none: it returns where it would have to wait by itself, as it does
// whenever no other operation runs. What it does alone says nothing of it.
func (a *alone) meets(p *problem, f *search.Finding) (op int, ok bool, err error) {
	if a.specified() || p.monitor != nil || f.Kind != search.NotLinearizable {
		return 0, false, nil
	}
	events, err := p.shared.Machine().Trace(f.Path)
	if err != nil {
		return 0, false, err
	}
	calls := map[int]int32{}
	for _, e := range events {
		switch e.Kind {
		case machine.CallEvent:
			calls[e.Thread] = e.Call
		case machine.ReturnEvent:
			op = p.list.Calls[calls[e.Thread]].Op
		}
	}
	if a.returnsAlone(op) {
		return op, false, nil
	}
	_, note := p.fitting(events)
	return op, note == waitsInstead, nil
}

// misused are panics that say that the operation's code is wrong, whatever is called.
var misused = []string{"send on closed channel", "close of closed channel", "close of nil channel"}

// panics is the answer of a call that misuses a channel, or of an operation that does nothing but panic; -1 if there is none.
func (a *alone) panics() int32 {
	panics := func(n int32) bool { return a.shared.Result(n).Panic != "" }
	for op := range a.program.Ops {
		for _, n := range a.said[op] {
			if slices.ContainsFunc(misused, func(text string) bool { return strings.Contains(a.shared.Result(n).Panic, text) }) {
				return n
			}
		}
		if a.returns(op) && !slices.ContainsFunc(a.said[op], func(n int32) bool { return !panics(n) }) {
			return a.said[op][0]
		}
	}
	return -1
}

// leak is a goroutine that can never go on, or nil.
func (a *alone) leak() *quiescent.Lost {
	for _, l := range a.graph.Leaks() {
		if !l.Undecided && len(a.pkg.Skipped) == 0 {
			return &l
		}
	}
	return nil
}

// shown says in one sentence what a run of calls one at a time shows; last is where its goroutine waits.
func (p *problem) shown(f *search.Finding, events, last []machine.Event) string {
	calls, at := map[int]int32{}, ""
	var returned machine.Event
	for _, e := range events {
		switch e.Kind {
		case machine.CallEvent:
			calls[e.Thread] = e.Call
		case machine.ReturnEvent:
			returned = e
		}
	}
	if len(last) > 0 && last[0].Pos > 0 {
		at = " at " + p.at(last[0].Pos)
	}
	const never = ", and no calls that may follow let it go on"
	switch f.Kind {
	case search.Panics:
		r := p.shared.Result(returned.Answer)
		return fmt.Sprintf("fault: %s panics, at %s: %s", p.pending(calls[returned.Thread]), p.at(r.Pos), strings.TrimSpace(r.Panic))
	case search.Leak:
		return fmt.Sprintf("goroutine leak: goroutine %d, which an operation started, %s%s%s", last[0].Thread+1, last[0].Text, at, never)
	case search.Spins:
		return fmt.Sprintf("livelock: %s never returns%s%s", p.pending(calls[last[0].Thread]), at, never)
	}
	return fmt.Sprintf("deadlock: %s %s%s%s", p.pending(calls[last[0].Thread]), last[0].Text, at, never)
}

// pending is a call in words.
func (p *problem) pending(call int32) string {
	return strings.TrimSuffix(p.label(call, -1).String(), "*")
}

// operations says in one line what the operations of the object did.
func (a *alone) operations() string {
	var busy, still, same, never []string
	for op := range a.program.Ops {
		o := &a.program.Ops[op]
		switch {
		case !a.returnsAlone(op):
			never = append(never, o.Method)
		case a.changes(op):
			busy = append(busy, o.Method)
		default:
			still = append(still, o.Method)
		}
		if texts := a.answers(op); len(texts) == 1 && len(o.Results) > 0 {
			same = append(same, texts[0])
		}
	}
	s := printable.Count(len(a.program.Ops), "operation")
	for _, part := range []struct {
		what  string
		names []string
	}{{"change the object", busy}, {"never change it", still}, {"always answer the same", same}, {"never return by themselves", never}, {"skipped", a.pkg.Skipped}} {
		if len(part.names) > 0 {
			s += "; " + part.what + ": " + strings.Join(part.names, ", ")
		}
	}
	return s
}

// returnsAlone reports whether an operation returns if no other one runs.
func (a *alone) returnsAlone(op int) bool {
	for i, c := range a.list.Calls {
		if c.Op == op && a.seen[i].Returns {
			return true
		}
	}
	return false
}

// changes reports whether an operation ever left the object in another state.
func (a *alone) changes(op int) bool {
	for i, c := range a.list.Calls {
		if c.Op == op && a.seen[i].Changes {
			return true
		}
	}
	return false
}

// answers lists the answers of an operation, in words, without arguments.
func (a *alone) answers(op int) (texts []string) {
	for _, n := range a.said[op] {
		r := a.shared.Result(n)
		l := history.Label{Kind: history.Kind{Method: a.program.Ops[op].Method}}
		l.Outcome, l.Rets = a.list.Answer(&r)
		if text := l.String(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// shows is the result of a finding of goroutines that run at the same time, unless it is none.
func (a *alone) shows(ctx context.Context, p *problem, f *search.Finding, r *Result) (*Result, error) {
	op, meets, err := a.meets(p, f)
	switch {
	case err != nil:
		return nil, a.refuse(err)
	case meets && a.found != nil:
		return a.result(r)
	case meets:
		r.Verdict = Incomplete
		r.Why = a.program.Ops[op].Method + " returns only if another operation runs at the same time, so what operations do one after the other says nothing of it: make operations that need each other one (//lin:op marks a function that is an operation)"
		return a.doubt(r), nil
	}
	r.Verdict, r.Counterexample, err = p.counterexample(f)
	if err == nil && r.Verdict == WrongPolicy {
		err = p.decide(ctx, r)
	}
	return r, err
}

// result is the result of what was found.
func (a *alone) result(r *Result) (_ *Result, err error) {
	r.Bounds, r.States, r.Alone = a.bounds, int64(a.graph.States()), nil
	r.Verdict, r.Counterexample, err = a.counterexample(a.found)
	return r, err
}

// doubt adds to a result what was seen of the operations, and takes its verdict away if nothing could be wrong.
func (a *alone) doubt(r *Result) *Result {
	r.Alone = []string{a.operations()}
	if l := a.leak(); l != nil {
		at := a.shared.Machine().Look(l.State, l.Thread, mine)
		r.Alone = append(r.Alone, fmt.Sprintf("goroutine leak: a goroutine waits forever%s at %s when no operation runs, and no calls that may follow let it go on; --leaks makes this a finding", waitsFor[at.Op], a.at(at.Pos)))
	}
	return r
}
