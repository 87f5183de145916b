package schedule

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// replay is what a replay string holds.
type replay struct {
	version string // of Go
	sum     string // of the program's sources
	race    bool
	leaks   bool
	steps   int
	run     run
	hash    string // of the choices made
	pkg     string
	test    string
	sub     string // which subtests; "": all
}

const replayForm = "s1"

func (r *replay) String() string {
	flags := "p"
	if r.race {
		flags = "r"
	}
	if r.leaks {
		flags += "l"
	}
	f := strings.Fields(r.run.String())
	return strings.Join([]string{replayForm, r.version, r.sum, flags, strconv.Itoa(r.steps), strings.Join(f[:6], "."), f[6], f[7], r.hash, r.pkg, strings.TrimSuffix(r.test+"/"+strings.ReplaceAll(r.sub, "+", "."), "/")}, "+")
}

// Replayed is a replay string, read.
type Replayed struct {
	Package string // import path
	Test    string
	Race    bool // the program has to be built with the race detector
	r       replay
}

// ParseReplay reads a replay string.
func ParseReplay(text string) (*Replayed, error) {
	f := strings.Split(text, "+")
	if f[0] != replayForm || len(f) < 11 {
		return nil, fmt.Errorf("%q is no replay string: one begins with %s+go1 and has eleven parts between plus signs", clip(text), replayForm)
	}
	rest := len(f) - 11 // a path may have plus signs
	r := replay{version: f[1], sum: f[2], race: strings.Contains(f[3], "r"), leaks: strings.Contains(f[3], "l"), hash: f[8], pkg: strings.Join(f[9:10+rest], "+"), test: f[10+rest]}
	r.test, r.sub, _ = strings.Cut(r.test, "/")
	var err error
	if r.steps, err = strconv.Atoi(f[4]); err != nil {
		return nil, fmt.Errorf("%q is no replay string: %q is no number of steps", clip(text), f[4])
	}
	if r.run, err = parseRun(strings.ReplaceAll(f[5], ".", " ") + " " + f[6] + " " + f[7]); err != nil {
		return nil, fmt.Errorf("%q is no replay string: %w", clip(text), err)
	}
	return &Replayed{Package: r.pkg, Test: r.test, Race: r.race, r: r}, nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// fits says what is wrong with another version of Go.
func (x *Replayed) fits(version string) error {
	if x.r.version == version {
		return nil
	}
	return fmt.Errorf("the replay string is of %s, and the go command here is %s: schedules of another Go are others", x.r.version, version)
}

// BuildFor compiles the program that a replay string is of.
func (t *Toolchain) BuildFor(ctx context.Context, dir string, x *Replayed, o BuildOptions) (*Program, error) {
	if err := x.fits(t.Version); err != nil {
		return nil, err
	}
	programs, err := t.Build(ctx, dir, []string{x.Package}, o)
	if err != nil {
		return nil, fmt.Errorf("the replay string is of package %s, which cannot be built here: %w", x.Package, err)
	}
	return programs[0], nil
}

// Replay makes a schedule again, and returns its failure. The error says why it could not be made again.
func (p *Program) Replay(ctx context.Context, x *Replayed, args []string) (*Result, error) {
	r := &x.r
	if err := x.fits(p.Version); err != nil {
		return nil, err
	}
	if tests, err := p.Tests(ctx, "^"+r.test+"$"); err != nil || len(tests) == 0 {
		return nil, cmp.Or(err, fmt.Errorf("%s has no test %s (any more)", p.Package, r.test))
	}
	s := &search{p: p, b: Budget{Steps: r.steps, Leaks: r.leaks, Sub: r.sub, Args: args}, result: &Result{Package: p.Package, Test: r.test, Verdict: Passed}}
	j := s.job([]run{r.run})
	j.record = true
	said, err := p.do(ctx, j)
	if err != nil {
		return nil, err
	}
	s.result.Schedules, s.result.Verdict = 1, verdictOf(said)
	switch {
	case said.kind == "":
		return s.result, s.undecided("%s ran no schedule: %s", r.test, orElse(lastLine(said.stderr), "there is no such test"))
	case said.hash != r.hash && r.sum != p.Sum:
		return s.result, s.undecided("not reproduced: the program has changed since (its sources are %s, and were %s)", p.Sum, r.sum)
	case said.hash != r.hash:
		return s.result, s.undecided("not reproduced: the goroutines took other turns (%s, and were %s)", said.hash, r.hash)
	case s.result.Verdict.Failing():
		now := *r
		now.sum = p.Sum
		s.result.Failure = failure(said, 0)
		s.result.Failure.Replay = now.String()
	}
	return s.result, nil
}
