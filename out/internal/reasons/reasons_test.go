package reasons

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func read(t *testing.T, methods, automaton string) *theory.Theory {
	t.Helper()
	text := "apiVersion: adtinfer/v1alpha1\nkind: Theory\nmetadata: {name: it}\nspec:\n  methods:\n"
	for _, m := range strings.Split(strings.TrimSpace(methods), "\n") {
		text += "    - {" + strings.TrimSpace(m) + "}\n"
	}
	text += "  automaton: |\n"
	for _, l := range strings.Split(strings.Trim(automaton, "\n"), "\n") {
		text += "    " + l + "\n"
	}
	th, err := theory.Read(strings.NewReader(text), "it.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return th
}

const (
	breakerMethods = `name: allow, args: 0, outcomes: [{outcome: none}, {outcome: ErrOpen, error: open}]
		name: success, args: 0, outcomes: [{outcome: none}]
		name: failure, args: 0, outcomes: [{outcome: none}]
		name: state, args: 0, outcomes: [{outcome: value, returns: 1}], results: [{enum: int, names: [closed, open]}]`
	breaker = `
-> (l1)  allow             (l1)
         success           (l1)
         failure           (l2)
         state   => 0      (l1)
   (l2)  allow             (l2)
         success           (l1)
         failure           (l3)
         state   => 0      (l2)
   (l3)  allow => ErrOpen  (l3)
         success           (l1)
         failure           (l3)
         state   => 1      (l3)`
	poolMethods = `name: acquire, args: 1, outcomes: [{outcome: none}, {outcome: ErrFull, error: full}]
		name: release, args: 1, outcomes: [{outcome: none}, {outcome: ErrNotHeld, error: not held}]
		name: used, args: 0, outcomes: [{outcome: value, returns: 1}]
		name: free, args: 0, outcomes: [{outcome: value, returns: 1}]`
	pool100 = `
n = sum x of acquire(x) - sum x of release(x)
acquire(x)  if n + x >= 101 => ErrFull
            otherwise
release(x)  if n >= x
            otherwise       => ErrNotHeld
used                        => n
free                        => 100 - n`
	cacheMethods = `name: get, args: 1, outcomes: [{outcome: value, returns: 1}, {outcome: nil}]
		name: put, args: 2, outcomes: [{outcome: none}]`
	lru2 = `
-> (none)          get(x)               => -  (none)
                   put(a,b)                   (one a, b)
   (one k, v)      get(x)    if x = k   => v  (one k, v)
                             otherwise  => -  (one k, v)
                   put(a,b)  if a = k         (one a, b)
                             otherwise        (two k, v, a, b)
   (two k, v, l, w)  get(x)  if x = k              => v  (two l, w, k, v)
                             if x != k and x = l   => w  (two k, v, l, w)
                             if x != k and x != l  => -  (two k, v, l, w)
                   put(a,b)  if a = k                    (two l, w, a, b)
                             if a != k and a = l         (two k, v, a, b)
                             if a != k and a != l        (two l, w, a, b)`
	ringMethods = `name: push, args: 1, outcomes: [{outcome: "true"}, {outcome: "false"}]
		name: pop, args: 0, outcomes: [{outcome: value, returns: 1}, {outcome: nil}]`
	flagMethods = `name: set, args: 1, params: [bool], outcomes: [{outcome: none}]
		name: get, args: 0, outcomes: [{outcome: value, returns: 1}, {outcome: nil}], results: [bool]
		name: reset, args: 0, outcomes: [{outcome: none}]`
	flag = `
-> (none)  set(x)  if x = "true"            (on)
                   otherwise                (off)
           get                   => -       (none)
           reset                            (none)
   (on)    set(x)  if x = "true"            (on)
                   otherwise                (off)
           get                   => "true"  (on)
           reset                            (none)
   (off)   set(x)  if x = "true"            (on)
                   otherwise                (off)
           get                   => "false" (off)
           reset                            (none)`
	ring2 = `
-> (none)      push(x) => true   (one x)
               pop     => -      (none)
   (one r)     push(x) => true   (two r, x)
               pop     => r      (none)
   (two r, s)  push(x) => false  (two r, s)
               pop     => r      (one s)`
)

// TestOf: first pages of types as an engineer would tell them.
func TestOf(t *testing.T) {
	for _, tt := range []struct{ name, methods, automaton, want string }{
		{"breaker", breakerMethods, breaker, `allow => ErrOpen after 2 × failure, until success
at first, until 2 × failure: allow succeeds; state => closed | state => closed
after 2 × failure, until success: allow => ErrOpen; state => open | 2 × failure; allow => ErrOpen
`},
		{"pool", poolMethods, pool100, `
acquire(x) succeeds if used + x ≤ 100, else => ErrFull | acquire(101) => ErrFull
release(x) succeeds if used ≥ x, else => ErrNotHeld | release(1) => ErrNotHeld
used = sum x of acquire(x) - sum x of release(x) | acquire(1); used => 1
free => 100 - used | acquire(1); free => 99
`},
		{"lru", cacheMethods, lru2, `LRU, at most 2 keys
get => what the last put of that key brought, while it is there | put(k, a); get(k) => a
at most 2 keys: one more takes the place of the one that was used, by get or put, longest ago | put(k, a); put(l, b); put(m, c); get(k) => nil
get counts as use | put(k, a); put(l, b); get(k) => a; put(m, c); get(l) => nil
`},
		{"ring", ringMethods, ring2, `FIFO, at most 2
FIFO: pop answers the oldest value that is left | push(a) => true; push(b) => true; pop => a
at most 2: push => false while 2 values are left | 2 × push(a) => true; push(a) => false
pop => nil while nothing is left | pop => nil
`},
		{"flag", flagMethods, flag, `
at first, until set(false): get => nil | get => nil
after set(false), until set(true) or reset: get => false | set(false); get => false
after set(true), until set(false) or reset: set(true) changes nothing; get => true | set(true); get => true
`},
	} {
		if diff := cmp.Diff(tt.want, text(Of(read(t, tt.methods, tt.automaton)))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}

func text(p *Page) string {
	s := p.Shape + "\n"
	for _, r := range p.Rows {
		s += r.Says + map[bool]string{true: " | never ", false: " | "}[r.Never] + r.String() + "\n"
	}
	return s
}

// TestClaims: theories that lack some patterns; what is still claimed of them holds of all
// random sequences that they admit.
func TestClaims(t *testing.T) {
	claimed, withdrawn, admitted := 0, 0, 0
	for _, name := range []string{"queue", "stack", "worksteal", "register"} {
		all := historytest.Example(t, name)
		rnd := rand.New(rand.NewPCG(1, uint64(len(name))))
		for range testsize.Samples(240) {
			th := *all
			th.Spec.Patterns = slices.Clone(th.Spec.Patterns)
			for range rnd.IntN(3) {
				i := rnd.IntN(len(th.Spec.Patterns))
				th.Spec.Patterns = slices.Delete(th.Spec.Patterns, i, i+1)
			}
			p := newPatternPage(&th.Spec)
			if len(p.adders) == 0 || len(p.takers) == 0 {
				continue
			}
			claimed += len(p.ordered) + len(p.empty)
			withdrawn += len(p.takers) + len(p.lookers) - len(p.ordered) - len(p.empty)
			for range 60 {
				run := randomRun(rnd, p)
				if !p.admits(run...) {
					continue
				}
				admitted++
				if err := p.contradicts(run); err != nil {
					t.Fatalf("%s without some patterns admits %v, but %v", name, run, err)
				}
			}
		}
	}
	t.Logf("%d claims, %d withdrawn, %d sequences admitted", claimed, withdrawn, admitted)
	if claimed < 20 || withdrawn < 5 || admitted < 50 {
		t.Error("the test looks at too little")
	}
}

func randomRun(rnd *rand.Rand, p *patternPage) (run []history.Label) {
	added := 0
	for range 1 + rnd.IntN(5) {
		switch k := rnd.IntN(5); {
		case k < 2:
			added++
			run = append(run, add(p.adders[rnd.IntN(len(p.adders))], history.Value(strconv.Itoa(added))))
		case k < 4 && added > 0:
			run = append(run, take(p.takers[rnd.IntN(len(p.takers))], history.Value(strconv.Itoa(1+rnd.IntN(added)))))
		case len(p.lookers) > 0:
			run = append(run, history.Label{Kind: p.lookers[rnd.IntN(len(p.lookers))]})
		}
	}
	return run
}

// contradicts plays a sequence on a list, and says which claim it breaks.
func (p *patternPage) contradicts(run []history.Label) error {
	type item struct {
		v  history.Value
		by int
	}
	var list []item
	for _, l := range run {
		at := slices.Index(p.adders, l.Kind)
		switch {
		case at >= 0:
			list = append(list, item{l.Args[0], at})
		case slices.Contains(p.takers, l.Kind):
			i := slices.IndexFunc(list, func(x item) bool { return x.v == l.Rets[0] })
			if i < 0 {
				if p.origin && p.once {
					return fmt.Errorf("%s answers what is not there", l)
				}
				continue
			}
			if newest, ok := p.ordered[l.Kind]; ok {
				for j := range list { // nobody is before it
					if j > i && newest[list[j].by] || j < i && !newest[list[i].by] && !newest[list[j].by] {
						return fmt.Errorf("%s is not its turn", l)
					}
				}
			}
			if p.removes[l.Kind] {
				list = slices.Delete(list, i, i+1)
			}
		case slices.Contains(p.empty, l.Kind) && len(list) > 0:
			return fmt.Errorf("%s although something is left", l)
		}
	}
	return nil
}

// TestShapes: automata with a transition that is not as it was; what is still called a ring or
// a cache answers like one in random runs.
func TestShapes(t *testing.T) {
	for _, tt := range []struct {
		name, methods, automaton string
		rows                     func(a *automata.Automaton, ms []history.MethodSig) ([]Row, string)
		model                    func(calls []history.Label) []string
	}{
		{"ring", ringMethods, ring2, listRows, ringModel},
		{"cache", cacheMethods, lru2, cacheRows, cacheModel},
	} {
		rnd, still, gone := rand.New(rand.NewPCG(2, 3)), 0, 0
		for range testsize.Samples(4000) {
			th := read(t, tt.methods, tt.automaton)
			a := th.Spec.Automaton
			mutate(rnd, a)
			rows, shape := tt.rows(a, th.Spec.Methods)
			if !strings.Contains(shape, "at most 2") || !strings.Contains(shape, "FIFO") && !strings.Contains(shape, "LRU") {
				gone++
				continue
			}
			still++
			var calls []history.Label
			for range 12 {
				m := th.Spec.Methods[rnd.IntN(2)]
				l := history.Label{Kind: history.Kind{Method: m.Name}}
				for range m.Args {
					l.Args = append(l.Args, history.Value("abc"[rnd.IntN(3):][:1]))
				}
				calls = append(calls, l)
			}
			at, want := a.Start(), tt.model(calls)
			for i := range calls {
				l, _ := a.Answer(at, &calls[i])
				if at, _ = a.Step(at, &l); joined(l.Rets) != want[i] {
					t.Fatalf("%s is called %s, %v, but answers %v in %v as\n%s", tt.name, shape, rows, &l, calls, a)
				}
			}
		}
		t.Logf("%s: %d still are one, %d are not", tt.name, still, gone)
		if still < 5 || gone < 20 {
			t.Error("the test looks at too little")
		}
	}
}

func joined(vs []history.Value) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, " ")
}

// mutate changes where a transition leads, or what it answers or holds; or nothing.
func mutate(rnd *rand.Rand, a *automata.Automaton) {
	l := &a.Locations[rnd.IntN(len(a.Locations))]
	t := &l.Transitions[rnd.IntN(len(l.Transitions))]
	register := func() automata.Term { return automata.Term{Kind: automata.Register, Index: rnd.IntN(len(l.Registers))} }
	switch {
	case rnd.IntN(4) == 0:
	case len(t.Rets) > 0 && len(l.Registers) > 0 && rnd.IntN(2) == 0:
		t.Rets[0] = register()
	case len(t.Load) > 0 && len(l.Registers) > 0:
		t.Load[rnd.IntN(len(t.Load))] = register()
	}
}

func ringModel(calls []history.Label) (answers []string) {
	var list []string
	for _, l := range calls {
		answer := ""
		switch {
		case l.Method == "push" && len(list) < 2:
			list = append(list, string(l.Args[0]))
		case l.Method == "pop" && len(list) > 0:
			answer, list = list[0], list[1:]
		}
		answers = append(answers, answer)
	}
	return answers
}

func cacheModel(calls []history.Label) (answers []string) {
	var keys []string
	values := map[string]string{}
	for _, l := range calls {
		k, answer := string(l.Args[0]), ""
		i := slices.Index(keys, k)
		if l.Method == "get" {
			if i >= 0 {
				answer, keys = values[k], append(slices.Delete(keys, i, i+1), k)
			}
			answers = append(answers, answer)
			continue
		}
		if i >= 0 {
			keys = slices.Delete(keys, i, i+1)
		} else if len(keys) == 2 {
			keys = keys[1:]
		}
		keys, values[k] = append(keys, k), string(l.Args[1])
		answers = append(answers, "")
	}
	return answers
}

// TestCondition: what is written of random comparisons is true when they hold.
func TestCondition(t *testing.T) {
	w := &words{a: &automata.Automaton{Counters: []automata.Counter{{Name: "n"}}}, counters: []string{"n"}}
	rnd := rand.New(rand.NewPCG(4, 5))
	for range 2000 {
		n, x := int64(rnd.IntN(7)-3), int64(rnd.IntN(7)-3)
		var c automata.Condition
		value := [2]int64{}
		for i, side := range []*automata.Term{&c.Left, &c.Right} {
			k, a, b := int64(rnd.IntN(7)-3), int64(rnd.IntN(3)-1), int64(rnd.IntN(3)-1)
			s := automata.Sum{Constant: k}
			if a != 0 && i == 0 {
				s.Terms = append(s.Terms, automata.Summand{Times: a})
				k += a * n
			}
			if b != 0 && i == 0 {
				s.Terms = append(s.Terms, automata.Summand{Times: b, Counter: -1})
				k += b * x
			}
			value[i], *side = k, automata.Term{Kind: automata.Total, Sum: s}
		}
		if len(c.Left.Sum.Terms) == 0 {
			continue
		}
		c.Op = []automata.Op{automata.Less, automata.AtLeast}[rnd.IntN(2)]
		want := (value[0] < value[1]) == (c.Op == automata.Less)
		text := w.condition(c, []string{"x"})
		if got := evaluate(t, text, n, x); got != want {
			t.Fatalf("%q with n = %d, x = %d is %v, want %v: %+v", text, n, x, got, want, c)
		}
	}
}

func evaluate(t *testing.T, text string, n, x int64) bool {
	for _, op := range []string{"≤", "≥", "<", ">"} {
		left, right, ok := strings.Cut(text, " "+op+" ")
		if !ok {
			continue
		}
		var sides [2]int64
		for i, side := range []string{left, right} {
			sign := int64(1)
			for _, f := range strings.Fields(side) {
				switch f {
				case "+", "-":
					sign = map[string]int64{"+": 1, "-": -1}[f]
					continue
				case "n":
					sides[i] += sign * n
				case "x":
					sides[i] += sign * x
				default:
					k, err := strconv.ParseInt(f, 10, 64)
					if err != nil {
						t.Fatalf("%q in %q", f, text)
					}
					sides[i] += sign * k
				}
			}
		}
		return map[string]bool{"≤": sides[0] <= sides[1], "≥": sides[0] >= sides[1], "<": sides[0] < sides[1], ">": sides[0] > sides[1]}[op]
	}
	t.Fatalf("no comparison: %q", text)
	return false
}
