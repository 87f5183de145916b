package instance_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

func TestOf(t *testing.T) {
	th := historytest.Example(t, "queue")
	for _, tt := range []struct {
		src    string
		ok     bool
		needed string
	}{
		{"forall x:Op, y:Op. arg(x) = arg(y) & x != y -> exists z:Op. method(z) = remove & ret(z) = arg(x)", true, "method(z) = remove & ret(z) = arg(x)"},
		{"forall x:Op, y:Op. x != y -> arg(x) != arg(y)", false, ""},
		{"forall x:Op. method(x) = add -> exists z:Op. ret(z) = arg(x)", false, ""},
		{"exists x:Op, y:Op. x != y -> (exists z:Op. ret(z) = arg(x))", false, ""},
		{"forall x:Op, y:Op. x != y -> exists z:Op. ret(z) = arg(x) & (forall w:Op. w = z)", false, ""},
		{"forall x:Op, y:Op. (forall w:Op. w = x) -> exists z:Op. ret(z) = arg(x)", false, ""},
	} {
		f, err := formula.Parse(tt.src, th.Vocabulary())
		if err != nil {
			t.Fatalf("%s: %v", tt.src, err)
		}
		r := theory.Rule{Formula: f}
		s, ok := instance.StatementOf(&r, th.Vocabulary())
		if ok != tt.ok || ok && (s.X != "x" || s.Y != "y" || s.Z != "z" || formula.String(s.Needed) != tt.needed) {
			t.Errorf("%s: %v %+v", tt.src, ok, s)
		}
	}
}
