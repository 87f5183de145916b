package formula

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	_ "github.com/adtinfer/adtinfer/internal/testing/testsize" // collects garbage less often
)

// An opShape says what an operation of a test alphabet may be.
type opShape struct {
	kind     history.Kind
	self     bool // matches itself; otherwise an operation of kind target, or nothing
	target   history.Kind
	readonly bool
}

var (
	addKind    = history.Kind{Method: "add", Outcome: history.None}
	addShape   = opShape{kind: addKind, self: true}
	someShape  = opShape{kind: history.Kind{Method: "remove", Outcome: history.Some}, target: addKind}
	emptyShape = opShape{kind: history.Kind{Method: "remove", Outcome: history.Nil}, self: true, readonly: true}
	readShape  = opShape{kind: history.Kind{Method: "read", Outcome: history.Some}, target: addKind, readonly: true}
	stealShape = opShape{kind: history.Kind{Method: "steal", Outcome: history.Some}, target: addKind}
)

// sequentialHistories lists all sequential completed histories of a length.
func sequentialHistories(shapes []opShape, length int) []*history.History {
	var out []*history.History
	var extend func(h history.History, chosen []opShape)
	extend = func(h history.History, chosen []opShape) {
		if len(chosen) < length {
			for _, s := range shapes {
				extend(h, append(slices.Clone(chosen), s))
			}
			return
		}
		i := len(h.Ops)
		if i == length {
			out = append(out, &h)
			return
		}
		for _, target := range targets(chosen, i) {
			op := history.Op{Kind: chosen[i].kind, Target: target, ReadOnly: chosen[i].readonly, Completed: true, Start: i, End: i}
			extend(history.History{Ops: append(slices.Clone(h.Ops), op)}, chosen)
		}
	}
	extend(history.History{}, nil)
	return out
}

// targets are the possible match targets of operation i.
func targets(ops []opShape, i int) []int {
	if ops[i].self {
		return []int{i}
	}
	out := []int{history.Unmatched}
	for j, o := range ops {
		if o.kind == ops[i].target {
			out = append(out, j)
		}
	}
	return out
}

// removals lists the sets of operations (as bit masks) that single removals
// lead to from all completed operations of h.
func removals(h *history.History) []uint {
	all := uint(0)
	for i := range h.Ops {
		if h.Ops[i].Completed {
			all |= 1 << i
		}
	}
	reached, seen := []uint{all}, map[uint]bool{all: true}
	for k := 0; k < len(reached); k++ {
		for _, next := range oneRemoval(h, reached[k]) {
			if !seen[next] {
				seen[next] = true
				reached = append(reached, next)
			}
		}
	}
	return reached
}

func oneRemoval(h *history.History, set uint) []uint {
	var out []uint
	for i, o := range h.Ops {
		if set&(1<<i) == 0 {
			continue
		}
		match, duplicate, targeted := uint(0), false, false
		for j, p := range h.Ops {
			if set&(1<<j) == 0 {
				continue
			}
			if p.Target == i {
				match |= 1 << j
				targeted = targeted || j != i
			}
			duplicate = duplicate || j != i && sameOp(&h.Ops[i], &h.Ops[j])
		}
		if o.Target == history.Unmatched || (o.ReadOnly || duplicate) && !targeted {
			out = append(out, set&^(1<<i))
		}
		if o.Target == i {
			out = append(out, set&^match)
		}
	}
	return out
}

// embeds is the closure of single removals, and of forgetting order.
func embeds(h1, h2 *history.History) bool { return embedsIn(h1, removals(h1), completedPart(h2)) }

func embedsIn(h1 *history.History, sets []uint, h2 *history.History) bool {
	for _, set := range sets {
		if renames(h1, h2, set, nil) {
			return true
		}
	}
	return false
}

// renames reports whether the operations of h1 in set are those of h2 in some
// order, and at least as ordered; to maps the first operations of h2.
func renames(h1, h2 *history.History, set uint, to []int) bool {
	if len(to) == len(h2.Ops) {
		return set == 0 && weaker(h1, h2, to)
	}
	if bits.OnesCount(set) != len(h2.Ops)-len(to) {
		return false
	}
	for i := range h1.Ops {
		if set&(1<<i) != 0 && h1.Ops[i].Kind == h2.Ops[len(to)].Kind && renames(h1, h2, set&^(1<<i), append(slices.Clone(to), i)) {
			return true
		}
	}
	return false
}

func weaker(h1, h2 *history.History, to []int) bool {
	for j, o := range h2.Ops {
		p, target := h1.Ops[to[j]], history.Unmatched
		if o.Target != history.Unmatched {
			target = to[o.Target]
		}
		if o.Kind != p.Kind || o.ReadOnly != p.ReadOnly || target != p.Target {
			return false
		}
		for k := range h2.Ops {
			if h2.Before(j, k) && !h1.Before(to[j], to[k]) {
				return false
			}
		}
	}
	return true
}

// completedPart leaves pending operations out.
func completedPart(h *history.History) *history.History {
	var keep []int
	for i := range h.Ops {
		if h.Ops[i].Completed {
			keep = append(keep, i)
		}
	}
	return restrict(h, keep)
}

// restrict keeps some operations, in the order given; those whose target goes are unmatched.
func restrict(h *history.History, keep []int) *history.History {
	out := &history.History{}
	for _, i := range keep {
		o := h.Ops[i]
		o.Target = slices.Index(keep, o.Target)
		out.Ops = append(out.Ops, o)
	}
	return out
}

func TestEmbedIsClosureOfRemovals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		shapes []opShape
		length int
		slow   bool // Eval, too
	}{
		{"queue", []opShape{addShape, someShape, emptyShape}, 4, false},
		{"short queue", []opShape{addShape, someShape, emptyShape}, 3, true},
		{"register", []opShape{addShape, readShape}, 4, false},
		{"two ways out", []opShape{addShape, someShape, stealShape, readShape}, 3, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var all []*history.History
			for n := range tc.length + 1 {
				all = append(all, sequentialHistories(tc.shapes, n)...)
			}
			var sets [][]uint
			for _, h := range all {
				sets = append(sets, removals(h))
			}
			embedded := 0
			for _, h2 := range all {
				f := Embed(h2)
				holds := Compile(f)
				for i, h1 := range all {
					want := embedsIn(h1, sets[i], h2)
					if want {
						embedded++
					}
					if got := holds(OfHistory(h1), nil); got != want {
						t.Fatalf("%s in\n%+v: %v, want %v", String(f), h1.Ops, got, want)
					}
					if tc.slow && Eval(f, OfHistory(h1), nil) != want {
						t.Fatalf("Eval of %s in\n%+v is not %v", String(f), h1.Ops, want)
					}
				}
			}
			t.Logf("%d histories, %d pairs embed", len(all), embedded)
		})
	}
}

// randomHistory is well formed and of any width; some operations are pending.
func randomHistory(r *rand.Rand, shapes []opShape, n int) *history.History {
	var chosen []opShape
	for range n {
		chosen = append(chosen, shapes[r.IntN(len(shapes))])
	}
	h := &history.History{}
	for i, s := range chosen {
		ts := targets(chosen, i)
		start := r.IntN(n + 1)
		h.Ops = append(h.Ops, history.Op{Kind: s.kind, Target: ts[r.IntN(len(ts))], ReadOnly: s.readonly,
			Completed: true, Start: start, End: start + r.IntN(3)})
	}
	for i := range h.Ops {
		if o := &h.Ops[i]; h.Ops[i].Target != i && r.IntN(6) == 0 {
			o.Completed, o.Outcome, o.Target, o.End = false, history.Pending, history.Unmatched, history.Never
		}
	}
	return h
}

func TestEmbedBeyondWidthOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := []opShape{addShape, someShape, stealShape, readShape, emptyShape}
	counts := map[string]int{}
	for range 6000 {
		h1 := randomHistory(r, shapes[:2+r.IntN(4)], r.IntN(6))
		h2 := randomHistory(r, shapes[:2], r.IntN(4))
		if r.IntN(4) > 0 && len(h1.Ops) > 0 { // something like h1
			keep := r.Perm(len(h1.Ops))
			h2 = restrict(h1, keep[:min(len(keep), 1+r.IntN(4))])
			loosen(h2, r)
		}
		f := Embed(h2)
		want := embeds(h1, h2)
		counts[fmt.Sprint(want)]++
		if got := Eval(f, OfHistory(h1), nil); got != want {
			t.Fatalf("%s in\n%+v: %v, want %v", String(f), h1.Ops, got, want)
		}
		if got := Eval(f, OfHistory(completedPart(h1)), nil); got != want {
			t.Fatalf("%s depends on pending operations of %+v", String(f), h1.Ops)
		}
		if Eval(Not{Embed(h2)}, OfHistory(h1), nil) == want {
			t.Fatalf("Exclude and Embed agree on %+v", h1.Ops)
		}
	}
	if counts["true"] < 500 || counts["false"] < 500 {
		t.Errorf("%v; the test says little", counts)
	}
}

// loosen lets some operations end later, so that there is less order.
func loosen(h *history.History, r *rand.Rand) {
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Completed && r.IntN(4) == 0 {
			o.End += r.IntN(3)
		}
	}
}

func TestEmbedText(t *testing.T) {
	completed := func(s opShape, target, start, end int) history.Op {
		return history.Op{Kind: s.kind, Target: target, ReadOnly: s.readonly, Completed: true, Start: start, End: end}
	}
	pending := history.Op{Kind: history.Kind{Method: "add"}, Target: history.Unmatched, End: history.Never}
	for _, tc := range []struct {
		name string
		ops  []history.Op
		want string
	}{
		{"nothing", []history.Op{pending}, "true"},
		{"unmatched", []history.Op{completed(someShape, history.Unmatched, 0, 0)},
			"exists x1:Op. completed(x1) & method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmatched(x1)"},
		{"pending left out", []history.Op{pending, completed(readShape, history.Unmatched, 0, 0)},
			"exists x2:Op. completed(x2) & method(x2) = read & outcome(x2) = value & readonly(x2) & unmatched(x2)"},
		{"chain", []history.Op{completed(addShape, 0, 0, 0), completed(someShape, 0, 1, 1), completed(readShape, history.Unmatched, 2, 2)},
			"exists x1:Op, x2:Op, x3:Op. " +
				"completed(x1) & method(x1) = add & outcome(x1) = none & !readonly(x1) & match(x1) = x1 & before(x1, x2) & " +
				"completed(x2) & method(x2) = remove & outcome(x2) = value & !readonly(x2) & match(x2) = x1 & before(x2, x3) & " +
				"completed(x3) & method(x3) = read & outcome(x3) = value & readonly(x3) & unmatched(x3) & " +
				"(forall y:Op. completed(y) & match(y) = x1 -> readonly(y) | " +
				"method(y) = add & outcome(y) = none | method(y) = remove & outcome(y) = value)"},
		{"unordered twins", []history.Op{completed(someShape, history.Unmatched, 0, 1), completed(someShape, history.Unmatched, 1, 1)},
			"exists x1:Op, x2:Op. completed(x1) & method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmatched(x1) & x1 != x2 & " +
				"completed(x2) & method(x2) = remove & outcome(x2) = value & !readonly(x2) & unmatched(x2)"},
	} {
		h := &history.History{Ops: tc.ops}
		if got := String(Embed(h)); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
		if got, err := Parse(tc.want, nil); err != nil || String(got) != tc.want {
			t.Errorf("%s: does not parse: %v", tc.name, err)
		}
		if got := String(Simplify(Embed(h))); got != tc.want {
			t.Errorf("%s: could be shorter: %s", tc.name, got)
		}
	}
}

// sameOp reports whether two operations are duplicates.
func sameOp(a, b *history.Op) bool {
	return a.Target == b.Target && a.ReadOnly == b.ReadOnly && a.Completed == b.Completed && a.Kind == b.Kind
}
