package adttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	judgement "github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/internal/printable"
	"github.com/adtinfer/adtinfer/reference"
)

// Run tests a concurrent type, as its Config says. It ends the test if it finds
// a history that the data type does not admit, a panic, or a Config that cannot
// be used; otherwise the test goes on. Tests that use it may run in parallel.
func Run(t testing.TB, c Config) {
	t.Helper()
	ctx := t.Context()
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := d.Deadline(); ok { // time for a report is left
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/5))
			defer cancel()
		}
	}
	r, f, err := start(ctx, c, t.Name(), packageOf(testFunction()))
	if r != nil {
		for _, n := range r.notes {
			t.Log("adttest: " + n)
		}
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case f != nil:
		t.Fatal(f)
	}
	t.Log("adttest: " + r.summary())
	for _, w := range r.warnings {
		t.Log("adttest: " + w)
		if r.Warn == nil && !testing.Verbose() { // go test drops the log of a test that passes
			fmt.Fprintf(os.Stderr, "%s: adttest: %s\n", t.Name(), w)
		}
	}
}

// Find does what Run does, without a test: it returns the first failure, or nil
// if there is none. Errors are about the Config, or a log that cannot be saved.
// Failures are saved in Config.Dir itself.
func Find(ctx context.Context, c Config) (*Failure, error) {
	_, f, err := start(ctx, c, "", "")
	return f, err
}

func start(ctx context.Context, c Config, test, pkg string) (*run, *Failure, error) {
	env, err := readEnvironment(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	r, err := newRun(ctx, c, env, test, pkg)
	if err != nil {
		return nil, nil, err
	}
	f, err := r.all()
	if err != nil {
		return r, nil, fmt.Errorf("%w (seed %d)", err, r.Seed)
	}
	return r, f, nil
}

// run is one call of Run.
type run struct {
	Config
	ctx     context.Context
	env     environment
	test    string // its name
	pkg     string // its import path
	subject *subject
	judge   *judge
	rng     *rand.Rand

	generator *generator
	start     time.Time
	end       time.Time // of the budget
	notes     []string

	warnings []string // what a run that holds could not show

	disturbance disturbance

	scenarios, rounds, abandoned, stuckRounds, exitedRounds int
}

func newRun(ctx context.Context, c Config, env environment, test, pkg string) (*run, error) {
	c, err := c.withDefaults(env)
	if err != nil {
		return nil, err
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
		in, err = infer(ctx, spec)
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
		err = s.relax(o.mayFail)
		if errors.As(err, new(*judgement.Empty)) {
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
	r := &run{Config: c, ctx: ctx, env: env, test: test, pkg: pkg, subject: s, judge: j,
		rng: rand.New(rand.NewPCG(c.Seed, 0)), notes: s.notes}
	if in.none != nil {
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
	acquireProcs()
	defer releaseProcs()
	defer r.disturbance.stop.Store(true)
	go r.disturbance.run(rand.New(rand.NewPCG(r.Seed, 1)))

	r.generator = newGenerator(r.ctx, r.subject, &r.Config, rand.New(rand.NewPCG(r.Seed, 2))) // whatever else is random
	r.start = time.Now()
	r.end = r.start.Add(r.Budget)
	f, err := r.search()
	if f != nil && err == nil {
		found := fmt.Sprintf("found by seed %d in round %d, scenario %d", r.Seed, r.rounds, r.scenarios)
		if f, err = r.shrink(f); f != nil {
			f.found = found
		}
	}
	if err == nil && f != nil {
		if err = r.save(f); err == nil {
			f.finish(r)
			err = f.saveWords()
		}
	}
	if r.abandoned > 0 {
		r.notes = append(r.notes, r.abandonedNote())
	}
	if r.exitedRounds > 0 {
		r.notes = append(r.notes, fmt.Sprintf("in %s an operation ended its goroutine (runtime.Goexit); it counts as pending. Config.MustReturn makes it a failure", printable.Count(r.exitedRounds, "round")))
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
		if r.Fixed {
			sc = r.Scenarios[i%len(r.Scenarios)]
		} else {
			const few, most = 5, 12 // so many rounds at a time, one history in so many, may leave the language
			if !g.beyond && g.risks() {
				g.strict = (r.judge.outside+few)*most > r.judge.histories
				if !g.strict {
					repeat = min(few, repeat)
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
	level := []int32{0, 0, 2000, 20000}[r.rng.IntN(4)]
	if setProcs(r.rng) == 1 {
		level = 0 // the goroutine that stops the others is the only one that runs
	}
	r.disturbance.level.Store(level)
	b, err := newBatch(r.ctx, r.subject, sc, repeat, r.Stall, r.rng)
	if err != nil {
		return nil, err
	}
	rounds, stuck, err := b.run()
	if err != nil {
		return nil, fmt.Errorf("adttest: %w", err)
	}
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

// summary is what was done, in one line.
func (r *run) summary() string {
	if r.env.replay != "" || r.start.IsZero() {
		return "the saved log holds: the data type admits it"
	}
	return fmt.Sprintf("%s holds: %s of %s, %d different histories, in %v (seed %d); %s%s", r.subject.theory.Name, printable.Count(r.rounds, "round"),
		printable.Count(r.scenarios, "scenario"), r.judge.histories, time.Since(r.start).Round(time.Millisecond), r.Seed, r.judge.coverage.Text(r.subject.kinds()), r.told())
}

// told says, with -v, how many wrong versions of the reference the calls distinguish
// from it; nothing if that cannot be found out.
func (r *run) told() string {
	if r.Reference == nil || !testing.Verbose() {
		return ""
	}
	spec, _ := specOf(r.Reference)
	impl, err := reference.New(spec)
	if err != nil {
		return ""
	}
	defer impl.Close()
	t, err := judgement.Tells(r.ctx, impl, r.judge.sample)
	if err != nil {
		return ""
	}
	return "; " + t.Text()
}

// unchecked warns of what the run could not show; it is an error if that is more
// than a tenth of what it saw.
func (r *run) unchecked() error {
	j := r.judge
	all, missing := j.histories, j.unjudged()
	switch {
	case all == 0 && r.ctx.Err() != nil:
		return fmt.Errorf("adttest: nothing was checked: %w", context.Cause(r.ctx))
	case all == 0:
		return fmt.Errorf("adttest: nothing was checked: no call was recorded in %s of %s; does the constructor return?", printable.Count(r.rounds, "round"), printable.Count(r.scenarios, "scenario"))
	case j.outside == all:
		return fmt.Errorf("adttest: no history was in the theory's language; give Config.Scenarios that are, or Config.Reference, which judges any. The first one: %w", j.breach)
	case missing*10 > all:
		return fmt.Errorf("adttest: too little was judged: %s", r.missing())
	case missing > 0:
		r.warn(r.missing())
	}
	if j.differs != nil {
		r.warn(j.differs.String() + "; the reference decided")
	}
	if j.coverage.Overlaps == 0 {
		r.warn("no two operations overlapped, so that nothing was tested but sequential behavior")
	}
	return nil
}

// missing says which histories were not judged, and what to do.
func (r *run) missing() string {
	j := r.judge
	s := fmt.Sprintf("%d of %d histories were not judged", j.unjudged(), j.histories)
	if j.outside > 0 {
		s += fmt.Sprintf("; %d are outside the theory's language: give Config.Reference, which judges any (the first one: %v)", j.outside, j.breach)
	}
	if j.undecided > 0 {
		s += fmt.Sprintf("; %d are inconclusive: let Config.Threads and Config.Calls be fewer (the first one: %s)", j.undecided, j.why)
	}
	return s
}

func (r *run) warn(text string) {
	text = printable.Line(text)
	r.warnings = append(r.warnings, text)
	if r.Warn != nil {
		r.Warn(text)
	}
}

func (r *run) abandonedNote() string {
	return fmt.Sprintf("in %s operations did not return within %v; they count as pending, and their goroutines (%d) were left behind. Config.Close can release them; Config.MustReturn makes it a failure",
		printable.Count(r.stuckRounds, "round"), r.Stall, r.abandoned)
}
