package adttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/schedule"
)

// Run tests a concurrent type, as its Config says. It ends the test if it finds
// a history that the data type does not admit, a panic, or a Config that cannot
// be used; otherwise the test goes on. Tests that use it may run in parallel.
func Run(t testing.TB, c Config) {
	t.Helper()
	ctx := t.Context()
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok && bubbleOf() == nil {
		if end, ok := d.Deadline(); ok { // time for a report is left
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/5))
			defer cancel()
		}
	}
	h := hostOf(t, packageOf(testFunction()))
	s, skip := schedulerOf(t)
	if skip {
		return
	}
	if h.schedules = s; s == nil {
		text, ran, why := compiled(ctx, t, c, h)
		if why != nil {
			t.Log("adttest: rounds run freely only: " + why.Error())
		}
		if text != "" {
			t.Fatal(text)
		}
		h.halved = ran
	}
	r, f, err := hosted(ctx, c, h)
	if r != nil {
		for _, n := range r.notes {
			t.Log("adttest: " + n)
		}
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case f != nil:
		if to := os.Getenv(reportVariable); to != "" && s != nil {
			_ = os.WriteFile(to, []byte(f.String()), 0o600) // else the program's output has it
		}
		if to := os.Getenv(exploreVariable); to != "" && s != nil && f.exhaust != nil {
			_ = os.WriteFile(to, []byte(strings.Join(f.exhaust, "\n")), 0o600)
		}
		if r.host.bubbled && r.abandoned > 0 { // the bubble will panic, and the log be lost
			fmt.Fprintln(os.Stderr, f)
		}
		t.Fatal(f)
	}
	t.Log("adttest: " + r.result)
	t.Log("adttest: " + r.meaning())
	for _, w := range r.warnings {
		t.Log("adttest: " + w)
		if r.Warn == nil && !testing.Verbose() { // go test drops the log of a test that passes
			fmt.Fprintf(os.Stderr, "%s: adttest: %s\n", t.Name(), w)
		}
	}
}

// Find does what Run does, without a test: it returns the first failure, or nil
// if there is none. Errors are about the Config. Failures are saved in Config.Dir
// itself; one that cannot be saved says so.
func Find(ctx context.Context, c Config) (*Failure, error) {
	_, f, err := hosted(ctx, c, nobody("", ""))
	return f, err
}

func start(ctx context.Context, c Config, h host) (*run, *Failure, error) {
	env, err := readEnvironment(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	r, err := newRun(ctx, c, env, h)
	if err != nil {
		return nil, nil, err
	}
	f, err := r.all()
	r.attributes(f)
	if err != nil {
		return r, nil, fmt.Errorf("%w (seed %d)", err, r.Seed)
	}
	if f == nil && h.test != "" {
		r.result = r.summary()
	}
	return r, f, nil
}

// run is one call of Run.
type run struct {
	Config
	ctx     context.Context
	env     environment
	host    host
	subject *subject
	judge   *judge
	rng     *rand.Rand

	where sync.Once
	place string // where failures are saved

	generator *generator
	start     time.Time
	end       time.Time // of the budget
	notes     []string
	result    string // of a run that holds, in a line

	warnings []string // what a run that holds could not show

	disturbance disturbance

	scenarios, rounds, abandoned, stuckRounds, exitedRounds int
}

func newRun(ctx context.Context, c Config, env environment, h host) (*run, error) {
	c, err := c.withDefaults(env)
	if err != nil {
		return nil, err
	}
	if h.halved {
		c.Budget /= 2
	}
	var spec reference.Spec
	if c.Reference != nil {
		if spec, err = specOf(c.Reference); err != nil {
			return nil, err
		}
	}
	var in inferred
	if c.Theory != "" {
		in, err = given(&c)
	} else {
		in, err = infer(ctx, spec, h.say)
	}
	if err != nil {
		return nil, err
	}
	in.panics = c.Reference != nil && spec.Accept == nil
	s, err := newSubject(&c, in)
	if err != nil {
		return nil, err
	}
	for _, sc := range c.Scenarios {
		for _, calls := range append([][]Call{sc.Before, sc.After}, sc.Threads...) {
			if _, err := s.steps(calls); err != nil {
				return nil, err
			}
		}
	}
	var o *oracle
	if c.Reference != nil {
		if o, err = newOracle(spec, s); err != nil {
			return nil, err
		}
		s.machine.Usual(o.typeOf(s))
		err = s.relax(o.mayFail)
		if errors.As(err, new(*describe.Empty)) {
			err, in.none = nil, cmp.Or(in.none, err)
		}
		if err != nil {
			return nil, err
		}
		o.mayFail = s.theory.Spec.MayFail
	}
	j, err := newJudge(s, c.Engine, o)
	if err != nil {
		return nil, err
	}
	r := &run{Config: c, ctx: ctx, env: env, host: h, subject: s, judge: j,
		rng: rand.New(rand.NewPCG(c.Seed, 0)), notes: s.notes}
	if in.none != nil {
		if r.judge.words, err = o.checker(nil); err != nil {
			return nil, err
		}
		r.judge.engine = nil
		r.notes = append(r.notes, fmt.Sprintf("nothing describes the reference but itself, so every history is searched for on the reference itself (%v)", in.none))
	}
	return r, nil
}

// all does what the environment asks for, and otherwise runs scenarios until the
// first failure or the end of the budget.
func (r *run) all() (*Failure, error) {
	if r.env.replay != "" {
		return r.recheck(r.env.replay)
	}
	if r.env.seeded {
		if path := r.logPath(r.Seed); exists(path) {
			r.notes = append(r.notes, fmt.Sprintf("this seed failed before; %s is checked again and nothing is run; remove it to run the seed again", path))
			return r.recheck(path)
		}
	}
	if r.host.schedules == nil {
		acquireProcs()
		defer releaseProcs()
		defer r.disturbance.stop.Store(true)
		go r.disturbance.run(rand.New(rand.NewPCG(r.Seed, 1)))
	}

	r.generator = newGenerator(r.ctx, r.subject, &r.Config, rand.New(rand.NewPCG(r.Seed, 2))) // whatever else is random
	r.start = time.Now()
	r.end = r.start.Add(r.Budget)
	f, err := r.search()
	if f != nil && err == nil {
		f.found = fmt.Sprintf("found by seed %d in round %d, scenario %d, after %v; %s were tried", r.Seed, r.rounds, r.scenarios,
			time.Since(r.start).Round(time.Millisecond), wording.Count(r.judge.histories, "different history"))
		f.unsaved = r.save(f) // in case the test is stopped
		f, err = r.shrink(f)
	}
	if err == nil && f != nil {
		r.report(f)
	}
	if r.abandoned > 0 {
		r.notes = append(r.notes, r.abandonedNote())
	}
	if r.exitedRounds > 0 {
		r.notes = append(r.notes, fmt.Sprintf("in %s an operation ended its goroutine (runtime.Goexit); it counts as pending. Config.MustReturn makes it a failure", wording.Count(r.exitedRounds, "round")))
	}
	if err == nil && f == nil {
		err = r.unchecked()
	}
	return f, err
}

// search runs saved scenarios, those of the Config, and new ones.
func (r *run) search() (*Failure, error) {
	for _, sc := range append(r.saved(), r.Scenarios...) {
		r.scenarios++
		if f, err := r.try(sc, r.Repeat); f != nil || err != nil {
			return f, err
		}
	}
	g := r.generator
	for i := 0; ; i++ {
		if i > 0 && r.over() {
			return nil, nil
		}
		var sc Scenario
		repeat := r.Repeat
		if r.host.schedules != nil && !r.Fixed {
			repeat = min(repeat, luby(i+1)*schedule.Turns)
		}
		if r.Fixed {
			sc = r.Scenarios[i%len(r.Scenarios)]
		} else {
			const short, most = 5, 12 // so many rounds at a time, one history in so many, may leave the language
			if !g.beyond && g.risks() {
				g.strict = (r.judge.outside+short)*most > r.judge.histories
				if !g.strict {
					repeat = min(short, repeat)
				}
			}
			sc = g.next()
		}
		r.scenarios++
		if f, err := r.try(sc, repeat); f != nil || err != nil {
			return f, err
		}
	}
}

// maxAbandoned is when a run ends because it leaves too many goroutines behind.
const maxAbandoned = 500

// grace is how long a run goes on after its budget if it has checked nothing yet,
// as on a slow machine.
const grace = 10 * time.Second

func (r *run) over() bool {
	end := r.end
	if r.judge.unjudged() == r.judge.histories && !r.Fixed {
		end = end.Add(grace)
	}
	return time.Now().After(end) || r.ctx.Err() != nil || r.Rounds > 0 && r.rounds >= r.Rounds || r.abandoned >= maxAbandoned
}

// try runs a scenario some times and checks what it showed.
func (r *run) try(sc Scenario, repeat int) (*Failure, error) {
	if r.Rounds > 0 {
		repeat = max(1, min(repeat, r.Rounds-r.rounds))
	}
	if r.host.schedules == nil {
		return r.free(sc, repeat)
	}
	return r.under(sc, r.lines(repeat))
}

// free runs a scenario some times, as fast as it goes.
func (r *run) free(sc Scenario, repeat int) (*Failure, error) {
	level := []int32{0, 0, 2000, 20000}[r.rng.IntN(4)]
	if setProcs(r.rng) == 1 {
		level = 0 // the goroutine that stops the others is the only one that runs
	}
	r.disturbance.level.Store(level)
	b, err := newBatch(r.ctx, r.subject, sc, repeat, r.Stall, r.rng)
	if err != nil {
		return nil, err
	}
	if r.host.bubbled {
		b.watch(time.Millisecond)
	}
	var rounds []*history.Execution
	var stuck []string
	r.host.inside(func() { rounds, stuck, err = b.run() })
	if err != nil {
		return nil, fmt.Errorf("adttest: %w", err)
	}
	return r.checked(sc, b, rounds, stuck)
}

// checked judges what a batch showed.
func (r *run) checked(sc Scenario, b *batch, rounds []*history.Execution, stuck []string) (*Failure, error) {
	if b.left > 0 {
		r.abandoned += b.left
		r.stuckRounds++
	}
	r.judge.forget()
	for i, e := range rounds {
		r.rounds++
		v, err := r.judge.judge(r.ctx, e)
		switch {
		case err != nil:
			return nil, err
		case v == violates:
			return r.violation(sc, e, func(o *history.Operation) *fault { return b.panicOf(i, e, o) })
		case v == unjudged && b.crashed(i, e) != nil:
			return &Failure{Kind: Panic, Scenario: sc, original: sc.size(), Execution: e, fault: b.crashed(i, e)}, nil
		case v == disputed && r.Theory != "":
			return &Failure{Kind: Disagreement, Scenario: sc, original: sc.size(), Execution: e}, nil
		}
	}
	f := &Failure{Scenario: sc, original: sc.size(), Execution: last(rounds), fault: b.failed(), stuck: stuck}
	switch {
	case f.fault != nil && f.fault.err != nil:
		return nil, fmt.Errorf("adttest: %w", f.fault.err)
	case f.fault != nil && f.fault.exited:
		if r.exitedRounds++; r.MustReturn {
			f.Kind = Hang
			return f, nil
		}
	case f.fault != nil:
		f.Kind = Panic
		return f, nil
	case len(stuck) > 0 && r.MustReturn:
		f.Kind = Hang
		waits, err := r.judge.mayWait(r.ctx, f.Execution)
		if err != nil || waits {
			return nil, err
		}
		return f, nil
	}
	return nil, nil
}
