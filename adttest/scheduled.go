package adttest

import (
	"context"
	"fmt"
	"math/bits"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/schedule"
)

// Where the test program was built with a changed runtime (package schedule), rounds run under schedules of a chosen kind,
// one a round, in place of running freely with noise. All else is as in any run: the same scenarios, judge and explanation.

// scheduler is a test in such a program.
type scheduler interface {
	ADTInferSchedule(line string, f func()) (report string)
	ADTInferGates()
	ADTInferHosted() bool
}

// schedules are the schedules of a run.
type schedules struct {
	test   scheduler
	number int
}

// The environment of a program that schedules: which call of Run in its test it is for (without it each is), a file for the
// failure's text, and one for the words of the command that explores the failure's bounds, a line each.
const (
	callVariable    = "ADTTEST_CALL"
	reportVariable  = "ADTTEST_REPORT"
	exploreVariable = schedule.ExploreVariable
)

// schedulerOf returns the test as a scheduler, or nil where the program is an ordinary one. It reports whether this call of
// Run is one that another process is for.
func schedulerOf(t testing.TB) (s *schedules, skip bool) {
	x, ok := t.(scheduler)
	if !ok || !x.ADTInferHosted() {
		return nil, false
	}
	call := callOf(t)
	want, err := strconv.Atoi(os.Getenv(callVariable))
	return &schedules{test: x}, err == nil && want != call
}

// calls counts the calls of Run in each test.
var calls struct {
	sync.Mutex
	of map[string]int
}

// callOf is which call of Run in a test this is, from 0.
func callOf(t testing.TB) int {
	calls.Lock()
	defer calls.Unlock()
	if calls.of == nil {
		calls.of = map[string]int{}
	}
	calls.of[t.Name()]++
	return calls.of[t.Name()] - 1
}

// betweenName is the function between, the one of this package that has a gate in package schedule.
var betweenName = runtime.FuncForPC(reflect.ValueOf(between).Pointer()).Name()

// between is where another goroutine may go on although no operation runs.
//
//go:noinline
func between() bool { return gate.Load() }

var gate atomic.Bool

// scheduled runs rounds, each under the schedule of a line, and with goroutines of its own. Where a round is cut off at the
// limit of steps, or its operations wait for each other, it is the last one.
func (b *batch) scheduled(s *schedules, lines []string) (rounds []*history.Execution, stuck []string, report *schedule.Report, err error) {
	b.tick.Stop()
	b.noise, b.gates = noise{}, s.test
	for i, line := range lines {
		over := false
		text := s.test.ADTInferSchedule(line, func() { over = b.underSchedule(i) })
		if report, err = schedule.ReadReport(line, text); err != nil {
			b.over.Store(true)
			return nil, nil, nil, err
		}
		if report.Kind == "steps" || report.Kind == "deadlock" {
			b.over.Store(true)
			if report.Kind == "deadlock" {
				stuck = b.stuckWorkers()
			}
			over = true
		}
		if over || b.failed() != nil {
			break
		}
	}
	rounds, stuck, err = b.ended(stuck)
	return rounds, stuck, report, err
}

// underSchedule is what happens under one schedule: a round. It reports whether it is the last one.
func (b *batch) underSchedule(round int) (over bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.ctx = ctx
	b.barrier.inBubble()
	var wg sync.WaitGroup
	var ends atomic.Bool
	for i, w := range b.workers {
		w.round = round
		w.ended.Store(false)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer w.ended.Store(true)
			if !w.once(i == 0) {
				ends.Store(true)
			}
		}()
	}
	wg.Wait()
	return ends.Load()
}

// luby is an element, from 1, of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8...: how many schedules a scenario gets. Whether it can
// fail, and how many it would need, nobody knows; with these numbers the loss is at most a logarithmic factor (Luby, Sinclair,
// Zuckerman: Optimal speedup of Las Vegas algorithms, IPL 1993).
func luby(i int) int {
	k := bits.Len(uint(i))
	if i == 1<<k-1 {
		return 1 << (k - 1)
	}
	return luby(i - (1<<(k-1) - 1))
}

// lines are the next schedules of a run.
func (r *run) lines(n int) (lines []string) {
	for range n {
		lines = append(lines, schedule.Turn(r.Seed, r.host.schedules.number))
		r.host.schedules.number++
	}
	return lines
}

// under runs a scenario under schedules, a round each.
func (r *run) under(sc Scenario, lines []string) (*Failure, error) {
	b, err := newBatch(r.ctx, r.subject, sc, len(lines), r.Stall, r.rng)
	if err != nil {
		return nil, err
	}
	rounds, stuck, _, err := b.scheduled(r.host.schedules, lines)
	if err != nil {
		return nil, fmt.Errorf("adttest: %w", err)
	}
	before := r.rounds
	f, err := r.checked(sc, b, rounds, stuck)
	if f != nil {
		f.schedule = lines[min(max(r.rounds-before, 1), len(lines))-1]
	}
	return f, err
}

// fewer leaves switches out of the schedule of a failure while the scenario still fails in the same way: what is left is what
// the failure needs.
func (r *run) fewer(f *Failure) (*Failure, error) {
	if f.schedule == "" || r.host.schedules == nil || f.Kind == Hang {
		return f, nil
	}
	_, report, err := r.recorded(f)
	if err != nil || report == nil {
		return f, nil
	}
	end := time.Now().Add(min(r.Shrink, patient))
	for tries := schedule.Fewer(report.Listed); len(tries) > 0 && time.Now().Before(end) && r.ctx.Err() == nil; {
		n := min(len(tries), fewRounds)
		g, err := r.under(f.Scenario, tries[:n])
		if err != nil {
			return nil, err
		}
		if tries = tries[n:]; g != nil && g.Kind == f.Kind {
			f, tries = g, schedule.Fewer(g.schedule)
		}
	}
	return f, nil
}

// recorded runs the round of a failure again, and returns its history and what happened; nil where that did not work.
func (r *run) recorded(f *Failure) (*history.Execution, *schedule.Report, error) {
	b, err := newBatch(r.ctx, r.subject, f.Scenario, 1, r.Stall, r.rng)
	if err != nil {
		return nil, nil, err
	}
	rounds, _, report, err := b.scheduled(r.host.schedules, []string{schedule.Recorded(f.schedule)})
	if err != nil || len(rounds) == 0 {
		return nil, nil, err
	}
	return rounds[0], report, nil
}

// drawing runs the round of a failure again, and draws what the goroutines did; "" where it does not fail again.
func (r *run) drawing(f *Failure) string {
	if f.schedule == "" || r.host.schedules == nil || f.Execution == nil {
		return ""
	}
	again, report, err := r.recorded(f)
	same := func(a, b history.Operation) bool {
		return a.Call == b.Call && a.Return == b.Return && a.Label.String() == b.Label.String()
	}
	if err != nil || report == nil || !slices.EqualFunc(again.Ops, f.Execution.Ops, same) {
		return ""
	}
	return schedule.Draw(f.Scenario.named(report.Steps))
}

// named are the steps of a round with the calls of its scenario in place of the gates before them. The first goroutine is the
// one that starts the others and waits for them: it has no lane, so that goroutine n is thread n.
func (s Scenario) named(steps []schedule.Step) (all []schedule.Step) {
	next := map[int]int{}
	for _, x := range steps {
		x.Goroutine--
		if x.Started > 0 {
			x.Started--
		}
		if x.Goroutine < 1 {
			continue
		}
		if x.Func == betweenName {
			x.File, x.Line, x.What = "", 0, "begins a call"
			if calls := s.callsOf(x.Goroutine - 1); next[x.Goroutine] < len(calls) {
				x.What = "calls " + calls[next[x.Goroutine]].String()
			}
			next[x.Goroutine]++
		}
		all = append(all, x)
	}
	return all
}

// callsOf are the calls of a thread from where schedules begin: the first one makes those after the others, too.
func (s Scenario) callsOf(thread int) []Call {
	switch {
	case thread == 0 && len(s.Threads) == 0:
		return s.After
	case thread == 0:
		return slices.Concat(s.Threads[0], s.After)
	case thread < len(s.Threads):
		return s.Threads[thread]
	}
	return nil
}
