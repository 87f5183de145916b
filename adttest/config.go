package adttest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/reference"
)

// Config says what to test, against what, and for how long. New is required,
// and Theory, Reference, or both.
type Config struct {
	// New makes an object of the type under test: func() T or func() (T, error).
	New any

	// Operations lists the operations; default: the exported methods of T.
	// Names that differ from the theory's are mapped by its aliases and Aliases.
	Operations []reference.Operation

	// Skip names exported methods that are not operations of the data type.
	Skip []string

	// Aliases are names that T has for the theory's methods, by method name.
	Aliases map[string][]string

	// Theory is a theory file, relative to the test's directory. One that is a
	// reference itself needs the Reference.
	Theory string

	// Reference is a reference implementation: a reference.Spec or a constructor.
	// Without a Theory its theory is inferred, once in the process. The Reference
	// is the last judge: a history that the theory does not admit is a failure only
	// if the Reference does not admit it either; histories outside the theory's
	// language are judged by the Reference alone. If Theory, a file, calls a
	// violation what the Reference admits, that is a failure of Kind Disagreement;
	// for an inferred theory it is a warning.
	Reference any

	// Scenarios are run before generated ones; with Fixed, no others are.
	Scenarios []Scenario
	Fixed     bool

	// Threads and Calls bound the goroutines of a scenario, and the calls of
	// each; default 3 and 4. Up to Calls more come before and after.
	Threads, Calls int

	// Budget is the time for running, default 1s, or 200ms with -short. Rounds
	// bounds the number of runs of scenarios; 0: the budget alone does.
	Budget time.Duration
	Rounds int

	// Shrink is the most time for making a failure smaller, which ends when nothing
	// got smaller for a second; default a quarter of the Budget, but 1s at least and
	// 5s at most.
	Shrink time.Duration

	// Repeat is how often each scenario is run; default 100.
	Repeat int

	// Stall is how long nothing may happen before operations that have not
	// returned are taken for pending; default 250ms.
	Stall time.Duration

	// MustReturn makes it a failure if an operation does not return, or ends its
	// goroutine. With a Reference, operations may wait as it does: there must be an
	// order of those that returned after which the Reference answers no other one
	// (it panics with reference.Blocked). This finds lost wake-ups.
	MustReturn bool

	// Close, a func(T), is called with each object at the end, also if an
	// operation has not returned: it may release goroutines that wait.
	Close any

	// Seed of the scenarios and the noise; 0: another one in each run.
	Seed uint64

	// Engine checks (see check.Options); default: saturate, or symbolic for theories
	// that it cannot take.
	Engine string

	// Warn gets what a run that passes could not show, such as histories that
	// were not judged; default: Run writes it to standard error, because go test
	// shows the log of a test that passes only with -v.
	Warn func(warning string)

	// Dir is where failures are saved; default testdata/adttest.
	Dir string
}

// environment is what the environment variables say.
type environment struct {
	replay string
	seed   uint64
	seeded bool
	budget time.Duration
}

func readEnvironment(get func(string) string) (env environment, err error) {
	env.replay = get("ADTTEST_REPLAY")
	if s := get("ADTTEST_SEED"); s != "" {
		if env.seed, err = strconv.ParseUint(s, 10, 64); err != nil || env.seed == 0 {
			return env, fmt.Errorf("adttest: ADTTEST_SEED=%s is not a number from 1", s)
		}
		env.seeded = true
	}
	if s := get("ADTTEST_BUDGET"); s != "" {
		if env.budget, err = time.ParseDuration(s); err != nil || env.budget <= 0 {
			return env, fmt.Errorf("adttest: ADTTEST_BUDGET=%s is not a duration, such as 30s", s)
		}
	}
	return env, nil
}

// withDefaults fills in what the user left open.
func (c Config) withDefaults(env environment) (Config, error) {
	switch {
	case c.New == nil:
		return c, errors.New("adttest: Config.New is missing: the constructor of the type under test")
	case c.Theory == "" && c.Reference == nil:
		return c, errors.New("adttest: what is the type to be checked against? Give Config.Theory a file, or Config.Reference a plain implementation")
	case c.Fixed && len(c.Scenarios) == 0:
		return c, errors.New("adttest: Config.Fixed without Config.Scenarios leaves nothing to run")
	}
	if c.Budget <= 0 {
		c.Budget = time.Second
		if testing.Testing() && testing.Short() {
			c.Budget = 200 * time.Millisecond
		}
	}
	if env.budget > 0 {
		c.Budget, c.Rounds = env.budget, 0
	}
	orElse(&c.Shrink, min(max(c.Budget/4, time.Second), 5*time.Second))
	orElse(&c.Threads, 3)
	orElse(&c.Calls, 4)
	orElse(&c.Repeat, 100)
	orElse(&c.Stall, 250*time.Millisecond)
	if env.seeded {
		c.Seed = env.seed
	}
	if c.Seed == 0 {
		c.Seed = uint64(time.Now().UnixNano()^int64(os.Getpid())<<40)>>8%1e12 + 1
	}
	if c.Dir == "" {
		c.Dir = "testdata/adttest"
	}
	return c, nil
}

func orElse[T int | time.Duration](x *T, def T) {
	if *x <= 0 {
		*x = def
	}
}

// testFunction is the name of the test's function: the outermost of the running
// goroutine but for package testing, if that started it, else the caller of Run.
func testFunction() string {
	var pcs [100]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	first, last := "", ""
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "testing.tRunner":
			return last
		case first == "":
			first = f.Function
		}
		if !strings.HasPrefix(f.Function, "testing.") {
			last = f.Function
		}
		if !more {
			return first
		}
	}
}

// packageOf is the import path of a function's package; that of a package of
// external tests is the one it tests.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + strings.ReplaceAll(strings.TrimSuffix(name, "_test"), "%2e", ".")
}
