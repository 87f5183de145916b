package counters_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/counters"
	"github.com/adtinfer/adtinfer/internal/judge"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// controlled says what is hidden from patterns.
var controlled = map[string]string{
	"queuelen":      "[len => value]",
	"stackempty":    "[isEmpty => false isEmpty => true]",
	"closablequeue": "[send => error close => panic close receive => nil]",
	"pipe 128":      "[]",
	"bounded 8":     "[offer => false]",
	"bounded 100":   "[offer => false]",
	"bounded 128":   "[offer => false]",
	"ring 16":       "[write => error]",
	"ring 128":      "[offer => false]",
	"ring8":         "[enqueue => false]",
}

func TestControl(t *testing.T) {
	for i, typ := range types {
		_, found := find(t, i)
		c, err := found.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c.Control != nil {
			got = fmt.Sprint(c.Control.Hidden)
		}
		if want := controlled[typ.name]; got != want || (got == "") != (c.Why != "") && !found.Whole {
			t.Errorf("%s: hidden is %s, because %q; want %s", typ.name, got, c.Why, want)
		}
	}
}

// TestTogether infers patterns of what control leaves, which are those of a queue or
// a stack, and looks for what both miss. Without some patterns, or a guard, both
// miss something.
func TestTogether(t *testing.T) {
	for i, typ := range types {
		if controlled[typ.name] == "" || typ.name == "bounded 128" || typ.name == "ring 128" {
			continue
		}
		impl, found := find(t, i)
		c, err := found.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		th, err := judge.Infer(t.Context(), c.Rest, reference.Info{}, patterns.Options{}, judge.Options{LongRuns: 8, Words: 1})
		if err != nil {
			t.Errorf("%s: %v", typ.name, err)
			continue
		}
		missed := func() bool {
			w, refused, err := counters.Missed(t.Context(), impl, th)
			if err != nil {
				t.Fatal(err)
			}
			if refused {
				t.Errorf("%s: %v is refused", typ.name, w)
			}
			return w != nil
		}
		th.Spec.Control = c.Control
		if missed() {
			t.Errorf("%s: patterns and control are not complete", typ.name)
		}
		all := th.Spec.Patterns
		if n := len(all); n != 7 && typ.name != "pipe 128" {
			t.Errorf("%s: %d patterns", typ.name, n)
		}
		th.Spec.Patterns = slices.DeleteFunc(slices.Clone(all), func(p theory.Pattern) bool { return len(p.History.Ops) >= 3 })
		if !missed() {
			t.Errorf("%s: without the patterns of the order nothing is missed", typ.name)
		}
	}
}
