package patterns_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// types are the example references with what is known of them: the admitted histories
// up to weights 1, 2, 3, and the number of patterns with past-only matching.
var types = []struct {
	name     string
	spec     reference.Spec
	admitted [3]int
	past     int
}{
	{"register", register.Spec, [3]int{4, 8, 13}, 3},
	{"queue", queue.Spec, [3]int{4, 12, 35}, 6},
	{"stack", stack.Spec, [3]int{4, 12, 35}, 6},
	{"lock", lock.Spec, [3]int{6, 15, 28}, 11},
	{"worksteal", worksteal.Spec, [3]int{6, 29, 150}, 18},
	{"set", set.Spec, [3]int{15, 152, 1623}, 10},
}

// few is how many of the types to look at: n, or all if that may take long.
func few(n int) int {
	if testsize.Long() {
		return len(types)
	}
	return n
}

func infer(t *testing.T, spec reference.Spec, o patterns.Options) *theory.Theory {
	t.Helper()
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	th, err := patterns.Infer(context.Background(), impl, spec.Info(), o)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// lines are a theory's patterns, one a line with the weight, sorted.
func lines(t *testing.T, th *theory.Theory) []string {
	t.Helper()
	var out []string
	for _, p := range th.Spec.Patterns {
		h, labels, err := history.ParseDrawing(p.Drawing)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("w%d  %s", p.Weight, history.DrawLine(h, labels)))
	}
	sort.Strings(out)
	return out
}

var header = regexp.MustCompile(`^== (\w+)$`)

// expected reads testdata/patterns.txt: for each type its patterns.
func expected(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/patterns.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	name := ""
	for _, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if m := header.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if line != "" {
			out[name] = append(out[name], line)
		}
	}
	for name := range out {
		sort.Strings(out[name])
	}
	return out
}

func TestPatternsOfTheExamples(t *testing.T) {
	want := expected(t)
	for _, c := range types[:few(4)] {
		t.Run(c.name, func(t *testing.T) {
			th := infer(t, c.spec, patterns.Options{MinWeight: 3})
			if diff := cmp.Diff(want[c.name], lines(t, th)); diff != "" {
				t.Errorf("patterns (-want +got):\n%s", diff)
			}
			found := 0
			for i, w := range th.Status.Weights { // nothing is asked about but what is admitted, and patterns
				found += w.New
				if want := c.admitted[i] - 1 + found; w.Candidates != want || w.Admitted != c.admitted[i] {
					t.Errorf("weight %d: %d candidates, %d admitted; want %d, %d", w.Weight, w.Candidates, w.Admitted, want, c.admitted[i])
				}
			}
			if x := th.Status.CrossCheck; x.FalseAlarms != 0 || x.Missed != 0 {
				t.Errorf("cross-check: %+v", x)
			}
			t.Logf("%+v", th.Status)
		})
	}
}

func TestPastOnlyMatchingGivesThePapersLists(t *testing.T) {
	for _, c := range types[:few(4)] {
		t.Run(c.name, func(t *testing.T) {
			th := infer(t, c.spec, patterns.Options{Past: true})
			if n := len(th.Spec.Patterns); n != c.past {
				t.Errorf("%d patterns, want %d:\n%s", n, c.past, strings.Join(lines(t, th), "\n"))
			}
		})
	}
}

// Literal runs: histories of exactly the weight, those the reference admits,
// and new patterns.
func TestLiteralAgreesWithFrontier(t *testing.T) {
	for _, c := range []struct {
		name   string
		spec   reference.Spec
		weight int
		last   theory.WeightStatus
	}{
		{"register", register.Spec, 2, theory.WeightStatus{Weight: 2, Candidates: 5960, Admitted: 14, New: 2}},
		{"queue", queue.Spec, 2, theory.WeightStatus{Weight: 2, Candidates: 5960, Admitted: 9, New: 5}},
		{"stack", stack.Spec, 2, theory.WeightStatus{Weight: 2, Candidates: 5960, Admitted: 9, New: 5}},
		{"lock", lock.Spec, 1, theory.WeightStatus{}},
		{"worksteal", worksteal.Spec, 1, theory.WeightStatus{}},
		{"set", set.Spec, 1, theory.WeightStatus{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "set" {
				testsize.NeedsNightly(t, "there are 876,923 histories")
			}
			impl, err := reference.New(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			literal, status, err := patterns.UpTo(context.Background(), impl, c.spec, true, c.weight)
			if err != nil {
				t.Fatal(err)
			}
			frontier, _, err := patterns.UpTo(context.Background(), impl, c.spec, false, c.weight)
			if err != nil {
				t.Fatal(err)
			}
			sort.Strings(literal)
			sort.Strings(frontier)
			if diff := cmp.Diff(frontier, literal); diff != "" {
				t.Errorf("frontier and literal differ (-frontier +literal):\n%s", diff)
			}
			if first := (theory.WeightStatus{Weight: 1, Candidates: 15, Admitted: 3, New: 2}); c.weight == 2 && status[0] != first {
				t.Errorf("literal at weight 1: %+v, want %+v", status[0], first)
			}
			got := status[c.weight-1]
			if c.last.Weight == 0 {
				c.last = theory.WeightStatus{Weight: c.weight, Candidates: got.Candidates, Admitted: got.Admitted, New: len(literal)}
			}
			if diff := cmp.Diff(c.last, got); diff != "" {
				t.Errorf("literal at weight %d (-want +got):\n%s", c.weight, diff)
			}
		})
	}
}

// Read-only operations need not be declared: they show in what they do.
func TestReadOnlyByBehaviour(t *testing.T) {
	for _, c := range types[:few(3)] {
		spec := c.spec
		spec.ReadOnly = ""
		with, without := lines(t, infer(t, c.spec, patterns.Options{CrossLength: 3})), lines(t, infer(t, spec, patterns.Options{CrossLength: 3}))
		if diff := cmp.Diff(with, without); diff != "" {
			t.Errorf("%s (-declared +by behaviour):\n%s", c.name, diff)
		}
	}
}
