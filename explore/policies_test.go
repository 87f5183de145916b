package explore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// policed is an algorithm with a linearization policy. It holds at (2,2,2) and (3,1,2), and
// with so many states, of which there may be a fifth more. Plain runs look at those below 10,000.
type policed struct {
	of                           string
	new, reference, referenceNew string // as in Options
	fresh                        []string
	states                       [2]int64
	more                         []explore.Bounds // where it holds, too: in long runs
	mutants                      []policyMutant
}

// policyMutant is an algorithm or a policy with a mistake: the verdict, and the least bounds
// at which it comes. Holds is for those that are equivalent; why says the reason.
type policyMutant struct {
	name  string
	edits []string // old text, new text, and so on
	want  explore.Verdict
	at    explore.Bounds
	why   string
}

// policies lists the algorithms; each file policy_*_test.go adds its own.
var policies []*policed

func (p *policed) options(t *testing.T, dir string, at explore.Bounds) explore.Options {
	o := explore.Options{Dir: dir, New: p.new, Bounds: at, Fresh: p.fresh, Policy: true, Workers: 1}
	if p.reference != "" {
		o.Reference, o.ReferenceNew = folder(p.reference), p.referenceNew
		return o
	}
	o.Theory = theoryOf(t, p.of)
	if o.New == "" {
		o.Type, o.New = constructor(p.of)
	}
	return o
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	for _, p := range testsize.Some(policies, 4) {
		all := append([]explore.Bounds{bounds(2, 2, 2), bounds(3, 1, 2)}, p.more...)
		for i, at := range all {
			if i >= len(p.states) && !testsize.Nightly() || i < len(p.states) && tooMany(p.states[i]) {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", p.of, at), func(t *testing.T) {
				t.Parallel()
				r := run(t, p.options(t, folder(p.of), at), explore.Holds, "")
				t.Logf("%d states", r.States)
				if i < len(p.states) && r.States > p.states[i]*6/5 {
					t.Errorf("%d states, %d expected", r.States, p.states[i])
				}
			})
		}
	}
}

// TestPolicyMutants sees to it that each mutant comes out as it says at its bounds, and in long runs,
// of some, that smaller ones do not see it, and larger ones do.
func TestPolicyMutants(t *testing.T) {
	t.Parallel()
	for _, p := range testsize.Some(policies, 4) {
		for i, m := range testsize.Some(p.mutants, 32) {
			if m.at.Threads*m.at.Operations > 4 && !testsize.Long() {
				continue
			}
			t.Run(p.of+" "+m.name, func(t *testing.T) {
				t.Parallel()
				if (m.want == explore.Holds) != (m.why != "") {
					t.Error("equivalent mutants have a reason, others do not")
				}
				dir := mutant{of: p.of, name: m.name, edits: m.edits}.write(t)
				run(t, p.options(t, dir, m.at), m.want, "")
				if m.want == explore.Holds || !testsize.Nightly() && (!testsize.Long() || i%4 != 0) {
					return
				}
				for _, at := range smaller(m.at) {
					if r, err := explore.Run(t.Context(), p.options(t, dir, at)); err != nil || r.Verdict == m.want {
						t.Errorf("%v at %v, too: %v", m.want, at, err)
					}
				}
				for _, at := range larger(m.at) {
					if r, err := explore.Run(t.Context(), p.options(t, dir, at)); err != nil || r.Verdict == explore.Holds {
						t.Errorf("%v at %v holds at %v: %v", m.want, m.at, at, err)
					}
				}
			})
		}
	}
}

// smaller are bounds of which one is by one smaller.
func smaller(b explore.Bounds) (all []explore.Bounds) {
	for _, s := range []explore.Bounds{bounds(b.Threads-1, b.Operations, b.Values), bounds(b.Threads, b.Operations-1, b.Values), bounds(b.Threads, b.Operations, b.Values-1)} {
		if min(s.Threads, s.Operations, s.Values) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// larger are bounds of at most four operations, of which one is by one larger.
func larger(b explore.Bounds) (all []explore.Bounds) {
	for _, l := range []explore.Bounds{bounds(b.Threads+1, b.Operations, b.Values), bounds(b.Threads, b.Operations+1, b.Values), bounds(b.Threads, b.Operations, b.Values+1)} {
		if l.Threads*l.Operations <= 4 && l.Values <= 2 {
			all = append(all, l)
		}
	}
	return all
}

// TestPoliciesListed sees to it that no algorithm is forgotten.
func TestPoliciesListed(t *testing.T) {
	listed := map[string]bool{
		"herlihywing": true,                            // has none: where an enqueue takes effect, only the future shows
		"cas":         true, "dcas": true, "set": true, // parts of others, and what they are compared with
	}
	for _, p := range policies {
		listed[filepath.Base(p.of)] = true
	}
	all, err := os.ReadDir(folder("examples/verified"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if text, err := os.ReadFile(filepath.Join(folder("examples/verified"), d.Name(), d.Name()+".go")); err == nil && strings.Contains(string(text), "sync") && !listed[d.Name()] {
			t.Errorf("%s has no policy in the tests", d.Name())
		}
	}
}

// TestLooseDirectives sees to it that directives are named that do nothing, or where nobody sees
// them, and that steps of an access each are refused.
func TestLooseDirectives(t *testing.T) {
	t.Parallel()
	o := explore.Options{Dir: folder("policies/loose"), Bounds: bounds(2, 2, 1), Policy: true}
	notes := strings.Join(run(t, o, explore.Holds, "").Notes, "\n")
	for _, want := range []string{"loose.go:21: this directive was never reached within these bounds", "loose.go:30: no synchronization comes before this directive"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not have %q:\n%s", want, notes)
		}
	}
	if strings.Count(notes, "directive") != 2 {
		t.Errorf("other directives are named:\n%s", notes)
	}
	o.NoFusion = true
	if _, err := explore.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "steps must be whole") {
		t.Errorf("with NoFusion: %v", err)
	}
}
