package about_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics/about"
)

func TestApart(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want about.Parts
		ok   bool
	}{
		{"forall x:Op. method(x) = m", about.Parts{Most: 1, Rank: 1}, true},
		{"forall x:Op, y:Op. match(x) = match(y) -> x = y", about.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x) = arg(y) -> x = y", about.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x, 2) = arg(y, 2) -> x = y", about.Parts{Most: 2, Rank: 2}, true},
		{"forall x:Op, y:Op. arg(x) = arg(y) | x = y", about.Parts{Most: 2, Rank: 2}, true},
		{"forall x:Op, y:Op, z:Op. before(x, y) & before(y, z) -> exists r:Op. (match(r) = x | r = match(y)) & before(r, z)", about.Parts{Most: 3, Exists: true, Rank: 4}, true},
		{"!(exists x:Op, y:Op. before(x, y) & arg(x) = arg(y))", about.Parts{Most: 1, Rank: 2}, true},
		{"forall x:Op. exists y:Op. before(x, y)", about.Parts{}, false},
		{"forall x:Op. exists y:Op. match(y) = x | before(x, y)", about.Parts{}, false},
		{"exists y:Op. method(y) = m", about.Parts{}, false},
		{"forall x:Op. exists y:Op. arg(y) = arg(x) & (forall z:Op. before(y, z))", about.Parts{}, false},
		{"forall x:Op. exists y:Op. arg(y) = arg(x) & (forall z:Op. arg(z) = arg(y) -> before(y, z))", about.Parts{Most: 1, Exists: true, Rank: 3}, true},
		{"forall x:Op, y:Op. (exists z:Op. arg(x) = arg(z) & arg(y) = arg(z)) -> x = y", about.Parts{Most: 1, Rank: 3}, true},
		{"forall x:Op, y:Op. (exists z:Op. arg(x) = arg(z) & before(y, z)) -> x = y", about.Parts{Most: 2, Rank: 3}, true},
		{"forall x:Op, y:Op. (forall z:Op. arg(x) = arg(z) & arg(y) = arg(z)) -> x = y", about.Parts{}, false},
		{"(exists y:Op. method(y) = m) <-> true", about.Parts{}, false},
	} {
		f, err := formula.Parse(tt.src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := about.Apart(f); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %+v, %v", tt.src, got, ok)
		}
	}
}
