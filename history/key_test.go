package history

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// isomorphic tries all bijections between the ops: the definition of equality
// up to renaming.
func isomorphic(h, g *History) bool {
	if len(h.Ops) != len(g.Ops) {
		return false
	}
	image := make([]int, 0, len(h.Ops))
	used := make([]bool, len(h.Ops))
	var extend func() bool
	extend = func() bool {
		if len(image) == len(h.Ops) {
			return preserves(h, g, image)
		}
		for j := range used {
			if used[j] || h.Ops[len(image)].Kind != g.Ops[j].Kind {
				continue
			}
			used[j], image = true, append(image, j)
			if extend() {
				return true
			}
			used[j], image = false, image[:len(image)-1]
		}
		return false
	}
	return extend()
}

func preserves(h, g *History, image []int) bool {
	for i := range h.Ops {
		a, b := h.Ops[i], g.Ops[image[i]]
		want := a.Target
		if want != Unmatched {
			want = image[want]
		}
		if a.Kind != b.Kind || a.ReadOnly != b.ReadOnly || a.Completed != b.Completed || b.Target != want {
			return false
		}
		for j := range h.Ops {
			if h.Before(i, j) != g.Before(image[i], image[j]) {
				return false
			}
		}
	}
	return true
}

// TestKeyTwin compares equality of keys with brute-force isomorphism, on
// renamings, on near misses and on unrelated histories.
func TestKeyTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	same, different := 0, 0
	for range 20000 {
		n := rng.IntN(6)
		h := randomHistory(rng, n, 1+rng.IntN(4))
		g := renamed(rng, h)
		switch rng.IntN(3) {
		case 1:
			g = mutated(rng, g)
		case 2:
			g = randomHistory(rng, n, 3)
		}
		want := isomorphic(h, g)
		if got := h.Key() == g.Key(); got != want {
			t.Fatalf("equal keys = %t, isomorphic = %t:\n%+v\n%+v", got, want, h, g)
		}
		if got := h.Equal(g); got != want {
			t.Fatalf("Equal = %t, isomorphic = %t:\n%+v\n%+v", got, want, h, g)
		}
		if want {
			same++
		} else {
			different++
		}
	}
	if same < 5000 || different < 5000 {
		t.Errorf("a lopsided test: %d pairs are equal, %d are not", same, different)
	}
}

// mutated changes one thing about one op, and keeps the history valid.
func mutated(rng source, h *History) *History {
	if len(h.Ops) == 0 {
		return h
	}
	op := &h.Ops[rng.IntN(len(h.Ops))]
	switch rng.IntN(3) {
	case 0:
		op.ReadOnly = !op.ReadOnly
	case 1:
		op.Method = "other"
	case 2:
		if op.Completed {
			op.End += rng.IntN(6)
		}
	}
	return h
}

func TestCanonical(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 5000 {
		h := randomHistory(rng, rng.IntN(9), 1+rng.IntN(4))
		c := h.canonical()
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		if !c.Equal(h) {
			t.Fatalf("%+v is not equal to its canonical form %+v", h, c)
		}
		if diff := cmp.Diff(c, renamed(rng, h).canonical()); diff != "" {
			t.Fatalf("canonical forms of %+v and a renaming differ:\n%s", h, diff)
		}
	}
}

// TestKeySeparates: the parts of an op cannot run into one another.
func TestKeySeparates(t *testing.T) {
	a := Sequence(op("ab", "c", Unmatched))
	b := Sequence(op("a", "bc", Unmatched))
	if a.Key() == b.Key() {
		t.Error("ab => c and a => bc have the same key")
	}
}

func TestKeyAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	dst := make([]byte, 0, 1024)
	for _, width := range []int{1, 3} {
		h := randomHistory(rng, 12, width)
		if n := testing.AllocsPerRun(100, func() { h.appendKey(dst) }); n != 0 {
			t.Errorf("width %d: appendKey allocates %v times", width, n)
		}
		if n := testing.AllocsPerRun(100, func() { h.width(); h.Weight(); h.frequency(0) }); n != 0 {
			t.Errorf("width %d: Width, Weight, Frequency allocate %v times", width, n)
		}
	}
}

func BenchmarkAppendKey(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, bb := range []struct {
		name  string
		width int
	}{{"sequential", 1}, {"width3", 3}} {
		h := randomHistory(rng, 8, bb.width)
		dst := make([]byte, 0, 1024)
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.appendKey(dst)
			}
		})
	}
}

func BenchmarkWeight(b *testing.B) {
	h := randomHistory(rand.New(rand.NewPCG(8, 1)), 8, 1)
	b.ReportAllocs()
	for b.Loop() {
		h.Weight()
	}
}
