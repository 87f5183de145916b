package explore_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// manyDirectives is a cell with directives of all kinds, of which some make a policy.
const manyDirectives = `
type Cell struct {
	n    atomic.Int64
	help atomic.Pointer[request]
}

type request struct{ done atomic.Bool }

func New() *Cell { return &Cell{} }

// Set turns the cell on, and reports whether it was off.
//
//lin:receive before turned(was bool) if true: set() = was
//lin:receive after turned(was bool) in start: set() = false; goto told
//lin:receive after turned(was bool) in told if !was: set() = false; goto start
func (c *Cell) Set() bool {
	//lin: guess w // guess
	r := &request{}
	_ = r
	//lin: own r // own
	//lin: set() = false
	was := c.n.Load() == 0
	//lin: set() = was
	//lin: in start: set() = was; goto told
	//lin: if w: set() = was
	//lin: set() = was; broadcast turned(was)
	SET
	//lin: set() = was // plain
	//lin: if !w: set() = was // guess
	//lin: if w: set() = was // guess
	//lin: in told if was: set() = was
	//lin: set() = was; broadcast turned(was) // tell
	//lin: if was: set() = was; broadcast turned(!was)
	//lin: set() = was for r // own
	//lin: assume w == was // guess
	c.n.Load()
	//lin: set() = was
	//lin: in start: set() = was
	return was
}

// Get reports whether it is on.
//
//lin:receive before turned(was bool): get() = false; goto told
//lin:receive after turned(was bool) in start: get() = true
//lin:receive before turned(was bool) in told: get() = !was
func (c *Cell) Get() bool {
	//lin: guess v
	//lin: get() = false
	on := c.n.Load() != 0
	//lin: get() = on // early
	//lin: if v: get() = on // guess
	//lin: in start: get() = on
	again := c.n.Load() != 0
	_, _ = on, again
	//lin: get() = again // plain
	//lin: in told: get() = again
	//lin: if !v: get() = GET // guess
	//lin: assume v == (on == again) // guess
	return GET
}
`

// TestRandomPolicies sees to it that no policy holds on a wrong algorithm, and that what is proved for any number of
// goroutines holds within bounds.
func TestRandomPolicies(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	swap := "was = c.n.CompareAndSwap(0, 1)"
	lost := "if was {\n\t\tc.n.Store(1)\n\t}"
	for _, x := range []struct {
		name, set, get string
		right          bool
	}{
		{"right", swap, "again", true},
		{"right, and reads early", swap, "on", true},
		{"two turn it on", lost, "again", false},
		{"reads what was never there", swap, "(on != again)", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			a := attack{code: strings.NewReplacer("SET", x.set, "GET", x.get).Replace(manyDirectives)}
			random := rand.New(rand.NewPCG(1, 2))
			lines := strings.Split(a.text(), "\n")
			sets, gets := "plain", "plain"
			keep := func(line int) bool {
				_, kind, _ := strings.Cut(lines[line-1], "// ")
				if strings.Contains(lines[line-1], "set()") && kind == sets || kind == gets || kind == sets && kind != "plain" {
					return random.IntN(10) > 0
				}
				return random.IntN(20) == 0
			}
			o := explore.Options{Dir: a.write(t), Bounds: explore.Bounds{Values: 1}, AnyThreads: true, Cap: 8, Policy: true, Workers: 1}
			proved, held, n := 0, 0, 0
			err := explore.RandomPolicies(t.Context(), o, time.Second, []explore.Bounds{bounds(1, 1, 1), bounds(2, 1, 1), bounds(2, 2, 1), bounds(3, 1, 1)}, int(testsize.Samples(1000)),
				keep, func(views, refuted bool, which string) {
					n++
					sets = []string{"plain", "guess", "own", "tell"}[random.IntN(4)]
					gets = []string{"plain", "guess", "early"}[random.IntN(3)]
					if views {
						proved++
					}
					if !refuted {
						held++
					}
					if views && refuted || !x.right && !refuted {
						t.Errorf("proved: %v, refuted: %v:%s", views, refuted, which)
					}
				})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d policies: %d hold, %d are proved", n, held, proved)
		})
	}
}
