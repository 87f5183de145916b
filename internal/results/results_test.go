package results

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines are results as Sorted has them.
func lines(s *Set) (all []string) {
	for _, r := range s.Sorted() {
		all = append(all, r.Line)
	}
	return all
}

func read(t *testing.T, groups ...[]string) *Set {
	var s Set
	for i, g := range groups {
		if err := s.Read(strings.NewReader(strings.Join(g, "\n")), fmt.Sprintf("%d.json", i)); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// In whatever groups and order results are merged, the result is the same, also if
// logs are there twice.
func TestMergeGroups(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		var all []string
		for range r.IntN(12) {
			name := fmt.Sprintf("%d.log", r.IntN(6))
			switch v := []string{"violation", "linearizable", "inconclusive", "no violation found", ""}[r.IntN(5)]; v {
			case "":
				all = append(all, fmt.Sprintf(`{"file":%q,"error":"it is broken %d"}`, name, r.IntN(3)))
			default:
				all = append(all, fmt.Sprintf(`{"file":%q,"verdict":%q,"engine":"auto","events":%d}`, name, v, r.IntN(3)))
			}
		}
		whole := lines(read(t, all))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		a := r.IntN(len(all) + 1)
		b := a + r.IntN(len(all)-a+1)
		left := lines(read(t, lines(read(t, all[:a], all[a:b])), all[b:]))
		right := lines(read(t, lines(read(t, all[a:b], all[b:])), all[:a]))
		for _, got := range [][]string{lines(read(t, all)), left, right} {
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
		}
	}
}

func TestWorstCounts(t *testing.T) {
	const good, unread, bad = `{"file":"a","verdict":"linearizable","events":4}`, `{"file":"a","error":"gone"}`, `{"file":"a","verdict":"violation","events":4,"prefix":2}`
	s := read(t, []string{good, unread, bad}, []string{unread, bad})
	if diff := cmp.Diff([]string{bad}, lines(s)); diff != "" {
		t.Error(diff)
	}
	want := []Again{{"0.json:2", true}, {"0.json:3", true}, {"1.json:1", true}, {"1.json:2", false}}
	if diff := cmp.Diff(want, s.Sorted()[0].Again); diff != "" {
		t.Error(diff)
	}
}

func TestNoResult(t *testing.T) {
	for _, line := range []string{
		"[1] call add(1)", "{", "null", "[]", "{}", `{"file":1}`, `{"file":"a"}`, `{"file":"a","verdict":"fine"}`, `{"file":"a","verdict":"violation","events":-1}`,
		`{"file":"a","verdict":"violation","events":1,"prefix":2}`, `{"file":"a","verdict":"linearizable"} {}`, "\x1f\x8b",
	} {
		var s Set
		err := s.Read(strings.NewReader("\n"+line+"\n"), "x.json")
		if err == nil || !strings.HasPrefix(err.Error(), "x.json:2: is no result") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestMutants(t *testing.T) {
	s := read(t, []string{`{"mutants":5,"told":3,"missed":["b","a"]}`}, []string{`{"mutants":5,"told":3,"missed":["c","b"]}`})
	if diff := cmp.Diff(&Mutants{5, 4, []string{"b"}}, s.Mutants); diff != "" {
		t.Error(diff)
	}
	if err := s.Read(strings.NewReader(`{"mutants":6,"told":6}`), "x"); err == nil {
		t.Error("6 versions are as many as 5")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"file":"a","verdict":"linearizable","events":4}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s Set
		if s.Read(strings.NewReader(text), "x") == nil {
			s.Sorted()
		}
	})
}
