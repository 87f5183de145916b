package monitor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// A set is known by what its axioms say of one value, in whatever words; nothing else is
// taken for one.
func TestSelectSetByAxioms(t *testing.T) {
	text := historytest.Source(t, "theories/set.theory.yaml")
	for _, tt := range []struct {
		name, from, to string
		set            bool
	}{
		{"shipped", "", "", true},
		{"other words", "-> r1 = r2", "-> !(before(r1, r2) | before(r2, r1))", true},
		{"an axiom by way of its opposite", "forall x:Op. outcome(x) = value -> exists a:Op. match(x) = a & before(a, x)",
			"true & !(exists x:Op. outcome(x) = value & !(exists a:Op. before(a, x) & match(x) = a))", true},
		{"before the add", "match(x) = a & before(a, x)", "match(x) = a", false},
		{"the same both ways", "-> r1 = r2", "-> r1 = r2 | before(r1, r2)", true},
		{"removed twice", "-> r1 = r2", "-> r1 = r2 | before(r1, r2) | before(r2, r1)", false},
		{"seen after the remove", "method(c) != remove & outcome(c) = value", "method(c) = insert & outcome(c) = value", false},
		{"missed by remove", "method(c) != insert & outcome(c) = nil & match(c) = a", "method(c) = contains & outcome(c) = nil & match(c) = a", false},
		{"other values matter", "method(c) != insert & outcome(c) = nil & match(c) = a & before(a, c)", "method(c) != insert & outcome(c) = nil & method(a) = insert & outcome(a) = nil & before(a, c)", false},
		{"another value is found: a set by its clauses", "-> arg(x) = ret(x)", "-> arg(x) = arg(x)", true},
		{"a rule less", "outcome(y) = nil & arg(x) = arg(y)\n", "outcome(y) = nil & arg(x) = arg(y) & before(x, y) & method(x) = contains\n", false},
	} {
		changed := strings.Replace(text, tt.from, tt.to, 1)
		if changed == text && tt.from != "" {
			t.Fatalf("%s: nothing to change", tt.name)
		}
		p, err := recognizeFor(t, parse(t, changed))
		var not *monitor.NotRecognized
		if tt.set && (err != nil || p.Shape() != "set") || !tt.set && !errors.As(err, &not) {
			t.Errorf("%s: %v, %v", tt.name, p, err)
		}
	}
}

// TestTwoValues: where a set may find another value than the one it was asked for, the procedure
// refuses operations that do.
func TestTwoValues(t *testing.T) {
	text := historytest.Source(t, "theories/set.theory.yaml")
	p, err := recognizeFor(t, parse(t, strings.Replace(text, "-> arg(x) = ret(x)", "-> arg(x) = arg(x)", 1)))
	if err != nil {
		t.Fatal(err)
	}
	insert := history.Label{Kind: history.Kind{Method: "insert", Outcome: history.Nil}, Args: []history.Value{"1"}}
	for _, v := range []history.Value{"1", "2"} {
		contains := history.Label{Kind: history.Kind{Method: "contains", Outcome: history.Some}, Args: []history.Value{"1"}, Rets: []history.Value{v}}
		r, err := p.Check(t.Context(), history.Sequential(insert, contains))
		if v == "1" && (err != nil || r.Prefix != 0) || v == "2" && !errors.As(err, new(*monitor.OutsideClass)) {
			t.Errorf("contains(1) => %s: %+v, %v", v, r, err)
		}
	}
}
