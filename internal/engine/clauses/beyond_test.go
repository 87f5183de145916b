package clauses_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// TestSecondNeeds: what a second insert of a set needs, from statements of many forms.
// Those that say less, or more than a clause can make use of, are left alone.
func TestSecondNeeds(t *testing.T) {
	const twice = "method(x) = insert & outcome(x) = nil & method(y) = insert & outcome(y) = nil & arg(x) = arg(y)"
	const removed = "method(z) = remove & outcome(z) = value"
	for _, tt := range []struct {
		name, statement string
		want            bool
	}{
		{"as inferred", "forall x:Op, y:Op. " + twice + " & x != y -> exists z:Op. " + removed + " & arg(z) = arg(x)", true},
		{"the other way round", "forall y:Op, x:Op. x != y & " + twice + " -> exists z:Op. arg(y) = arg(z) & " + removed, true},
		{"of more inserts", "forall x:Op, y:Op. method(x) = insert & method(y) = insert & arg(x) = arg(y) & x != y -> exists z:Op. " + removed + " & arg(z) = arg(x)", true},
		{"of fewer inserts", "forall x:Op, y:Op. " + twice + " & outcome(y) = value & x != y -> exists z:Op. " + removed + " & arg(z) = arg(x)", false},
		{"of any value", "forall x:Op, y:Op. " + twice + " & x != y -> exists z:Op. " + removed, false},
		{"that answers with it", "forall x:Op, y:Op. " + twice + " & x != y -> exists z:Op. " + removed + " & ret(z) = arg(x)", false},
		{"or of the first", "forall x:Op, y:Op. " + twice + " & x != y -> exists z:Op. method(z) = insert & arg(z) = arg(x)", false},
		{"ordered", "forall x:Op, y:Op. " + twice + " & x != y -> exists z:Op. " + removed + " & arg(z) = arg(x) & before(x, z)", false},
		{"none at all", "forall x:Op, y:Op. " + twice + " -> x = y", false},
		{"one operation", "forall x:Op. method(x) = insert -> exists z:Op. " + removed + " & arg(z) = arg(x)", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := historytest.Example(t, "set")
			f, err := formula.Parse(tt.statement, th.Vocabulary())
			if err != nil {
				t.Fatal(err)
			}
			th.Spec.Beyond = []theory.Rule{{Name: "statement", Formula: f}}
			r, err := clauses.Compile(th)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range r.Kinds {
				var got []history.Kind
				for j := range r.Kinds {
					if k.SecondNeeds.Has(j) {
						got = append(got, r.Kinds[j].Kind)
					}
				}
				want := tt.want && k.Kind == history.Kind{Method: "insert", Outcome: history.Nil}
				if len(got) == 1 != want || want && got[0] != (history.Kind{Method: "remove", Outcome: history.Some}) {
					t.Errorf("%s: %v", k.Kind, got)
				}
			}
		})
	}
}
