package adttest

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

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

// The environment of a program that schedules: which call of Run in its test it is for, and a file for the failure's text.
// Without the first each call is.
const (
	callVariable   = "ADTTEST_CALL"
	reportVariable = "ADTTEST_REPORT"
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
		if report, err = schedule.ReadReport(text); err != nil {
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

// lines are the next schedules of a run.
func (r *run) lines(n int) (lines []string) {
	for range n {
		lines = append(lines, schedule.Turn(r.Seed, r.host.schedules.number))
		r.host.schedules.number++
	}
	return lines
}

// drawing runs the round of a failure again, and draws what the goroutines did; "" where it does not fail again.
func (r *run) drawing(f *Failure) string {
	if f.schedule == "" || r.host.schedules == nil || f.Execution == nil {
		return ""
	}
	b, err := newBatch(r.ctx, r.subject, f.Scenario, 1, r.Stall, r.rng)
	if err != nil {
		return ""
	}
	rounds, _, report, err := b.scheduled(r.host.schedules, []string{"record " + f.schedule})
	same := func(a, b history.Operation) bool {
		return a.Call == b.Call && a.Return == b.Return && a.Label.String() == b.Label.String()
	}
	if err != nil || len(rounds) == 0 || !slices.EqualFunc(rounds[0].Ops, f.Execution.Ops, same) {
		return ""
	}
	for i := range report.Steps {
		if s := &report.Steps[i]; s.Func == betweenName {
			s.File, s.Line, s.What = "", 0, "begins a call"
		}
	}
	return schedule.Draw(report.Steps)
}
