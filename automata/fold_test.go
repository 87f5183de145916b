package automata

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestFolded reads text that is written at length, and wants it folded; and the other way round.
func TestFolded(t *testing.T) {
	seen := "seen 1 true false"
	var long strings.Builder
	long.WriteString("-> (holds0) seen(x) => false (holds1 x)\n")
	for i := 1; i <= 12; i++ {
		held := make([]string, i)
		for j := range held {
			held[j] = fmt.Sprint("r", j+1)
		}
		at := fmt.Sprintf("(holds%d %s)", i, strings.Join(held, ", "))
		fmt.Fprintf(&long, "%s ", at)
		for _, r := range held {
			fmt.Fprintf(&long, "seen(x) if x = %s => true %s\n", r, at)
		}
		if i < 12 {
			fmt.Fprintf(&long, "otherwise => false (holds%d %s, x)\n", i+1, strings.Join(held, ", "))
		} else {
			fmt.Fprintf(&long, "otherwise => false (holds%d %s, x)\n", i, strings.Join(held[1:], ", "))
		}
	}
	want := `-> (holds0)                           seen(x)                            => false  (holds1 x)
   (holds[i] r1..r[i] for i = 1..11)  seen(x)  if x = r[j] for j = 1..i  => true   (holds[i] r1..r[i])
                                               otherwise                 => false  (holds[i+1] r1..r[i], x)
   (holds12 r1..r12)                  seen(x)  if x = r[j] for j = 1..12 => true   (holds12 r1..r12)
                                               otherwise                 => false  (holds12 r2..r12, x)
`
	a := mustParse(t, seen, long.String())
	if d := cmp.Diff(want, a.String()); d != "" {
		t.Error(d)
	}
	if b := mustParse(t, seen, want); !cmp.Equal(a, b) {
		t.Error(cmp.Diff(a, b))
	}
}

// TestUnfoldErrors has texts that stand for nothing that is right.
func TestUnfoldErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"twice":    {"-> (a0) get => - (a1)\n(a1 for i = 1..3) get => - (a0)", "two locations a1"},
		"end":      {"-> (a0) get => - (a1)\n   (a[i] for i = 1..999999999) get => - (a0)", "2:9: 999999999 is no end of a range here"},
		"too much": {"-> (a0) get => - (a1)\n   (a[i] for i = 1..2000) put(x) if x = r[j] for j = 1..2000 => - (a0)", "stand for more text than is read"},
		"range":    {"-> (a r5..r2) get => - (a r1)", "r5..r2 is no range of registers"},
		"names":    {"-> (a r1..s2) get => - (a r1)", "r1..s2 is no range of registers"},
		"huge":     {"-> (a r1..r9999999) get => - (a r1)", "is no range of registers"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(c.text, sig(t, store)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestFoldedRandomly writes random automata whose locations are alike but for some lines, and reads them.
func TestFoldedRandomly(t *testing.T) {
	folded := 0
	for seed := range uint64(testsize.Samples(300)) {
		r := rand.New(rand.NewPCG(seed, 7))
		a := mustParse(t, "put 1 none true, get 0 value/1, if 1 false", alike(r))
		text := a.String()
		if strings.Contains(text, " for i = ") {
			folded++
		}
		b, err := Parse(text, a.Methods)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if d := cmp.Diff(a, b); d != "" {
			t.Fatalf("seed %d: %s\n%s", seed, d, text)
		}
	}
	if folded < 10 {
		t.Errorf("%d are folded", folded)
	}
}

// alike is the text of an automaton with locations at0, at1, ... that have up to as many registers.
func alike(r *rand.Rand) string {
	n, stride := 9+r.IntN(8), r.IntN(2)
	names := func(from, to int) (all []string) {
		for k := from; k <= to; k++ {
			all = append(all, fmt.Sprint("r", k))
		}
		return all
	}
	at := func(i int, held []string) string {
		return "(" + strings.TrimRight(fmt.Sprintf("at%d %s", i, strings.Join(held, ", ")), " ") + ")"
	}
	var b strings.Builder
	b.WriteString("-> ")
	answer, odd := r.IntN(3), r.IntN(3*n) // a location in which something is otherwise
	for i := range n {
		held := names(1, stride*i)
		up, down := at(i, held), at(max(i-1, 0), names(1, stride*max(i-1, 0)))
		switch {
		case i < n-1 && stride == 0:
			up = at(i+1, nil)
		case i < n-1:
			up = at(i+1, append(names(1, i), "x"))
		}
		b.WriteString(at(i, held) + " ")
		for _, h := range held {
			fmt.Fprintf(&b, "put(x) if x = %s => true %s\n", h, at(i, held))
		}
		rest := "put(x)"
		if len(held) > 0 {
			rest = "otherwise"
		}
		fmt.Fprintf(&b, "%s %s\n", rest, up)
		if i == odd {
			down = at(i, held)
		}
		fmt.Fprintf(&b, "get => %s %s\n", []string{fmt.Sprint(i), `"r1..r3 for i = 1..2 [i]"`, fmt.Sprint(n - i)}[answer], down)
		fmt.Fprintf(&b, "\"if\"(x) => false %s\n", at(i, held))
	}
	return b.String()
}
