package patterns_test

import (
	"context"
	"errors"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
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
)

// The patterns against the reference on every history up to a length: nothing
// admitted is excluded, nothing else is let through.
func TestCrossCheck(t *testing.T) {
	for _, c := range []struct {
		spec   reference.Spec
		length int
		exact  int // histories of exactly that length, where known
	}{
		{register.Spec, 8, 419_233},
		{queue.Spec, 8, 419_233},
		{stack.Spec, 8, 419_233},
		{lock.Spec, 6, 0},
		{worksteal.Spec, 6, 0},
		{set.Spec, 6, 1_544_556},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			switch {
			case !testsize.Long():
				c.length, c.exact = c.length-3, 0
			case c.spec.Name != queue.Spec.Name && !testsize.Nightly():
				c.length, c.exact = c.length-1, 0
			}
			th := infer(t, c.spec, patterns.Options{CrossLength: c.length})
			got := th.Status.CrossCheck
			if got.FalseAlarms != 0 || got.Missed != 0 || got.Length != c.length {
				t.Errorf("cross-check: %+v", got)
			}
			if c.exact > 0 {
				shorter := infer(t, c.spec, patterns.Options{CrossLength: c.length - 1}).Status.CrossCheck
				if n := got.Histories - shorter.Histories; n != c.exact {
					t.Errorf("%d histories of length %d, want %d", n, c.length, c.exact)
				}
			}
			t.Logf("%+v", got)
		})
	}
}

// A cross-check that cannot fail would prove nothing: with any one pattern left
// out it misses violations, and with a pattern too many it raises false alarms.
func TestCrossCheckNoticesWrongPatterns(t *testing.T) {
	ctx := context.Background()
	m, found := patterns.Searched(ctx, t, queue.Spec)
	for leave := range found {
		var ms []*patterns.Matcher
		for i, p := range found {
			if i != leave {
				ms = append(ms, patterns.NewMatcher(p))
			}
		}
		c, err := patterns.CrossCheck(ctx, m, ms, 5)
		var wrong *patterns.Disagrees
		if !errors.As(err, &wrong) || c.Missed == 0 || c.FalseAlarms != 0 || wrong.Miss.Drawing == "" {
			t.Errorf("without %v: %+v, %v", found[leave], c, err)
		}
	}
	add := m.Alphabet.Find(queueAdd)
	c, err := patterns.CrossCheck(ctx, m, []*patterns.Matcher{patterns.NewMatcher(enumerate.Sequence{{Kind: int8(add), Target: 0}})}, 4)
	var wrong *patterns.Disagrees
	if !errors.As(err, &wrong) || c.FalseAlarms == 0 || wrong.FalseAlarm.Drawing == "" {
		t.Errorf("excluding every add: %+v, %v", c, err)
	}
}

// The worked example of "Symbolic ADT inference" §2: sequences of at most four
// calls in which add takes the next new value and remove returns a value added
// so far, the next new one, or nil.
func TestWorkedExample(t *testing.T) {
	ctx := context.Background()
	m, found := patterns.Searched(ctx, t, queue.Spec)
	admitted := map[string]bool{}
	for n := 0; n <= 4; n++ {
		level, err := m.Admitted(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range level {
			s, _ := m.Scheme.Abstract(nil, e)
			admitted[string(s.AppendKey(nil))] = true
		}
	}
	var matchers []*patterns.Matcher
	isPattern := map[string]bool{}
	for _, p := range found {
		matchers = append(matchers, patterns.NewMatcher(p))
		isPattern[string(p.AppendKey(nil))] = true
	}
	var sequences, executable, minimal, redundant int
	add, value, nothing := m.Alphabet.Find(queueAdd), m.Alphabet.Find(queueValue), m.Alphabet.Find(queueNil)
	var visit func(e []enumerate.Label, added int)
	visit = func(e []enumerate.Label, added int) {
		sequences++
		s, err := m.Scheme.Abstract(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		key := string(s.AppendKey(nil))
		host := &patterns.Host{}
		host.Set(s)
		embeds := false
		for _, p := range matchers {
			embeds = embeds || p.Embeds(host)
		}
		switch {
		case admitted[key]:
			executable++
		case isPattern[key]:
			minimal++
		case embeds:
			redundant++
		}
		if len(e) == 4 {
			return
		}
		next := func(l enumerate.Label, added int) { visit(append(e[:len(e):len(e)], l), added) }
		next(m.Alphabet.Label(add, []enumerate.Value{enumerate.NewValue(0, added+1)}), added+1)
		next(m.Alphabet.Label(nothing, nil), added)
		for v := 1; v <= added+1; v++ {
			next(m.Alphabet.Label(value, []enumerate.Value{enumerate.NewValue(0, v)}), added)
		}
	}
	visit(nil, 0)
	got := [...]int{sequences, executable, sequences - executable, minimal, redundant}
	if want := [...]int{202, 31, 171, 7, 164}; got != want {
		t.Errorf("sequences, executable, invalid, patterns, redundant: %v, want %v", got, want)
	}
	histories := map[string]bool{}
	m.Links.Histories(enumerate.Bounds{Length: 4}, func(s enumerate.Sequence) bool {
		histories[string(s.AppendKey(nil))] = true
		return true
	})
	if len(histories) != 304 || len(admitted) != 31 {
		t.Errorf("%d histories up to length 4, %d admitted; want 304, 31", len(histories), len(admitted))
	}
}

var (
	queueAdd   = history.Kind{Method: "add", Outcome: history.None}
	queueValue = history.Kind{Method: "remove", Outcome: history.Some}
	queueNil   = history.Kind{Method: "remove", Outcome: history.Nil}
)
