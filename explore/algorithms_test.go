package explore_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/explore"
)

var (
	tableTo    = flag.String("algorithms", "", "measure all algorithms, and write docs/algorithms.md to this file")
	tableLimit = flag.Duration("limit", 2*time.Minute, "for each exploration of -algorithms")
)

// algorithm is a row of Fig. 6 of "Automated verification of linearization policies".
type algorithm struct {
	name, of string
	helping  bool
	paper    string // its time with a policy, in seconds
	without  string // its time without one
}

var algorithms = []algorithm{
	{"Treiber's stack", treiberStack, false, "0.18", "140.03"},
	{"HSY elimination stack", eliminationStack, true, "83.89", ""},
	{"Two-lock queue", twoLockQueue, false, "0.32", "1.80"},
	{"Michael and Scott's queue", michaelScott, false, "21.07", "287"},
	{"DGLM queue", laggingQueue, false, "16.99", "500"},
	{"Elimination queue", eliminationQueue, true, "105.56", ""},
	{"Herlihy and Wing's queue", herlihyWing, false, "", "6.99"},
	{"Hand-over-hand set", coupledSet, false, "1.51", ""},
	{"Optimistic set", optimisticSet, false, "60.43", ""},
	{"Lazy set", lazySet, true, "289", ""},
	{"O'Hearn et al.'s set", hindsightSet, true, "12.01", ""},
	{"Vechev's set, CAS", vechevCASSet, true, "24.01", ""},
	{"Vechev's set, DCAS", vechevDCASSet, false, "16.02", ""},
	{"Harris's set", harrisSet, false, "1512", ""},
	{"Michael's set", michaelSet, false, "110", ""},
	{"Lock-free set", lockfreeSet, true, "462.01", ""},
	{"Unordered set", unorderedSet, true, "2301", ""},
	{"CCAS", flaggedCell, true, "0.04", ""},
	{"RDCSS", controlledCell, true, "0.26", ""},
}

// TestAlgorithms writes docs/algorithms.md, or sees to it that what is there fits the sources and
// the tests: all but states and times.
func TestAlgorithms(t *testing.T) {
	t.Parallel()
	sizes := sizesTable(t)
	if *tableTo == "" {
		text, err := os.ReadFile(filepath.Join(root, "docs", "algorithms.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), sizes) {
			t.Errorf("docs/algorithms.md is not up to date (its first lines say how to write it); its first table should be\n%s", sizes)
		}
		return
	}
	text := algorithmsHead + sizes + algorithmsStates + statesTable(t) + algorithmsAny + anyTable(t)
	if err := os.WriteFile(*tableTo, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const algorithmsHead = "# Nineteen algorithms and their linearization policies\n\n" +
	"Written by `go test ./explore -run Algorithms -algorithms ../docs/algorithms.md -timeout 2h`.\n" + `
The algorithms of Fig. 6 of "Automated verification of linearization policies" (Abdulla, Jonsson, Trinh), as Go packages below
` + "`examples`" + `. Those with * help each other. Lines are those with code; rules are the directives on the doc of an operation.
Mutants are versions of the code or of the policy with a mistake: with the policy each *killed* one is found wrong, at bounds of
at most three goroutines with two operations; *equivalent* ones are right, and the tests say why. The last two columns are
seconds that the paper reports, for any number of goroutines and unbounded values, with a policy (a) and without (b).

`

const algorithmsStates = `
## Bounded

States of explorations of three goroutines with two operations each over one value: *plain* is without a specification, *sets*
against the specification by sets of configurations, *policy* with the policy. ` + "`>`" + ` is where the time limit ended an exploration.

`

const algorithmsAny = `
## Any number of goroutines

` + "`adtinfer explore --policy -n any`" + ` with two values. A cap is how many objects a goroutine reaches at most: nothing is shown of
more. Not proved says nothing of the algorithm.

`

// measuredBounds are those of the table of states.
var measuredBounds = bounds(3, 2, 1)

// policedOf is the first entry of an algorithm in policies, nil if it has none, and its mutants in all.
func policedOf(of string) (first *policed, killed, equivalent int) {
	for _, p := range policies {
		if p.of != of {
			continue
		}
		if first == nil {
			first = p
		}
		for _, m := range p.mutants {
			if m.want == explore.Holds {
				equivalent++
			} else {
				killed++
			}
		}
	}
	return first, killed, equivalent
}

func sizesTable(t *testing.T) string {
	b := strings.Builder{}
	b.WriteString("| algorithm | package | lines | directives | of them rules | mutants killed | equivalent | paper (a) | (b) |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, a := range algorithms {
		lines, directives, rules := sizesOf(t, folder(a.of))
		p, killed, equivalent := policedOf(a.of)
		name, policy := a.name, fmt.Sprintf("%d | %d | %d | %d", directives, rules, killed, equivalent)
		if a.helping {
			name += " *"
		}
		if p == nil {
			policy = "none | | | "
		}
		fmt.Fprintf(&b, "| %s | `%s` | %d | %s | %s | %s |\n", name, strings.TrimPrefix(a.of, "examples/"), lines, policy, a.paper, a.without)
	}
	return b.String()
}

// sizesOf counts the lines with code, and directives.
func sizesOf(t *testing.T, dir string) (lines, directives, rules int) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			switch line = strings.TrimSpace(line); {
			case strings.HasPrefix(line, "//lin:receive "):
				directives, rules = directives+1, rules+1
			case strings.HasPrefix(line, "//lin: "), strings.HasPrefix(line, "//lin:invariant "):
				directives++
			case line != "" && !strings.HasPrefix(line, "//"):
				lines++
			}
		}
	}
	return lines, directives, rules
}

// optionsOf are those of an algorithm, with its policy if it has one.
func (a *algorithm) optionsOf(t *testing.T, at explore.Bounds) explore.Options {
	if p, _, _ := policedOf(a.of); p != nil {
		return p.options(t, folder(a.of), at)
	}
	o := explore.Options{Dir: folder(a.of), Bounds: at, Theory: theoryOf(t, a.of), Workers: 1}
	o.Type, o.New = constructor(a.of)
	return o
}

func statesTable(t *testing.T) string {
	b := strings.Builder{}
	b.WriteString("| algorithm | plain | sets | policy |\n|---|--:|--:|--:|\n")
	for _, a := range algorithms {
		o, policy := a.optionsOf(t, measuredBounds), ""
		if o.Policy {
			policy = measured(t, o)
		}
		o.Policy = false
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.name, plain(t, o), measured(t, o), policy)
	}
	return b.String()
}

// measured explores a package that holds: how many states.
func measured(t *testing.T, o explore.Options) (states string) {
	ctx, cancel := context.WithTimeout(t.Context(), *tableLimit)
	defer cancel()
	r, err := explore.Run(ctx, o)
	switch {
	case err != nil:
		t.Errorf("%s: %v", o.Dir, err)
		return "refused"
	case r.Verdict == explore.Incomplete:
		return "> " + grouped(r.States)
	case r.Verdict != explore.Holds:
		t.Errorf("%s, %v: %s", o.Dir, o.Bounds, r.Verdict)
		return string(r.Verdict)
	}
	return grouped(r.States)
}

func plain(t *testing.T, o explore.Options) string {
	ctx, cancel := context.WithTimeout(t.Context(), *tableLimit)
	defer cancel()
	n, err := explore.PlainStates(ctx, o)
	switch {
	case err != nil:
		t.Errorf("%s: %v", o.Dir, err)
		return "refused"
	case ctx.Err() != nil:
		return "> " + grouped(int64(n))
	}
	return grouped(int64(n))
}

func anyTable(t *testing.T) string {
	b := strings.Builder{}
	b.WriteString("| algorithm | verdict | views | cap |\n|---|---|--:|--:|\n")
	for _, a := range algorithms {
		o := a.optionsOf(t, explore.Bounds{Values: 2})
		if !o.Policy {
			continue
		}
		o.AnyThreads = true
		for _, p := range proved {
			if p.of == a.of {
				o = provedOptions(p.of, folder(p.of), p.model, p.cap)
			}
		}
		if o.Theory != nil {
			o.Cap, o.Theory, o.Model = 4, nil, "queue"
		}
		ctx, cancel := context.WithTimeout(t.Context(), min(*tableLimit, time.Minute))
		r, err := explore.Run(ctx, o)
		cancel()
		if err != nil {
			fmt.Fprintf(&b, "| %s | refused | | |\n", a.name)
			t.Logf("%s: %v", a.name, err)
			continue
		}
		verdict, limit := string(r.Verdict), ""
		if r.Views.Cap > 0 {
			limit = fmt.Sprint(r.Views.Cap)
		}
		if r.Verdict == explore.Incomplete {
			verdict = "no answer in a minute"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.name, verdict, grouped(int64(r.Views.Views)), limit)
		t.Logf("%s: %s", a.name, r.Sentence())
	}
	return b.String()
}

// grouped writes 1234567 as 1,234,567.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
