package refusal

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/configstore"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/deque"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/workqueue"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestSurvey compares the answers of a survey, and which words it takes apart,
// with those of the reference to each word by itself.
func TestSurvey(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, constructor := range []any{configstore.New, deque.New, workqueue.New} {
		impl, err := reference.Of(constructor)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSurvey(t.Context(), impl)
		if err != nil {
			t.Fatal(err)
		}
		last := func(ws ...word) (as []reference.Answer) {
			seqs := make([][]reference.Call, len(ws))
			for i, w := range ws {
				seqs[i] = s.sequence(w)
			}
			answers, err := impl.Replay(t.Context(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range answers {
				as = append(as, a[len(a)-1])
			}
			return as
		}
		random := func(n int) word {
			ws := s.words[n]
			return ws[rng.IntN(len(ws))]
		}
		for range int(testsize.Samples(100)) {
			v, w := random(1+rng.IntN(s.length-1)), random(rng.IntN(s.length))
			if a := last(v)[0]; !a.Equal(s.answer[v]) {
				t.Fatalf("%s: %s: %v, but the survey says %v", impl.Name(), s.draw(v), a, s.answer[v])
			}
			if got, want := first(s.distinguish(v, w)), apartSlowly(s, v, w, last); got != want {
				t.Fatalf("%s: %q takes %s and %s apart, but %q is said to", impl.Name(), want, s.draw(v), s.draw(w), got)
			}
		}
	}
}

func first(x word, _ bool) word { return x }

// apartSlowly asks the reference itself.
func apartSlowly(s *survey, v, w word, last func(...word) []reference.Answer) word {
	for n := 1; n+max(len(v), len(w)) <= s.length; n++ {
		for _, x := range s.words[n] {
			if as := last(v+x, w+x); !as[0].Equal(as[1]) {
				return x
			}
		}
	}
	return ""
}
