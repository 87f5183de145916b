package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/guided"
	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Who imports this package has failures of adttest explained by an interleaving.
func init() { engine.Explorer = interleavingOf }

// interleavingOf searches an interleaving with the history of a question. If nobody says what makes the object, and with the
// type's own constructor there is none, others may.
func interleavingOf(ctx context.Context, q engine.Question) (engine.Answer, error) {
	a, l, err := interleavingWith(ctx, q)
	if err != nil || a.Why == "" || l == nil || q.New != "" {
		return a, err
	}
	for _, name := range l.pkg.Constructors() {
		other := q
		other.New = name + "()"
		if b, _, err := interleavingWith(ctx, other); err == nil && b.Why == "" {
			b.Notes = append(b.Notes, "the object there is what "+other.New+" makes")
			return b, nil
		}
	}
	return a, nil
}

// interleavingWith is interleavingOf with one constructor; without the package if it cannot be explored.
func interleavingWith(ctx context.Context, q engine.Question) (engine.Answer, *loaded, error) {
	l, err := load(ctx, &Options{Dir: q.Dir, Type: q.Type, New: q.New, recorded: true})
	var no *Refused
	switch {
	case errors.As(err, &no):
		return engine.Answer{Why: "the package cannot be explored: " + refusedBecause(no)}, nil, nil
	case err != nil && ctx.Err() != nil:
		return engine.Answer{Why: "time ran out before the package was loaded (Config.Shrink is the limit)"}, nil, nil
	case err != nil:
		return engine.Answer{}, nil, err
	}
	asked, err := l.asked(q)
	if err != nil {
		return engine.Answer{Why: err.Error()}, nil, nil
	}
	a, err := l.answer(ctx, asked, q)
	return a, l, err
}

// refusedBecause is the first reason of a refusal in a clause.
func refusedBecause(r *Refused) string {
	if more := len(r.Reasons) - 1; more > 0 {
		return fmt.Sprintf("%s, and %s", r.Reasons[0], wording.Count(more, "more reason"))
	}
	return r.Reasons[0]
}

// asked is the question as a scenario without moves.
func (l *loaded) asked(q engine.Question) (*trace.Scenario, error) {
	s := &trace.Scenario{Stuck: q.Stuck, Plans: make([][]int, len(q.Processes))}
	at := make([]int, q.Execution.Events) // by event: 2*operation, and one more for a return; -1: none
	for i := range at {
		at[i] = -1
	}
	for i := range q.Execution.Ops {
		o := &q.Execution.Ops[i]
		if at[o.Call] = 2 * i; o.Completed() {
			at[o.Return] = 2*i + 1
		}
	}
	for _, e := range at {
		if e < 0 {
			return nil, errors.New("the history has an event without an operation")
		}
		o := &q.Execution.Ops[e/2]
		t := slices.Index(q.Processes, o.Process)
		if t < 0 {
			return nil, fmt.Errorf("%s is of %s, which is not a goroutine of the scenario", o.Label, o.Process)
		}
		if s.Events = append(s.Events, 2*t+e%2); e%2 == 1 {
			s.Answers = append(s.Answers, trace.ScenarioAnswer{Outcome: o.Outcome, Rets: o.Rets})
			continue
		}
		goName := q.Operations[o.Method]
		op := slices.IndexFunc(l.program.Ops, func(x ir.Operation) bool { return x.GoName == goName || strings.HasSuffix(x.GoName, "."+goName) })
		if op < 0 || goName == "" {
			return nil, fmt.Errorf("%s is not an operation of %s that can be explored", orElse(goName, o.Method), l.pkg.Type)
		}
		s.Plans[t] = append(s.Plans[t], len(s.Calls))
		s.Calls = append(s.Calls, trace.ScenarioCall{Op: op, Method: o.Method, Args: o.Args})
	}
	return s, nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// find searches: with steps as large as they may be, and then, if there is a data race, with each access
// to memory as a step. If nothing has the history and is stuck, anything that has it will do.
func (l *loaded) find(ctx context.Context, asked *trace.Scenario) (*scenario, *guided.Found, error) {
	for {
		s, err := l.scenario(ctx, asked)
		if err != nil {
			return nil, nil, err
		}
		found, err := s.search(ctx)
		switch {
		case err != nil:
			return nil, nil, err
		case !found.Exists && found.Race != nil && !asked.NoFusion && ctx.Err() == nil:
			asked.NoFusion = true
		case !found.Exists && found.Complete && asked.Stuck:
			asked.Stuck, asked.NoFusion = false, false
		default:
			asked.Program, asked.Moves, asked.Written = s.hash, found.Moves, s.shared.Written()
			return s, found, nil
		}
	}
}

// answer is an interleaving, or why there is none.
func (l *loaded) answer(ctx context.Context, asked *trace.Scenario, q engine.Question) (a engine.Answer, err error) {
	s, found, err := l.find(ctx, asked)
	var fault *machine.Fault
	switch {
	case err != nil && ctx.Err() != nil:
		return engine.Answer{Why: "time ran out before the search began"}, nil
	case errors.As(err, &fault) && fault.Kind == machine.NotCovered && !fault.Limit:
		return engine.Answer{Why: "the package cannot be explored: " + l.uncovered(fault)}, nil
	case err != nil:
		return engine.Answer{Why: err.Error()}, nil
	case !found.Exists:
		return engine.Answer{Why: s.without(found)}, nil
	}
	lines, _, err := s.drawn()
	if err != nil {
		return a, err
	}
	if q.Sequential {
		a.Notes = append(a.Notes, fmt.Sprintf("goroutine %d makes the calls before and after the others", len(asked.Plans)))
	}
	if r := found.Race; r != nil {
		a.Notes = append(a.Notes, fmt.Sprintf("the code has a data race: %s: %s and %s", r.Text, s.at(r.Pos), s.at(r.Also)))
	}
	a.Drawing, a.Replay = trace.Draw(lines), asked.String()
	a.Command = []string{"adtinfer", "explore", "--impl", q.Dir}
	switch {
	case q.New != "":
		a.Command = append(a.Command, "--new", q.New)
	case q.Type != "":
		a.Command = append(a.Command, "--type", q.Type)
	}
	a.Command = append(a.Command, "--replay", a.Replay)
	return a, nil
}

// scenario is a program that makes the calls of a recorded history.
type scenario struct {
	*loaded
	record  *trace.Scenario
	program *ir.Program
	list    *spec.List
	hash    trace.Hash
	shared  *machine.Shared
	plans   [][]int32
	history guided.History
	answers [][]trace.ScenarioAnswer // by goroutine and operation
}

// scenario prepares a scenario. The error says in a clause why there is none.
func (l *loaded) scenario(ctx context.Context, r *trace.Scenario) (*scenario, error) {
	s := &scenario{loaded: l, record: r, program: copied(l.program), plans: make([][]int32, len(r.Plans)), answers: make([][]trace.ScenarioAnswer, len(r.Plans))}
	var exact []spec.Exact
	for _, c := range r.Calls {
		exact = append(exact, spec.Exact(c))
	}
	var err error
	if s.list, err = spec.Exactly(s.program, exact); err != nil {
		return nil, err
	}
	for i, plan := range r.Plans {
		for _, c := range plan {
			s.plans[i] = append(s.plans[i], int32(c))
		}
	}
	returns := 0
	for _, e := range r.Events {
		s.history = append(s.history, guided.Event{Thread: e / 2, Return: e%2 == 1})
		if e%2 == 1 && returns < len(r.Answers) {
			s.answers[e/2] = append(s.answers[e/2], r.Answers[returns])
			returns++
		}
	}
	if err := s.history.Check(s.plans, len(r.Answers)); err != nil {
		return nil, err
	}
	s.hash = trace.HashOf(s.program, s.list.Calls)
	bounds := machine.Bounds{Threads: len(s.plans), Calls: s.list.Calls, Plans: s.plans}
	s.shared, err = machine.New(ctx, s.program, bounds, machine.Options{NoFusion: r.NoFusion, NoSymmetry: true})
	if err != nil {
		return nil, fmt.Errorf("cannot create the object: %w", err)
	}
	return s, nil
}

func (s *scenario) search(ctx context.Context) (*guided.Found, error) {
	return guided.Search(ctx, guided.Problem{
		Threads: len(s.plans),
		Start:   s.shared.Start,
		Machine: func() guided.Machine { return s.shared.Machine() },
		Again:   s.shared.Again,
		History: s.history,
		Fits:    s.fits,
		Stuck:   s.record.Stuck,
		Memory:  memory.Machine() / 4,
	})
}

// fits reports whether an operation answered as it is recorded.
func (s *scenario) fits(thread, nth int, answer int32) bool {
	r := s.shared.Result(answer)
	outcome, rets := s.list.Answer(&r)
	want := &s.answers[thread][nth]
	return outcome == want.Outcome && slices.Equal(rets, want.Rets)
}

// without says why there is no interleaving.
func (s *scenario) without(f *guided.Found) string {
	why := fmt.Sprintf("no explored interleaving has this history (all %s were explored); time, the garbage collector and memory that is not sequentially consistent are not modelled", states(int64(f.States)))
	if !f.Complete {
		limit := "time"
		if errors.Is(f.Why, guided.ErrMemory) {
			limit = "memory"
		}
		why = fmt.Sprintf("none was found in %s before %s ran out", states(int64(f.States)), limit)
	}
	if f.Fault != nil {
		why += fmt.Sprintf("; some end at %s: %s", s.at(f.Fault.Pos), f.Fault.Text)
	}
	return why
}

func (s *scenario) at(pos int32) string { return placeOf(s.program, pos) }

// drawn is the run for readers, and its history: exactly the recorded one.
func (s *scenario) drawn() ([]trace.Line, *history.Execution, error) {
	run, err := s.shared.Machine().Trace(s.record.Moves)
	if err != nil {
		return nil, nil, errNothing
	}
	events, err := guided.Place(run, s.history, s.plans)
	if err != nil {
		return nil, nil, errNothing
	}
	nth := make([]int, len(s.plans))
	for _, e := range events {
		if e.Kind == machine.ReturnEvent && e.Thread < len(nth) {
			if !s.fits(e.Thread, nth[e.Thread], e.Answer) {
				return nil, nil, errNothing
			}
			nth[e.Thread]++
		}
	}
	words := trace.Words{Label: s.label, Positions: s.program.Positions}
	return trace.Lines(events, words), trace.Log(s.pkg.Name, events, words), nil
}

// label is a call with its answer; with answer -1 it is pending.
func (s *scenario) label(call, answer int32) history.Label {
	l := s.list.Labels[call]
	if answer >= 0 {
		r := s.shared.Result(answer)
		l.Outcome, l.Rets = s.list.Answer(&r)
	}
	return l
}

// replayScenario repeats a run with a recorded history.
func replayScenario(ctx context.Context, o Options, replay string) (*Result, error) {
	record, err := trace.ParseScenario(replay)
	if err != nil {
		return nil, refused(o.Dir, err)
	}
	o.Policy, o.recorded = false, true
	l, err := load(ctx, &o)
	if err != nil {
		return nil, err
	}
	return l.again(ctx, record)
}

// again repeats a run with a recorded history.
func (l *loaded) again(ctx context.Context, record *trace.Scenario) (*Result, error) {
	s, err := l.scenario(ctx, record)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || s.hash != record.Program:
		return nil, refused(l.pkg.Path, errOtherProgram)
	}
	if err := s.shared.Assume(record.Written); err != nil {
		return nil, refused(l.pkg.Path, err)
	}
	lines, log, err := s.drawn()
	if err != nil {
		return nil, refused(l.pkg.Path, err)
	}
	r := l.result()
	r.Verdict, r.recorded, r.Against = Violated, true, "a history that a test recorded"
	r.Bounds.Threads = len(s.plans)
	for _, p := range s.plans {
		r.Bounds.Operations = max(r.Bounds.Operations, len(p))
	}
	r.Counterexample = &Counterexample{
		What: "an interleaving with the history that a test recorded", Events: lines, History: log, Replay: record.String(),
		NoTest: "gates force runs that were found by exploring, but this history was recorded by a test",
	}
	return r, nil
}
