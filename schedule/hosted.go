package schedule

import (
	"context"
	"fmt"
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

// Turn is the line of a schedule for programs that make their own: the one of a number, for a seed.
func Turn(seed uint64, number int) string { return rotation(seed, number, false).String() }

// A Report is what came of one schedule of a program that makes its own.
type Report struct {
	Kind  string // "passed", "deadlock", "leak", or "steps" where it was cut off
	Steps []Step // if the line asked for a record
}

// ReadReport reads what the changed package testing reports of a schedule; of the empty text, one that passed.
func ReadReport(text string) (*Report, error) {
	if text == "" {
		return &Report{Kind: "passed"}, nil
	}
	s := &said{}
	for l := range strings.Lines(text) {
		if err := s.add(strings.TrimSuffix(l, "\n")); err != nil {
			return nil, fmt.Errorf("schedules: the report says %q: %w", l, err)
		}
	}
	return &Report{Kind: s.kind, Steps: steps(s.events)}, nil
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
