package schedule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// A Hosted test makes its schedules itself: what it runs under them is a part of what it does. Tests of package adttest do,
// whose rounds are one schedule each.
type Hosted struct {
	Test string        // its name; with slashes for subtests
	Env  []string      // more environment for the program
	Time time.Duration // after which it is ended; 0: never
}

// ExploreVariable names, in the environment of a hosted test, the file to which a failure writes the command that explores
// every interleaving within its bounds: a word a line.
const ExploreVariable = "ADTTEST_EXPLORE"

// RunHosted runs a test that makes its schedules itself. It returns what the program printed, and reports whether the test
// failed.
func (p *Program) RunHosted(ctx context.Context, h Hosted) (text string, failed bool, err error) {
	if h.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, h.Time)
		defer cancel()
	}
	j := &job{test: strings.ReplaceAll(h.Test, "/", "$/^"), steps: manySteps, quiet: max(h.Time, time.Hour), hosted: true, env: h.Env}
	said, err := p.do(ctx, j)
	if err != nil {
		return "", false, err
	}
	return said.stderr, said.exit != ended0, nil
}

// own runs a test that makes its schedules itself, for as long as it says, within reason.
func (s *search) own(ctx context.Context) error {
	s.result.Own, s.result.Schedules = true, 0
	limit := s.b.Time + longHosted
	explore, err := os.CreateTemp("", "adtinfer-explore-")
	if err != nil {
		return err
	}
	explore.Close()
	defer os.Remove(explore.Name())
	text, failed, err := s.p.RunHosted(ctx, Hosted{Test: s.result.Test, Time: limit, Env: []string{ExploreVariable + "=" + explore.Name()}})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return s.undecided("it makes its schedules itself, and had not ended after %v", limit)
	case err != nil:
		return err
	case failed:
		s.result.Verdict = Failed
		s.result.Failure = &Failure{Message: complained(text), Output: text}
		if command, err := os.ReadFile(explore.Name()); err == nil && len(command) > 0 {
			s.result.Failure.Explore = strings.Split(string(command), "\n")
		}
	}
	return nil
}

// Turns is how many schedules it takes until each strategy has had its turn.
const Turns = 13

// Turn is the line of a schedule for programs that make their own: the one of a number, for a seed.
func Turn(seed uint64, number int) string { return rotation(seed, number, false).String() }

// A Report is what came of one schedule of a program that makes its own.
type Report struct {
	Kind   string // "passed", "deadlock", "leak", or "steps" where it was cut off
	Steps  []Step // if the line asked for a record
	Listed string // then, too: a line with the switches that the schedule had, one by one; "" where they are too many
}

// Recorded is the line of the same schedule, with a record.
func Recorded(line string) string { return "record " + line }

// Fewer are the lines of listed schedules with fewer switches than one has: without large parts of them first, then without
// each.
func Fewer(listed string) (lines []string) {
	r, err := parseRun(listed)
	if err != nil {
		return nil
	}
	for size := max(len(r.picks), len(r.jumps)); size > 0; size /= 2 {
		for _, x := range without(r, size) {
			lines = append(lines, x.String())
		}
	}
	return lines
}

// ReadReport reads what the changed package testing reports of the schedule of a line; of the empty text, one that passed.
func ReadReport(line, text string) (*Report, error) {
	if text == "" {
		return &Report{Kind: "passed"}, nil
	}
	s := &said{}
	for l := range strings.Lines(text) {
		if err := s.add(strings.TrimSuffix(l, "\n")); err != nil {
			return nil, fmt.Errorf("schedules: the report says %q: %w", l, err)
		}
	}
	report := &Report{Kind: s.kind, Steps: steps(s.events)}
	if r, err := parseRun(strings.TrimPrefix(line, Recorded(""))); err == nil && s.whole {
		report.Listed = run{strategy: follow, seed: r.seed, plain: r.plain, picks: s.picks, jumps: s.jumps}.String()
	}
	return report, nil
}

// Died returns what a program printed when a panic or a fatal error ended it, with the stack of the goroutine that did; or
// "" where none did.
func Died(output string) string {
	for _, word := range []string{"panic: ", "fatal error: "} {
		if i := strings.Index("\n"+output, "\n"+word); i >= 0 {
			return crashed(output[i:])
		}
	}
	return ""
}
