// Package replays is for tests of types that are wrong: the failure that adttest finds comes with an interleaving,
// which the explorer repeats each time.
package replays

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
)

// times is how often an interleaving is repeated, from the package's source each time.
func times() int {
	if testing.Short() {
		return 20
	}
	return 100
}

// command is what a failure says to run.
var command = regexp.MustCompile(`explore adtinfer explore --impl (\S+) (?:--(type|new) (\S+) )?--replay (s1-[\w-]+)`)

// Check tests a type that is wrong: the drawing of the interleaving has a text.
func Check(t *testing.T, c adttest.Config, text string) {
	t.Helper()
	c.Dir, c.Shrink = t.TempDir(), 2*time.Second
	f, err := adttest.Find(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		t.Fatal("the defect was not found")
	}
	t.Log(f)
	m := command.FindStringSubmatch(f.String())
	if m == nil {
		t.Fatal("the failure comes without an interleaving")
	}
	o := explore.Options{Dir: m[1]}
	if word := strings.Trim(m[3], "'"); m[2] == "new" {
		o.New = word
	} else {
		o.Type = word
	}
	var first string
	for i := range times() {
		r, err := explore.Replay(context.Background(), o, m[4])
		if err != nil {
			t.Fatalf("replay %d: %v", i+1, err)
		}
		drawing := r.Counterexample.Text()
		if i == 0 {
			first = drawing
			same(t, f.Execution, r.Counterexample.History)
		}
		if drawing != first {
			t.Fatalf("replay %d: another run:\n%s\nat first:\n%s", i+1, drawing, first)
		}
	}
	if !strings.Contains(first, text) {
		t.Errorf("the drawing does not show %q:\n%s", text, first)
	}
}

// same sees that two histories have the same events in the same order, with the same answers.
func same(t *testing.T, a, b *history.Execution) {
	t.Helper()
	if want, got := events(a, true), events(b, false); strings.Join(want, "\n") != strings.Join(got, "\n") {
		t.Errorf("the replay has the history\n%s\nand the test recorded\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// events are the calls and returns, with the place at which their goroutine first calls for its name.
func events(e *history.Execution, recorded bool) []string {
	all, names := make([]string, e.Events), map[string]string{}
	at := make([]int, e.Events)
	for i := range e.Ops {
		if at[e.Ops[i].Call] = 2 * i; e.Ops[i].Completed() {
			at[e.Ops[i].Return] = 2*i + 1
		}
	}
	for i, x := range at {
		o := &e.Ops[x/2]
		name := o.Process
		if recorded && (name == "before" || name == "after") {
			name = "main"
		}
		if names[name] == "" {
			names[name] = string(rune('A' + len(names)))
		}
		call := history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args}
		if all[i] = names[name] + " calls " + call.String(); x%2 == 1 {
			all[i] = names[name] + " returns " + o.Label.String()
		}
	}
	return all
}
