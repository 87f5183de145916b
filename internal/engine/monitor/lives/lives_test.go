package lives_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/lives"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// twin decides a problem by trying every way of every value, and all orders of the
// operations then.
type twin struct {
	lives.Problem
	way  []int
	used []bool  // tokens
	row  []int   // values that are in, in the order in which they came
	came uint64  // values that came
	left uint64  // values that left
	now  int32   // the gap
	of   []int32 // by value: its class
}

func (p *twin) decide(v int) bool {
	if v == len(p.Values) {
		p.row, p.came, p.left, p.now = nil, 0, 0, 0
		return p.search()
	}
	for i, w := range p.Values[v].Ways {
		p.way[v], p.of[v] = i, int32(w.Class)
		if p.decide(v + 1) {
			return true
		}
	}
	return false
}

func (p *twin) search() bool {
	done := true
	for v := range p.Values {
		in, out := p.came>>v&1 == 1, p.left>>v&1 == 1
		switch {
		case !in:
			done = false
			if p.try(v, false, -1) {
				return true
			}
		case out || p.Stays(int(p.of[v])):
		case len(p.Values[v].Ways) == 1:
			done = false
			if p.try(v, true, -1) {
				return true
			}
		default:
			done = false
			for t := range p.Tokens {
				if !p.used[t] && p.Tokens[t].Kind == int(p.of[v])%(p.Removers+1) && p.try(v, true, t) {
					return true
				}
			}
		}
	}
	return done
}

// try lets an operation take effect as the next, and searches on.
func (p *twin) try(v int, leaves bool, token int) bool {
	saved := *p
	op := p.Values[v].In
	if leaves {
		op = p.Values[v].Ways[p.way[v]].Out
	}
	if token >= 0 {
		op.S = max(op.S, p.Tokens[token].Call)
	}
	ok := max(p.now, op.S) < op.E && p.step(v, leaves)
	if ok {
		p.now = max(p.now, op.S)
		if token >= 0 {
			p.used[token] = true
		}
		ok = p.search()
		if token >= 0 {
			p.used[token] = false
		}
	}
	if !ok {
		p.row, p.came, p.left, p.now = saved.row, saved.came, saved.left, saved.now
	}
	return ok
}

// step is false if the table does not allow it.
func (p *twin) step(v int, leaves bool) bool {
	class := func(u int) int { return int(p.of[u]) }
	if !leaves {
		for _, u := range p.row {
			if p.Stays(class(u)) && p.Stays(class(v)) && !p.Encloses[p.At(class(u), class(v))] {
				return false
			}
		}
		p.row, p.came = append(p.row[:len(p.row):len(p.row)], v), p.came|1<<v
		return true
	}
	var rest []int
	behind := false
	for _, u := range p.row {
		switch {
		case u == v:
			behind = true
			continue
		case !behind && !p.Encloses[p.At(class(u), class(v))], behind && !p.Overtaken[p.At(class(v), class(u))]:
			return false
		}
		rest = append(rest, u)
	}
	p.row, p.left = rest, p.left|1<<v
	return behind
}

func slowly(p lives.Problem) bool {
	t := &twin{Problem: p, way: make([]int, len(p.Values)), used: make([]bool, len(p.Tokens)), of: make([]int32, len(p.Values))}
	return t.decide(0)
}

// follows reports whether steps are an order that the problem allows.
func follows(p lives.Problem, steps []lives.Step) bool {
	t := &twin{Problem: p, used: make([]bool, len(p.Tokens)), of: make([]int32, len(p.Values))}
	for v := range p.Values {
		t.of[v] = int32(p.Values[v].Ways[0].Class)
	}
	for _, s := range steps {
		if s.Leaves {
			t.of[s.Value] = int32(p.Values[s.Value].Ways[s.Way].Class)
		}
	}
	for _, s := range steps {
		v := &p.Values[s.Value]
		op := v.In
		if s.Leaves {
			op = v.Ways[s.Way].Out
			if len(v.Ways) > 1 {
				token := -1
				for i, k := range p.Tokens {
					if token < 0 && !t.used[i] && k.Kind == v.Ways[s.Way].Class%(p.Removers+1) {
						token = i
					}
				}
				if token < 0 {
					return false
				}
				t.used[token], op.S = true, max(op.S, p.Tokens[token].Call)
			}
		}
		if t.now = max(t.now, op.S); t.now >= op.E || !t.step(int(s.Value), s.Leaves) {
			return false
		}
	}
	for v := range p.Values {
		if t.came>>v&1 == 0 || t.left>>v&1 == 0 && !p.Stays(int(t.of[v])) {
			return false
		}
	}
	return true
}

func randomTable(r *rand.Rand) *lives.Table {
	for {
		t := &lives.Table{Adders: 1 + r.IntN(2), Removers: 1 + r.IntN(2)}
		n := t.Classes()
		t.Encloses, t.Overtaken = make([]bool, n*n), make([]bool, n*n)
		for i := range t.Encloses {
			stay := t.Stays(i/n) && t.Stays(i%n)
			t.Encloses[i], t.Overtaken[i] = stay || r.IntN(4) > 0, stay || r.IntN(4) > 0
		}
		if t.Closed() {
			return t
		}
	}
}

// randomProblem has values whose operations begin and end at any of so many events, as long
// as none leaves before it comes.
func randomProblem(r *rand.Rand) lives.Problem {
	p := lives.Problem{Table: randomTable(r)}
	k := 2 + r.IntN(4)
	tokens := r.IntN(3)
	at := r.Perm(4*k + tokens)
	next := func() int32 {
		x := at[0]
		at = at[1:]
		return int32(x) + 1
	}
	end := int32(4*k + tokens + 1)
	span := func() lives.Span { // a short one, of some
		a := next()
		for i := range min(4, len(at)) {
			if x := at[i] + 1; max(x-int(a), int(a)-x) < max(at[0]+1-int(a), int(a)-at[0]-1) {
				at[0], at[i] = at[i], at[0]
			}
		}
		b := next()
		return lives.Span{S: min(a, b), E: max(a, b)}
	}
	first := make([]int32, p.Removers)
	for range tokens {
		p.Tokens = append(p.Tokens, lives.Token{Kind: r.IntN(p.Removers), Call: next()})
	}
	for i := range p.Tokens { // in the order of their calls
		for j := range p.Tokens[:i] {
			if p.Tokens[i].Call < p.Tokens[j].Call {
				p.Tokens[i], p.Tokens[j] = p.Tokens[j], p.Tokens[i]
			}
		}
	}
	for _, t := range p.Tokens {
		if first[t.Kind] == 0 {
			first[t.Kind] = t.Call
		}
	}
	for range k {
		in, out := span(), span()
		if out.E < in.S {
			in, out = out, in
		}
		adder := r.IntN(p.Adders)
		v := lives.Value{In: in, Ways: []lives.Way{{Class: p.Class(adder, r.IntN(p.Removers)), Out: out}}}
		if r.IntN(3) == 0 { // nothing that returned removes it
			v.Ways = []lives.Way{{Class: p.Class(adder, p.Removers), Out: lives.Span{S: end, E: end + 1}}}
			for kind, call := range first {
				if call != 0 {
					v.Ways = append(v.Ways, lives.Way{Class: p.Class(adder, kind), Out: lives.Span{S: max(call, in.S), E: end}})
				}
			}
		}
		p.Values = append(p.Values, v)
	}
	return p
}

// TestDecide compares answers with those of the twin, has it follow the orders, and
// holds that the values that are blamed are a violation by themselves.
func TestDecide(t *testing.T) { testDecide(t, testsize.Samples(100_000)) }

// TestCheckpoints is TestDecide where sweeps go on from checkpoints. They get as far as sweeps from the beginning do.
func TestCheckpoints(t *testing.T) {
	defer lives.RememberAfter(1)()
	n, several := testsize.Samples(30_000), 0
	testDecide(t, n)
	for seed := range n {
		p := randomProblem(rand.New(rand.NewPCG(seed, 41)))
		got := lives.Tries(p)
		undo := lives.RememberAfter(1 << 30)
		want := lives.Tries(p)
		undo()
		if got != want {
			t.Fatalf("seed %d: %d sweeps, and %d from the beginning", seed, got, want)
		}
		if want > 1 {
			several++
		}
	}
	if several < int(n)/1000 {
		t.Errorf("only %d of %d need several sweeps", several, n)
	}
}

func testDecide(t *testing.T, n uint64) {
	var good, bad, unclear int
	for seed := range n {
		p := randomProblem(rand.New(rand.NewPCG(seed, 41)))
		got, want := lives.Decide(p), slowly(p)
		at := func() string { return fmt.Sprintf("seed %d: %+v, tokens %v: ", seed, p.Values, p.Tokens) }
		switch got.Answer {
		case lives.Unclear:
			unclear++
		case lives.Linearizable:
			if good++; !want {
				t.Fatalf("%s linearizable, and it is not", at())
			}
			if !follows(p, got.Steps) {
				t.Fatalf("%s the order %v is not allowed", at(), got.Steps)
			}
		case lives.Violating:
			if bad++; want {
				t.Fatalf("%s a violation, and it is none", at())
			}
			part := lives.Problem{Table: p.Table, Tokens: p.Tokens}
			for _, v := range got.Blame {
				part.Values = append(part.Values, p.Values[v])
			}
			if slowly(part) {
				t.Fatalf("%s the values %v alone are no violation", at(), got.Blame)
			}
		}
	}
	t.Logf("%d linearizable, %d violations, %d unclear", good, bad, unclear)
	if uint64(min(good, bad)) < n/20 || uint64(unclear) > 1+n/1000 {
		t.Errorf("of %d: %d linearizable, %d violations, %d unclear", n, good, bad, unclear)
	}
}
