package schedule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// A Verdict is what was found of one test.
type Verdict string

const (
	Passed    Verdict = "passed"    // no schedule tried failed
	Failed    Verdict = "failed"    // the test said so, with t.Error and the like
	Panicked  Verdict = "panicked"  // or a fatal error of the runtime
	Deadlock  Verdict = "deadlock"  // all goroutines wait for each other
	Race      Verdict = "race"      // a data race, seen by the race detector
	Leak      Verdict = "leak"      // goroutines are blocked for ever after the test's end
	Undecided Verdict = "undecided" // Why says what kept it from being decided
)

// Failing reports whether a verdict is one of a test that can fail.
func (v Verdict) Failing() bool { return v != Passed && v != Undecided }

// A Budget bounds the search in one test. Without a time the outcome does not depend on how fast the machine is.
type Budget struct {
	Schedules int           // at most; 0: 1,000
	Time      time.Duration // at most; 0: no limit
	Steps     int           // of one schedule; 0: 100,000
	Seed      uint64        // schedules differ by seed
	Leaks     bool          // goroutines that are blocked at the end are failures
	Sub       string        // only subtests whose names match, as what stands after the slash of -test.run; "": all
	Args      []string      // of the test program
}

// A Result is what was found of one test.
type Result struct {
	Package, Test string
	Verdict       Verdict
	Why           string // of undecided tests: a clause
	Schedules     int    // how many ran
	Limited       int    // how many of them reached the limit of steps, and say nothing
	Alone         bool   // most of them ran in a process of their own, since the test leaves something behind that makes it fail
	Lone          bool   // one goroutine runs at a time, whatever the schedule: more schedules would be the same
	Own           bool   // the test makes its schedules itself, so that none is counted
	Elapsed       time.Duration
	Failure       *Failure // of failing tests
}

// A Failure is a schedule in which a test fails.
type Failure struct {
	Number   int    // of the first schedule that failed, from 1; 0: a replay
	Message  string // one line: what the test, the runtime or the race detector said
	Output   string // of the test and the program
	Replay   string // makes the schedule again; "" where it could not be made again
	Switches int    // where the schedule differs from the default order
	Free     bool   // it fails without schedules, too
	Steps    []Step
	Explore  []string // of tests that make their schedules themselves: the command that explores its bounds, or nil
}

// Tests lists the tests of a program whose names match.
func (p *Program) Tests(ctx context.Context, match string) ([]string, error) {
	if match == "" {
		match = "."
	}
	out, err := output(ctx, p.Dir, p.binary, "-test.list", match)
	if foreign(err) {
		return nil, fmt.Errorf("the tests of %s are built for %s (GOOS and GOARCH), whose programs this machine does not run", p.Package, p.machine)
	}
	if err != nil {
		return nil, err
	}
	var tests []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Test") {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

const (
	manySchedules = 1000
	manySteps     = 100_000
	manyAlone     = 100 // schedules in processes of their own: each takes milliseconds
	silence       = 10 * time.Second
	longHosted    = 5 * time.Minute
)

// Run runs a test under schedules until one fails or the budget is used up. A failure is made again in a new process,
// and with fewer switches where that fails, too.
func (p *Program) Run(ctx context.Context, test string, b Budget) (*Result, error) {
	if b.Schedules <= 0 {
		b.Schedules = manySchedules
	}
	if b.Steps <= 0 {
		b.Steps = manySteps
	}
	s := &search{p: p, b: b, start: time.Now(), result: &Result{Package: p.Package, Test: test, Verdict: Passed}}
	err := s.all(ctx)
	s.result.Elapsed = time.Since(s.start)
	return s.result, err
}

type search struct {
	p       *Program
	b       Budget
	start   time.Time
	result  *Result
	limited map[kind]int // schedules that reached the limit of steps
	many    bool         // one of them left a choice
}

func (s *search) job(runs []run) *job {
	return &job{test: s.result.Test, runs: runs, steps: uint64(s.b.Steps), quiet: silence, leaks: s.b.Leaks, sub: s.b.Sub, args: s.b.Args}
}

// left returns the time that is left, and reports whether there is some.
func (s *search) left() (time.Duration, bool) {
	if s.b.Time <= 0 {
		return 0, true
	}
	d := s.b.Time - time.Since(s.start)
	return d, d > 0
}

// all makes processes, each of which goes through the schedules that are left, until it fails.
func (s *search) all(ctx context.Context) error {
	s.limited = map[kind]int{}
	for number := 0; number < s.b.Schedules; {
		left, some := s.left()
		if !some {
			break
		}
		runs, numbers := s.next(number)
		if len(runs) == 0 {
			break
		}
		j := s.job(runs)
		j.time = left
		said, err := s.p.do(ctx, j)
		if err != nil {
			return err
		}
		done := min(said.number, len(runs))
		s.result.Schedules += done
		if verdictOf(said) == Passed && !said.silent {
			if !said.done {
				return s.undecided("the test program ended in the middle of a schedule, and did not say why: %s", said.exit)
			}
			if said.uncontrolled && s.result.Why == "" {
				s.result.Why = "a goroutine waited for what schedules do not control: " + outsideWait(said.waited)
			}
			s.result.Lone = said.lone && !s.many && s.result.Why == ""
			if number = numbers[done-1] + 1; s.result.Lone || s.b.Time > 0 && done < len(runs) {
				break // nothing else to see, or no time left
			}
			continue
		}
		number = numbers[max(done, 1)-1] + 1
		if over, err := s.judge(ctx, said, runs[:max(done, 1)]); over || err != nil {
			return err
		}
	}
	if s.result.Why != "" {
		s.result.Verdict = Undecided
	}
	return s.limits()
}

// limits is about the limit of steps: where no schedule stayed below it, nothing is known.
func (s *search) limits() error {
	if s.result.Limited > 0 && s.result.Limited == s.result.Schedules {
		return s.undecided("each schedule reached the limit of %s steps", wording.Number(s.b.Steps))
	}
	return nil
}

// next returns the schedules from a number on, without kinds that only reach the limit of steps.
func (s *search) next(number int) (runs []run, numbers []int) {
	for ; number < s.b.Schedules; number++ {
		r := rotation(s.b.Seed, number, s.p.Race)
		if s.limited[r.kind()] >= 2 {
			continue
		}
		runs, numbers = append(runs, r), append(numbers, number)
		if s.result.Alone {
			break
		}
	}
	return runs, numbers
}

// judge looks into a report that ended a process, and reports whether the search is over. The runs are those made.
func (s *search) judge(ctx context.Context, said *said, runs []run) (over bool, err error) {
	last := runs[len(runs)-1]
	switch {
	case said.kind == "steps":
		s.result.Limited++
		s.limited[last.kind()]++
		s.many = s.many || !said.lone
		s.result.Lone = !s.many && s.result.Limited < s.result.Schedules
		if s.many {
			return false, nil
		}
		return true, s.limits()
	case said.silent:
		return true, s.undecided("a schedule did not end in %v: %s", silence, waits(said))
	case said.kind == "own":
		return true, s.own(ctx)
	case said.kind == "crowded":
		return true, s.undecided("it starts more goroutines than schedules can hold")
	case said.kind == "threads":
		return true, s.undecided("its goroutines wait for ever, or for a thread of C that calls back: schedules control goroutines alone")
	case said.kind == "deadlock" && outside(said.message) != "":
		return true, s.undecided("its goroutines wait for ever, or for one that was started before the test and waits at %s: schedules control what a test starts", outside(said.message))
	case said.kind == "refused":
		return true, s.undecided("%s", said.message)
	}
	if last.length == 0 {
		last.length = said.length
	}
	if done, err := s.always(ctx, said, runs); done || err != nil {
		return true, err
	}
	again, err := s.p.do(ctx, s.job([]run{last}))
	if err != nil {
		return true, err
	}
	if verdictOf(again) == verdictOf(said) {
		s.result.Verdict = verdictOf(said)
		s.result.Failure, err = s.shrunk(ctx, last, again)
		return true, err
	}
	if said.uncontrolled {
		return true, s.undecided("it failed once (%s), and a goroutine waited for what schedules do not control: %s", firstLine(failure(said, 1).Message), outsideWait(said.waited))
	}
	if s.result.Alone {
		s.result.Verdict = verdictOf(said)
		s.result.Failure = failure(said, s.result.Schedules)
		return true, nil
	}
	s.result.Alone = true // what earlier schedules left behind made it fail, or nothing that can be made again
	s.b.Schedules = min(s.b.Schedules, s.result.Schedules+manyAlone)
	s.result.Schedules--
	return false, nil
}

// always reports whether the search is over because a test fails in every schedule: without schedules, too, or only in them.
func (s *search) always(ctx context.Context, said *said, runs []run) (bool, error) {
	if len(runs) > 1 || s.result.Schedules > 1 || verdictOf(said) == Leak || misuse.MatchString(panicked(said.stderr)) {
		return false, nil
	}
	const others = 20
	for i := 1; i <= others; i++ {
		other, err := s.p.do(ctx, s.job([]run{rotation(s.b.Seed, i, s.p.Race)}))
		if err != nil {
			return true, err
		}
		if verdictOf(other) != verdictOf(said) {
			return false, nil
		}
	}
	ok := true
	until := time.Now().Add(5 * time.Second)
	for i := 0; ok && i < 20 && time.Now().Before(until); i++ {
		args := s.b.Args
		if i%2 == 1 {
			args = slices.Concat([]string{"-test.cpu=1"}, args) // other orders are common then
		}
		var err error
		if ok, err = s.p.free(ctx, s.result.Test, s.b.Sub, args); err != nil {
			return true, err
		}
	}
	f := failure(said, 1)
	if ok {
		return true, s.undecided("it fails in all of %d schedules, and passes without them: it needs real time, or something else that they lack (%s)", others+1, firstLine(f.Message))
	}
	f.Free = true
	s.result.Verdict, s.result.Failure = verdictOf(said), f
	return true, nil
}

func (s *search) undecided(format string, args ...any) error {
	s.result.Verdict, s.result.Why = Undecided, fmt.Sprintf(format, args...)
	return nil
}

// verdictOf is the verdict of a report.
func verdictOf(s *said) Verdict {
	switch s.kind {
	case "failed":
		return Failed
	case "panic", "fatal", "crash":
		return Panicked
	case "deadlock":
		return Deadlock
	case "race":
		return Race
	case "leak":
		return Leak
	case "passed", "":
		return Passed
	}
	return Undecided
}

// failure describes a report of a failing schedule.
func failure(s *said, number int) *Failure {
	f := &Failure{Number: number, Output: join(s.output, s.stderr), Switches: len(s.picks) + len(s.jumps), Steps: steps(s.events)}
	switch verdictOf(s) {
	case Deadlock, Leak:
		f.Message, f.Output = blocked(s.message), join(s.output, stacks(s.message))
	case Panicked:
		f.Message, f.Output = panicked(s.stderr), join(s.output, crashed(s.stderr))
	case Race:
		f.Message = raced(s.stderr)
	default:
		f.Message = complaint(s.output)
	}
	return f
}

// shrunk makes a failure with as few switches as can be found in a short time, records it, and makes it once more.
func (s *search) shrunk(ctx context.Context, r run, said *said) (*Failure, error) {
	best := r
	if said.whole {
		listed := run{strategy: follow, seed: r.seed, plain: r.plain, picks: said.picks, jumps: said.jumps}
		small, err := s.smaller(ctx, listed, verdictOf(said))
		if err != nil {
			return nil, err
		}
		best = small
	}
	for _, x := range []run{best, r} {
		j := s.job([]run{x})
		j.record = true
		first, err := s.p.do(ctx, j)
		if err != nil {
			return nil, err
		}
		if verdictOf(first) != verdictOf(said) {
			continue
		}
		f := failure(first, s.result.Schedules)
		f.Replay = (&replay{version: s.p.Version, sum: s.p.Sum, race: s.p.Race, leaks: s.b.Leaks, steps: s.b.Steps, run: x, hash: first.hash, pkg: s.p.Package, test: s.result.Test, sub: s.b.Sub}).String()
		return f, nil
	}
	return failure(said, s.result.Schedules), nil
}

// smaller leaves switches out while the test still fails in the same way. Tries of one round share a process: the first
// that fails ends it, and is the next to be made smaller.
func (s *search) smaller(ctx context.Context, r run, want Verdict) (run, error) {
	until := time.Now().Add(5 * time.Second)
	for size := (len(r.picks) + len(r.jumps) + 1) / 2; size > 0; {
		tries := without(r, size)
		j := s.job(tries)
		said, err := s.p.do(ctx, j)
		if err != nil {
			return r, err
		}
		if verdictOf(said) == want && said.whole && said.number <= len(tries) && len(said.picks)+len(said.jumps) < len(r.picks)+len(r.jumps) {
			r.picks, r.jumps = said.picks, said.jumps
			size = min(size, (len(r.picks)+len(r.jumps)+1)/2)
		} else {
			size /= 2
		}
		if time.Now().After(until) {
			break
		}
	}
	return r, nil
}

// without leaves out each stretch of a size of a schedule's picks and jumps.
func without(r run, size int) []run {
	var all []run
	for i := 0; i < len(r.picks); i += size {
		x := r
		x.picks = slices.Concat(r.picks[:i], r.picks[min(i+size, len(r.picks)):])
		all = append(all, x)
	}
	for i := 0; i < len(r.jumps); i += size {
		x := r
		x.jumps = slices.Concat(r.jumps[:i], r.jumps[min(i+size, len(r.jumps)):])
		all = append(all, x)
	}
	return all
}
