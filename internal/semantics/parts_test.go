package semantics_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

func TestApart(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want semantics.Parts
		ok   bool
	}{
		{"forall x:Op. method(x) = m", semantics.Parts{Most: 1, Rank: 1}, true},
		{"forall x:Op, y:Op. match(x) = match(y) -> x = y", semantics.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x) = arg(y) -> x = y", semantics.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x, 2) = arg(y, 2) -> x = y", semantics.Parts{Most: 2, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x) = arg(y) | x = y", semantics.Parts{Most: 2, Rank: 2}, true},
		{"forall x:Op, y:Op, z:Op. before(x, y) & before(y, z) -> exists r:Op. (match(r) = x | r = match(y)) & before(r, z)", semantics.Parts{Most: 3, Exists: true, Rank: 4}, true},
		{"!(exists x:Op, y:Op. before(x, y) & arg(x) = arg(y))", semantics.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op. exists y:Op. before(x, y)", semantics.Parts{}, false},
		{"forall x:Op. exists y:Op. match(y) = x | before(x, y)", semantics.Parts{}, false},
		{"exists y:Op. method(y) = m", semantics.Parts{}, false},
		{"forall x:Op. exists y:Op. arg(y) = arg(x) & (forall z:Op. before(y, z))", semantics.Parts{}, false},
		{"forall x:Op. exists y:Op. arg(y) = arg(x) & (forall z:Op. arg(z) = arg(y) -> before(y, z))", semantics.Parts{Most: 1, Exists: true, Rank: 3}, true},
		{"forall x:Op, y:Op. (exists z:Op. arg(x) = arg(z) & arg(y) = arg(z)) -> x = y", semantics.Parts{Most: 1, Rank: 3}, true},
		{"forall x:Op, y:Op. (exists z:Op. arg(x) = arg(z) & before(y, z)) -> x = y", semantics.Parts{Most: 2, Rank: 3}, true},
		{"forall x:Op, y:Op. (forall z:Op. arg(x) = arg(z) & arg(y) = arg(z)) -> x = y", semantics.Parts{}, false},
		{"(exists y:Op. method(y) = m) <-> true", semantics.Parts{}, false},
	} {
		f, err := formula.Parse(tt.src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := semantics.Apart(f); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %+v, %v", tt.src, got, ok)
		}
	}
}
