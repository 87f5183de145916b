package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// alone is a program whose operations are called one at a time, and what was seen of it.
type alone struct {
	*problem
	graph *search.Graph
	other map[int][]string // answers of each operation beside others, in words
	seen  []search.Seen
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
	if p.list, err = spec.New(p.program, spec.Options{Values: b.Values, Most: b.Values, Nil: l.nils()}); err != nil {
		return nil, err
	}
	p.hash = trace.HashOf(p.program, p.list.Calls)
	p.shared, err = machine.New(ctx, p.program, machine.Bounds{Threads: b.Threads, Ops: -1, Calls: p.list.Calls}, machine.Options{Begin: true})
	return p, err
}

// alone looks at what operations do if they are called one at a time, and leaves out those that cannot be explored. A
// mutant is not looked at: it is held against the package.
func (l *loaded) alone(ctx context.Context) (*alone, error) {
	if l.program != l.own {
		return &alone{problem: &problem{loaded: l}}, nil
	}
	for {
		a, err := l.oneByOne(ctx)
		if err != nil {
			return nil, err
		}
		if callbackPanics(a.graph.Fault) {
			l.calm()
		} else if again, err := l.leaveOut(a); err != nil || !again {
			return a, err
		}
	}
}

// oneByOne is alone with all operations.
func (l *loaded) oneByOne(ctx context.Context) (*alone, error) {
	values := max(l.Bounds.Values, 2) // one of which is zero
	if l.Policy {
		l = l.withoutPolicy()
	}
	p, err := l.oneAtATime(ctx, Bounds{Threads: aloneThreads, Values: values})
	if err != nil {
		return nil, err
	}
	a := &alone{problem: p, said: map[int][]int32{}}
	if a.graph, err = search.Explore(ctx, p.shared, mostAlone); err != nil {
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
	if l := cmp.Or(a.leak(false), a.stays()); l != nil && a.Leaks {
		f := &search.Finding{Kind: search.Leak, Path: l.Path, Threads: []int{l.Thread}, Lost: l.Thread}
		if l.Call >= 0 {
			f.Kind = search.Stuck
		}
		return f
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
// returns at once where it is the first one, none of the operation's ever do, or no later call can reach what
// it waits for.
func (a *alone) judge(l *search.Lost) judgement {
	op := a.list.Calls[l.Call].Op
	switch at := a.shared.Machine().Look(l.State, l.Thread, mine); {
	case at.Op == ir.Lock || at.Op == ir.RLock || at.Op == ir.WLock:
	case a.cancels(at.Op):
		return allowed
	case !a.specified() && l.Stranded:
		return wrong
	case !a.specified() && !a.returns(op):
	case a.specified() || l.Undecided || len(a.pkg.Skipped) > 0 || !a.seen[l.Call].First:
		return allowed
	}
	if l.Undecided || len(a.pkg.Skipped) > 0 {
		return undecided
	}
	return wrong
}

// cancels reports whether who waits at an instruction may wait for a context to be cancelled, which nobody does here.
func (a *alone) cancels(op ir.Op) bool {
	return a.pkg.Contexts && (op == ir.Recv || op == ir.Select)
}

// returns reports whether an operation ever returns.
func (a *alone) returns(op int) bool { return len(a.said[op]) > 0 }

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
		if len(a.pkg.Skipped) == 0 && a.returns(op) && !slices.ContainsFunc(a.said[op], func(n int32) bool { return !panics(n) }) {
			return a.said[op][0]
		}
	}
	return -1
}

// doubts says why nothing is known although nothing was found; "" if something is.
func (a *alone) doubts() string {
	for _, l := range a.graph.Lost() {
		if a.judge(&l) == undecided {
			unless := "more calls than were looked at"
			if len(a.pkg.Skipped) > 0 {
				unless = listed(a.pkg.Skipped) + ", which cannot be called (see the notes),"
			}
			return a.waits(&l) + ", unless " + unless + " let it go on"
		}
	}
	if l := a.leak(true); l != nil && a.Leaks {
		return a.leaks(l) + unlessMore
	}
	const nothing = "nothing that could be wrong was run: "
	switch skipped := strings.Join(a.pkg.Skipped, ", "); {
	case a.still(true) && a.refuses(), a.still(false) && !a.synchronizes():
		var all []string
		for op := range a.program.Ops {
			all = append(all, a.answers(op)...)
		}
		what := "no operation ever changes the object"
		if !a.still(false) {
			what = "only operations that say that they did nothing ever change the object"
		}
		return nothing + what + ", and each always answers the same (" + strings.Join(all, ", ") + "): make the object in another way (--new), or name another type (--type)"
	case skipped != "" && a.constant():
		return nothing + "each operation always answers the same, and " + skipped + " cannot be called (see the notes): write functions that are operations (//lin:op)"
	}
	return ""
}

// still reports whether no operation ever waits or changes the object; those that may answer this or that may
// change it if counting is set: they count what they refuse.
func (a *alone) still(counting bool) bool {
	for i, s := range a.seen {
		counts := counting && len(a.list.Methods[a.list.Calls[i].Op].Outcomes) > 1
		if s.Waits || !s.Returns || s.Changes && !counts {
			return false
		}
	}
	return true
}

// synchronizes reports whether the code has an instruction by which goroutines could do each other harm.
func (a *alone) synchronizes() bool {
	return slices.ContainsFunc(a.program.Funcs, func(f *ir.Func) bool {
		return f != nil && slices.ContainsFunc(f.Code, func(in ir.Instr) bool {
			return in.Mode == ir.Go || in.Op.Class() == ir.Sync
		})
	})
}

// constant reports whether each operation always answers the same, and none waits: to return too early is wrong, too.
func (a *alone) constant() bool {
	if slices.ContainsFunc(a.seen, func(s search.Seen) bool { return s.Waits }) {
		return false
	}
	for op := range a.program.Ops {
		if len(a.answers(op)) > 1 {
			return false
		}
	}
	return true
}

// refuses reports whether operations that may answer this or that, and there are some, always say that they
// did nothing: false, nil, an error.
func (a *alone) refuses() bool {
	some := false
	for op := range a.program.Ops {
		if len(a.list.Methods[op].Outcomes) < 2 {
			continue
		}
		some = true
		for _, n := range a.said[op] {
			r := a.shared.Result(n)
			switch outcome, _ := a.list.Answer(&r); outcome {
			case history.True, history.Some, history.None:
				return false
			}
		}
	}
	return some && a.constant()
}

// waiting lists what waits for ever without being a finding: a goroutine, an operation.
func (a *alone) waiting() (lines []string) {
	const leaks = ", and no calls that may follow let it go on; --leaks makes this a finding"
	switch l, may := a.leak(false), a.leak(true); {
	case l != nil:
		lines = append(lines, "goroutine leak: "+a.leaks(l)+leaks)
	case may != nil:
		lines = append(lines, "perhaps a goroutine leak: "+a.leaks(may)+unlessMore)
	}
	if l := a.stays(); l != nil {
		lines = append(lines, a.waits(l)+leaks)
	}
	return lines
}

// unlessMore is what keeps something from being certain.
const unlessMore = ", unless more calls than were looked at let it go on"

// leaks says where a goroutine waits.
func (a *alone) leaks(l *search.Lost) string {
	at := a.shared.Machine().Look(l.State, l.Thread, mine)
	return fmt.Sprintf("a goroutine waits forever%s at %s when no operation runs", waitsFor[at.Op], a.at(at.Pos))
}

// stays is an operation that waits for ever, and may be meant to; nil if there is none.
func (a *alone) stays() *search.Lost {
	for _, l := range a.graph.Lost() {
		at := a.shared.Machine().Look(l.State, l.Thread, mine)
		if !l.Undecided && a.judge(&l) == allowed && !a.specified() && len(a.pkg.Skipped) == 0 && !a.cancels(at.Op) {
			return &l
		}
	}
	return nil
}

// waits says where an operation does so.
func (a *alone) waits(l *search.Lost) string {
	at := a.shared.Machine().Look(l.State, l.Thread, mine)
	return fmt.Sprintf("%s waits forever%s at %s", a.pending(l.Call), waitsFor[at.Op], a.at(at.Pos))
}

// leak is a goroutine that can never go on, or, if undecided is set, that no calls let go on which were looked at; or nil.
func (a *alone) leak(undecided bool) *search.Lost {
	for _, l := range a.graph.Leaks() {
		if at := a.shared.Machine().Look(l.State, l.Thread, mine); l.Undecided == undecided && len(a.pkg.Skipped) == 0 && !a.cancels(at.Op) && !a.ticks(at.Pos) {
			return &l
		}
	}
	return nil
}

// ticks reports whether a place is that of a ticker, which the collector takes with what waits for it.
func (a *alone) ticks(pos int32) bool { return a.program.Positions[pos].File == "time/tick.go" }

// operations says in one line how many operations there are, and of how many little is known.
func (a *alone) operations() string {
	var still, same, never []string
	change := 0
	for op := range a.program.Ops {
		switch o := &a.program.Ops[op]; {
		case !a.returnsAlone(op):
			never = append(never, o.Method)
		case !a.changes(op):
			still = append(still, o.Method)
		default:
			change++
		}
		if texts := a.answers(op); len(texts) == 1 && len(a.program.Ops[op].Results) > 0 {
			same = append(same, texts[0])
		}
	}
	var parts []string
	part := func(names []string, one, more string) {
		if len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(names), map[bool]string{true: one, false: more}[len(names) == 1], few(names)))
		}
	}
	if change > 0 {
		parts = append(parts, fmt.Sprintf("%d %s it", change, map[bool]string{true: "changes", false: "change"}[change == 1]))
	}
	if a.graph.First() {
		part(still, "does not change it among the first calls", "do not change it among the first calls")
	} else {
		part(still, "never changes it", "never change it")
		part(same, "always answers the same", "always answer the same")
	}
	part(never, "never returns by itself", "never return by themselves")
	s := wording.Count(len(a.program.Ops), "operation")
	if len(parts) > 0 {
		s += ", of which " + strings.Join(parts, ", ")
	}
	if skipped := a.pkg.Skipped; len(skipped) > 0 {
		s += fmt.Sprintf("; %d skipped (%s)", len(skipped), few(skipped))
	}
	return s
}

// mostNamed is how many operations a line names.
const mostNamed = 8

// few lists names, the first ones of many.
func few(names []string) string {
	if more := len(names) - mostNamed; more > 1 {
		return strings.Join(names[:mostNamed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
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
		if text := a.worded(&r); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, text := range a.other[op] {
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// worded is an answer in words, without arguments.
func (p *problem) worded(r *machine.Result) string {
	l := history.Label{Kind: history.Kind{Method: p.program.Ops[r.Op].Method}}
	l.Outcome, l.Rets = p.list.Answer(r)
	return l.String()
}

// beside takes in what operations answered beside others.
func (a *alone) beside(p *problem) {
	a.other = map[int][]string{}
	for _, r := range p.shared.Results() {
		a.other[r.Op] = append(a.other[r.Op], p.worded(&r))
	}
}

// result is the result of what was found.
func (a *alone) result(r *Result) (_ *Result, err error) {
	r.Bounds, r.States, r.Alone = a.bounds, int64(a.graph.States()), []string{a.operations()}
	r.Verdict, r.Counterexample, err = a.counterexample(a.found)
	return r, err
}

// doubt adds to a result what was seen of the operations, and takes its verdict away where that rests on nothing.
func (a *alone) doubt(r *Result) *Result {
	if a.graph == nil {
		return r
	}
	r.Alone = append([]string{a.operations()}, a.waiting()...)
	if r.Verdict != Holds && r.Verdict != Proved {
		return r
	}
	if r.Why = a.doubts(); r.Why != "" {
		r.Verdict = Incomplete
	} else if a.constant() {
		r.Alone = append(r.Alone, "no answer can be wrong, as each operation always answers the same; races, deadlocks and panics were looked for")
	}
	return r
}
