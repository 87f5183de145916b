package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
)

// counterexample makes the moves of a finding again, and says what they show.
func (p *problem) counterexample(f *search.Finding) (Verdict, *Counterexample, error) {
	moves := f.Path
	if f.Fault != nil && f.Fault.Kind == machine.Race && !f.Fault.Past && len(moves) > 0 {
		moves = moves[:len(moves)-1] // two steps race: neither is made
	}
	m := p.shared.Machine()
	events, err := m.Trace(append(moves[:len(moves):len(moves)], f.Cycle...))
	if err != nil {
		return "", nil, fmt.Errorf("explore: cannot replay the counterexample: %w", err)
	}
	verdict, err := p.verdict(f, events)
	if err != nil {
		return "", nil, err
	}
	c := &Counterexample{}
	noted, note := -1, ""
	var last []machine.Event
	switch {
	case verdict == Racy && !f.Fault.Past:
		last = p.racing(m, f.Fault, len(moves))
	case len(f.Threads) > 0:
		last = p.stuck(m, f.Threads, len(moves))
	}
	if c.What, noted, note, err = p.shows(verdict, f, events, last); err != nil {
		return "", nil, err
	}
	events = append(events, last...)
	for i := range events {
		if e := &events[i]; e.Func == "" {
			e.Func = p.function(e.Pos)
		}
	}
	c.Events = trace.Lines(events, p.words())
	if noted >= 0 {
		c.Events[len(trace.Lines(events[:noted+1], p.words()))-1].Text += note
	}
	if f.Kind == search.Livelock && len(f.Cycle) > 0 {
		c.mark(len(moves))
	}
	c.History = trace.Log(p.pkg.Name, events, p.words())
	c.Replay = (&trace.Record{
		Program: p.hash, Bounds: [3]int{p.bounds.Threads, p.bounds.Operations, p.bounds.Values},
		Written: p.shared.Written(), Kind: uint8(f.Kind), Lost: f.Lost, Cycle: len(f.Cycle), Moves: append(f.Path[:len(f.Path):len(f.Path)], f.Cycle...),
	}).String()
	c.NoTest = "gates can force a history, but this is a " + string(verdict)
	if verdict == Violated {
		var err error
		if c.Calls, err = p.compiledTest(events); err != nil {
			c.Calls = nil
		}
		if c.Test, err = p.goTest(events); err != nil {
			c.NoTest = err.Error()
		} else {
			c.NoTest = ""
		}
	}
	return verdict, c, nil
}

// shows says in one sentence what a run shows, and a note for one of its events, or -1; last is what is
// at its end.
func (p *problem) shows(verdict Verdict, f *search.Finding, events, last []machine.Event) (what string, noted int, note string, err error) {
	if f.Kind >= search.Stuck {
		return p.shown(f, events, last), -1, "", nil
	}
	switch verdict {
	case Violated:
		noted, note = p.fitting(events)
		return p.returned(events), noted, note, nil
	case WrongPolicy:
		return p.policyWrong(f, events, last)
	case Racy:
		what = fmt.Sprintf("data race: %s: %s and %s", f.Fault.Text, p.at(f.Fault.Pos), p.at(f.Fault.Also))
	case Deadlocked:
		what = "deadlock: " + p.waiting(last)
	case Livelocked:
		what = fmt.Sprintf("livelock: after step %d, goroutines may run forever, and the operations can no longer all return", f.Lost)
	default:
		what = fmt.Sprintf("%s: %s, at %s", f.Fault.Kind, f.Fault.Text, p.at(f.Fault.Pos))
	}
	return what, -1, "", nil
}

// mark says where the cycle of a livelock begins.
func (c *Counterexample) mark(step int) {
	for i := range c.Events {
		if c.Events[i].Step == step+1 {
			c.Events[i].Text += "   <- from here on, this repeats forever"
			return
		}
	}
}

// returned says which answer the history cannot explain.
func (p *problem) returned(events []machine.Event) string {
	calls := map[int]int32{}
	last, call := machine.Event{Answer: -1}, int32(-1)
	for _, e := range events {
		switch e.Kind {
		case machine.CallEvent:
			calls[e.Thread] = e.Call
		case machine.ReturnEvent:
			last, call = e, calls[e.Thread]
		}
	}
	if call < 0 {
		return "not linearizable"
	}
	s := fmt.Sprintf("not linearizable: %s of goroutine %d fits no order of the operations", p.label(call, last.Answer), last.Thread+1)
	if r := p.shared.Result(last.Answer); r.Panic != "" {
		s += fmt.Sprintf(" (it panics at %s: %s)", p.at(r.Pos), strings.TrimSpace(r.Panic))
	}
	return s
}

// waitsInstead is the note for a return where no answer would fit.
const waitsInstead = "   <- it would have to wait"

// mostFitting is how many answers are listed that would fit.
const mostFitting = 4

// fitting says which return fits no order, and which answers would have fitted; -1 if all fit.
func (p *problem) fitting(events []machine.Event) (at int, note string) {
	sets := p.newSets()
	set, calls := sets.Start(), map[int]int32{}
	for i, e := range events {
		var err error
		switch e.Kind {
		case machine.CallEvent:
			calls[e.Thread] = e.Call
			set, err = sets.Call(set, e.Thread, e.Call)
		case machine.ReturnEvent:
			var answer int32
			if answer, err = p.answer(e.Answer); err != nil {
				break
			}
			next, wrong := sets.Return(set, e.Thread, answer)
			if next == linear.None && wrong == nil {
				return i, p.instead(p.list.Labels[calls[e.Thread]], sets.Answers(set, e.Thread))
			}
			set, err = next, wrong
		}
		if err != nil {
			break
		}
	}
	return -1, ""
}

// instead lists a call with the answers that would fit, of those that it can give.
func (p *problem) instead(call history.Label, answers []int32) string {
	method := slices.IndexFunc(p.list.Methods, func(m history.MethodSig) bool { return m.Name == call.Method })
	var texts []string
	for _, n := range answers {
		a := p.answers.Answer(n)
		can := slices.ContainsFunc(p.list.Methods[method].Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == a.Outcome })
		switch {
		case !can && a.Outcome != history.Panic:
		case slices.ContainsFunc(a.Rets, spec.IsUnknown):
			return "   <- another value would fit" // which of them are known depends on what was explored
		default:
			call.Outcome, call.Rets = a.Outcome, a.Rets
			types := ""
			if n := len(a.Rets) - 1; n >= 0 && strings.HasPrefix(string(a.Rets[n]), spec.Types) {
				call.Rets = a.Rets[:n]
				if a.Outcome != history.Error { // whose text says enough
					types = " (" + strings.TrimSpace(string(a.Rets[n])[len(spec.Types):]) + ")"
				}
			}
			texts = append(texts, call.String()+types)
		}
	}
	slices.Sort(texts) // as numbers do
	if len(texts) > mostFitting {
		texts = append(texts[:mostFitting], "...")
	}
	if len(texts) == 0 {
		return waitsInstead
	}
	return "   <- " + strings.Join(texts, " or ") + " would fit"
}

// racing are the two accesses of a race.
func (p *problem) racing(m *machine.Machine, f *machine.Fault, step int) []machine.Event {
	all := make([]machine.Event, 2)
	for i, pos := range []int32{f.Pos, f.Also} {
		thread := f.Threads[min(i, len(f.Threads)-1)]
		at := m.Where(thread, mine)
		all[i] = machine.Event{Kind: machine.FaultEvent, Thread: at.Thread, Func: p.function(pos), Pos: pos, Text: f.Text, Step: step}
	}
	if all[0].Thread == all[1].Thread { // it stands for one that does the same
		all[1].Thread = (all[0].Thread + 1) % p.bounds.Threads
	}
	all[0].Text, all[1].Text = "races with the next one: "+f.Text, "at the same time"
	return all
}

// function is the name of the function that has an instruction at a position.
func (p *problem) function(pos int32) string {
	if pos <= 0 {
		return ""
	}
	for _, f := range p.program.Funcs {
		if f == nil {
			continue
		}
		for i := range f.Code {
			if f.Code[i].Pos == pos {
				return f.Name
			}
		}
	}
	return ""
}

// stuck says where goroutines wait.
func (p *problem) stuck(m *machine.Machine, threads []int, step int) (all []machine.Event) {
	for _, t := range threads {
		at := m.Where(t, mine)
		text := "waits forever" + waitsFor[at.Op]
		if at.Func == "" {
			text = "waits forever before its next call"
		}
		all = append(all, machine.Event{Kind: machine.FaultEvent, Thread: at.Thread, Func: at.Func, Pos: at.Pos, Text: text, Step: step})
	}
	return all
}

var waitsFor = map[ir.Op]string{
	ir.Lock: " for a lock", ir.RLock: " for a read lock", ir.WLock: " for a write lock", ir.CondWait: " for a signal",
	ir.WGWait: " for a wait group", ir.Send: " to send", ir.Recv: " to receive", ir.Select: " at select",
}

// waiting lists who waits where.
func (p *problem) waiting(events []machine.Event) string {
	var all []string
	for _, e := range events {
		s := fmt.Sprintf("goroutine %d %s", e.Thread+1, e.Text)
		if e.Pos > 0 {
			s += " at " + p.at(e.Pos)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
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
	if a.graph != nil {
		r.Alone = []string{a.operations()}
	}
	r.Verdict, r.Counterexample, err = p.counterexample(f)
	if err == nil && r.Verdict == WrongPolicy {
		err = p.decide(ctx, r)
	}
	return r, err
}

// meets is the operation of a finding that is none: it returns where it would have to wait by itself, as it does
// whenever no other operation runs. What it does alone says nothing of it.
func (a *alone) meets(p *problem, f *search.Finding) (op int, ok bool, err error) {
	if a.graph == nil || a.specified() || p.monitor != nil || f.Kind != search.NotLinearizable {
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
