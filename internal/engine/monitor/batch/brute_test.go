package batch

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// histories is how many random histories a test looks at.
func histories(n int) int { return int(testsize.Samples(uint64(n))) }

func (m *model) text(as []action, events int32) string {
	lines := make([]string, events+1)
	for i, a := range as {
		lines[a.call] = fmt.Sprintf("%3d [%d] call %s(%d)", a.call, i+1, m.methods[a.method], a.arg)
		if a.ret != Never {
			lines[a.ret] = fmt.Sprintf("%3d [%d] return %v %d", a.ret, i+1, a.role, a.value)
		}
	}
	return strings.Join(lines, "\n")
}

// oneClass reports whether no value was added twice with effect.
func oneClass(as []action) bool {
	seen := uint64(0)
	for _, a := range as {
		if a.role == Add {
			if seen>>a.value&1 == 1 {
				return false
			}
			seen |= 1 << a.value
		}
	}
	return true
}

// small draws the shape of a small history.
func small(r *rand.Rand, m *model) *random {
	return &random{Rand: r, m: m, ops: 4 + r.IntN(10), processes: 2 + r.IntN(7), keys: 1 + r.IntN(4),
		bias: 2 + r.IntN(5), finish: r.IntN(2) == 0, spoil: []int{0, 2, 4, 8}[r.IntN(4)]}
}

// TestAgainstModels compares the procedures with a search of all
// linearizations, on the whole of a random history and on one of its prefixes.
// Of each whole history that is linearizable they make a linearization.
func TestAgainstModels(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			p, o := m.new(), &oracle{}
			r := rand.New(rand.NewPCG(uint64(i), 1))
			counts := map[Answer]int{}
			total := histories(100_000)
			if !testsize.Long() {
				total /= 2
			}
			if !testsize.Nightly() && (m.partial || m.looks || m.name == "equal priorities") {
				total /= 5
			}
			for k := range total {
				as, events := small(r, m).history()
				if !oneClass(as) {
					continue
				}
				c := m.Columns(as, events)
				for _, n := range []int32{events, 1 + r.Int32N(events)}[:1+k%2] {
					want := o.linearizable(m, as, n)
					got, w := p.Decide(c, n)
					counts[got]++
					if got != Unclear && want != (got == Linearizable) {
						t.Fatalf("history %d, prefix %d: %v, but linearizable is %v\n%s", k, n, got, want, m.text(as, events))
					}
					if got == Linearizable && n == events {
						if err := m.ordered(p, as, c); err != nil {
							t.Fatalf("history %d: %v\n%s", k, err, m.text(as, events))
						}
					}
					if got != Violating || k%8 != 0 {
						continue
					}
					first, got, _, exact := Shortest(t.Context(), p, c, n, got, w)
					if (got != Violating || !exact) && !m.partial && m.name != "set" || got == Violating && (o.linearizable(m, as, first) || exact && !o.linearizable(m, as, first-1)) {
						t.Fatalf("history %d: not the shortest prefix of %d: %d\n%s", k, n, first, m.text(as, events))
					}
				}
			}
			t.Logf("%v", counts)
			if counts[Linearizable] < total/5 || counts[Violating] < total/5 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
			if m.name != "set" && !m.partial && counts[Unclear] > 0 {
				t.Errorf("%d histories of the class were not decided", counts[Unclear])
			}
		})
	}
}
