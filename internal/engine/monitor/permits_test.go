package monitor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// limited is a semaphore of so many permits, with other names, in other words.
func limited(limit int) string {
	var vars, given, before, gone []string
	for i := range limit + 1 {
		vars = append(vars, fmt.Sprintf("a%d:Op", i))
		given = append(given, fmt.Sprintf("method(a%d) = enter", i))
		for j := i + 1; j < limit; j++ {
			given = append(given, fmt.Sprintf("a%d != a%d", i, j))
		}
		if i < limit {
			before = append(before, fmt.Sprintf("before(a%d, a%d)", i, limit))
			gone = append(gone, fmt.Sprintf("match(r) = a%d", i))
		}
	}
	return strings.NewReplacer("VARS", strings.Join(vars, ", "), "GIVEN", strings.Join(append(given, before...), " & "),
		"GONE", strings.Join(gone, " | "), "LAST", fmt.Sprint("a", limit)).Replace(`apiVersion: adtinfer/v1alpha1
kind: Theory
metadata:
  name: room
spec:
  width: 1
  methods:
    - name: leave
      args: 1
      outcomes: [{outcome: none}]
    - name: enter
      args: 1
      outcomes: [{outcome: none}]
  language:
    - name: once
      reading: once
      formula: forall x:Op, y:Op. method(x) = enter & method(y) = enter & x != y -> arg(x) != arg(y)
  matching:
    mode: timeless
    target:
      - method(y) = enter & arg(y) = arg(x)
  axioms:
    - name: full
      reading: full
      formula: |
        !(exists VARS. GIVEN
          & !(exists r:Op. (GONE) & method(r) = leave & before(r, LAST)))
    - name: out
      reading: out
      formula: |
        forall r:Op, s:Op. method(r) = leave & method(s) = leave -> match(r) != match(s) | r = s
    - name: in
      reading: in
      formula: |
        forall r:Op. method(r) = enter | !(forall a:Op. a = match(r) -> !before(a, r))
`)
}

// A semaphore is known by what its axioms say, whatever words they use, and its limit
// is read off them.
func TestSelectSemaphore(t *testing.T) {
	shipped := historytest.Source(t, "theories/semaphore.theory.yaml")
	for _, tt := range []struct{ name, text, want string }{
		{"shipped", shipped, "at most 2 values"},
		{"one", limited(1), "at most 1 values"},
		{"two", limited(2), "at most 2 values"},
		{"four", limited(4), "at most 4 values"},
	} {
		p, err := recognizeFor(t, parse(t, tt.text))
		if err != nil || p.Shape() != "semaphore" || !strings.Contains(p.Why(), tt.want) {
			t.Errorf("%s: %v, %v", tt.name, p, err)
		}
	}
}

// Nothing else is taken for a semaphore.
func TestSelectNoSemaphore(t *testing.T) {
	for _, tt := range []struct{ name, from, to string }{
		{"twice", "match(r1) = match(r2) -> r1 = r2", "match(r1) = match(r2) & before(r1, r2) -> before(r2, r1) | r1 != r2"},
		{"not held", "match(r) = a & before(a, r)", "match(r) = a"},
		{"from nowhere", "exists a:Op. match(r) = a & before(a, r)", "unmatched(r) | (exists a:Op. match(r) = a & before(a, r))"},
		{"later", "before(r, x2)", "(before(r, x2) | before(x2, r))"},
		{"one of two", "match(r) = x0 | match(r) = x1", "match(r) = x0"},
		{"anyone", "(match(r) = x0 | match(r) = x1) & ", ""},
		{"a value", "& x0 != x1", `& x0 != x1 & arg(x2) != "77"`},
		{"order of values", "& x0 != x1", `& x0 != x1 & arg(x2) < arg(x1)`},
		{"lifo", "method(r) = release & (match(r) = x0 | match(r) = x1)", "method(r) = release & match(r) = x1"},
	} {
		text := historytest.Source(t, "theories/semaphore.theory.yaml")
		changed := strings.Replace(text, tt.from, tt.to, 1)
		if changed == text {
			t.Fatalf("%s: nothing to change", tt.name)
		}
		var not *monitor.NotRecognized
		if p, err := recognizeFor(t, parse(t, changed)); !errors.As(err, &not) {
			t.Errorf("%s: %v, %v", tt.name, p, err)
		}
	}
}
