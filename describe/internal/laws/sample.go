package laws

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// transition is a call in a state that was met.
type transition struct {
	from, to int32
	method   int
	args     []eq.Value
	answer   []eq.Value
	run      *run
	number   uint64  // tells it from others
	counts   []int32 // of the calls before, by kind; see world.kinds
}

// run is a sequence of calls of one object.
type run struct {
	rnd    *rand.Rand
	most   int      // calls
	odd    bool     // values are odd ones: empty, negative, large, alike
	phase  bool     // it makes one call most of the time
	given  []string // texts that the reference was given; where values are odd, all of its source
	bounds []int64  // integers of both, where values are odd
	spans  []int64  // durations of both, and a second
	unit   int64    // of durations and times: a nanosecond, or where values are odd one that users have
	state  int32
	counts []int32
	favour []int // methods, some of them often
	pool   map[eq.Sort][]eq.Value
	number uint64 // tells it from others
	path   []transition
	next   transition // that is asked for
	call   int32
}

// sampling says how much to look at.
type sampling struct {
	runs, calls int // calls of a run, at most
	seed        uint64
	odd         bool // half of the runs have odd values
	phases      int  // runs beside them that make one call most of the time, with new values
}

// Of phases: what holds many, or counts far, is only seen to be full after many calls.
const (
	phaseCalls = 260
	mostCalls  = 700 // if the source has larger numbers
)

// sample makes random runs, all of them a call at a time.
func (w *world) sample(s sampling) ([]*run, error) {
	runs := make([]*run, s.runs+s.phases)
	most := s.calls
	for i := range runs {
		r := &run{rnd: rand.New(rand.NewPCG(s.seed, uint64(i))), odd: s.odd && i%2 == 1, most: 2 + i*s.calls/s.runs, state: w.space.Start(), pool: map[eq.Sort][]eq.Value{}, number: s.seed<<32 | uint64(i)<<10}
		r.literal(&w.literals)
		r.scale(i)
		if i >= s.runs {
			r.phase, r.most = true, w.phase()
			most = r.most
		}
		r.favours(len(w.methods))
		runs[i] = r
	}
	live := append([]*run(nil), runs...)
	for n := 0; n < most && len(live) > 0; n++ {
		live = slices.DeleteFunc(live, func(r *run) bool { return !w.choose(r) })
		err := w.fill(func() {
			for _, r := range live {
				w.step(r.state, r.call)
			}
		})
		if err != nil {
			return nil, err
		}
		on := live[:0]
		for _, r := range live {
			if w.follow(r); len(r.path) < r.most {
				on = append(on, r)
			}
		}
		live = on
	}
	return runs, nil
}

// favours chooses how often each method is called.
func (r *run) favours(methods int) {
	often := r.rnd.IntN(max(1, methods))
	for m := range methods {
		n := []int{1, 1, 2, 4, 8}[r.rnd.IntN(5)]
		if r.phase {
			n = 1
			if m == often {
				n = 16 * methods
			}
		}
		for range n {
			r.favour = append(r.favour, m)
		}
	}
}

// phase is how many calls a phase has: enough for the numbers in the source.
func (w *world) phase() int {
	n := int64(phaseCalls)
	for _, k := range slices.Concat(w.literals.Given.Ints, w.literals.Source.Ints) {
		if 2*k+60 <= mostCalls {
			n = max(n, 2*k+60)
		}
	}
	return int(n)
}

// choose picks the next call of a run; false: none was found whose arguments can be made.
func (w *world) choose(r *run) bool {
	for range 20 {
		m := r.favour[r.rnd.IntN(len(r.favour))]
		args := make([]eq.Value, len(w.methods[m].Params))
		for p := range args {
			args[p] = w.pick(r, m, p)
		}
		if c, ok := w.call(m, args); ok {
			r.next, r.call = transition{from: r.state, method: m, args: args, run: r}, c
			return true
		}
	}
	return false
}

// follow makes the call that was chosen.
func (w *world) follow(r *run) {
	s := w.steps[uint64(r.state)<<32|uint64(r.call)]
	t := r.next
	t.number = r.number + uint64(len(r.path))
	t.to, t.answer, t.counts = s.next, w.answer(t.method, s.answer), r.counts
	if k := w.kindOf(t.method, t.answer); k >= 0 {
		r.counts = append(slices.Clone(r.counts), make([]int32, max(0, k+1-len(r.counts)))...)
		r.counts[k]++
	}
	r.path = append(r.path, t)
	r.state = s.next
	for p, a := range t.args {
		r.remember(eq.SortOf(&w.methods[t.method].Params[p]), a)
	}
	for i, a := range t.answer {
		sort := w.parts[t.method][i].Sort
		r.remember(sort, a)
		if w.store.Is(a, eq.List) {
			for _, e := range w.store.Parts(a) {
				r.remember(sort.Elem(), e)
			}
		}
	}
}

func (r *run) remember(s eq.Sort, v eq.Value) {
	const most = 12
	if v == eq.Undefined {
		return
	}
	all := append(r.pool[s], v)
	r.pool[s] = all[max(0, len(all)-most):]
}

// about is a number near zero, most often 0, 1 or -1.
func (r *run) about() int64 {
	if r.rnd.IntN(3) > 0 {
		return int64(r.rnd.IntN(3) - 1)
	}
	return int64(r.rnd.IntN(21) - 10)
}

var (
	smallInts = []int64{1, 2, 3, 0, 5, 4, 7, 10, 6, 15}
	oddInts   = []int64{0, -1, 1, -3, 100, 13, 8, 1000, 20, -10, 50, 9}
	words     = []string{"a", "b", "c", "d", "e"}
	oddWords  = []string{"", "a", "b", "B", "zz", "ab", "x"}
)

// pick is an argument: a value that was there before, or one of few.
func (w *world) pick(r *run, m, p int) eq.Value {
	b := &w.methods[m].Params[p]
	sort := eq.SortOf(b)
	if r.phase && r.rnd.IntN(4) > 0 {
		return w.value(b, b.Numbered(1+len(r.path)))
	}
	if known := r.pool[sort]; len(known) > 0 && r.rnd.IntN(2) == 0 {
		v := known[r.rnd.IntN(len(known))]
		switch {
		case !v.IsInt() || r.rnd.IntN(3) > 0:
		case b.Duration && r.odd:
			v = eq.IntOf(v.Int() + r.span())
		default:
			v = eq.IntOf(v.Int() + w.apart(r.rnd))
		}
		return v
	}
	if sort == eq.Ints && len(w.near) > 0 && r.rnd.IntN(3) == 0 {
		return w.value(&w.methods[m].Params[p], strconv.FormatInt(w.near[r.rnd.IntN(len(w.near))]+r.about(), 10))
	}
	return w.value(&w.methods[m].Params[p], r.text(b))
}

// apart is how far an integer may be from another that was there before.
func (w *world) apart(rnd *rand.Rand) int64 {
	if some := slices.Concat(w.apartBy, w.near); w.apartBy != nil && len(some) > 0 && rnd.IntN(2) == 0 {
		return some[rnd.IntN(len(some))] + int64(rnd.IntN(3)-1)
	}
	return []int64{1, 1, -1, 2, 5}[rnd.IntN(5)]
}

// literal notes the literals that are values of a run.
func (r *run) literal(l *origin.Literals) {
	if r.given = l.Given.Texts; r.odd {
		r.given, r.bounds = slices.Concat(r.given, l.Source.Texts), slices.Concat(l.Given.Ints, l.Source.Ints)
		for _, d := range slices.Concat(l.Given.Durations, l.Source.Durations) {
			r.spans = append(r.spans, int64(d))
		}
	}
}

// scale chooses the unit of durations and times, so that some are as far apart as the reference says, and others are alike to
// it: of one minute, one month.
func (r *run) scale(i int) {
	r.unit = 1
	if r.odd {
		units := append([]int64{int64(time.Second), int64(time.Minute), int64(time.Hour), int64(24 * time.Hour), int64(40 * 24 * time.Hour)}, r.spans...)
		r.unit = units[i/2%len(units)]
	}
}

// span is a random duration.
func (r *run) span() int64 {
	if len(r.spans) > 0 && r.rnd.IntN(4) == 0 {
		return r.spans[r.rnd.IntN(len(r.spans))] + int64(r.rnd.IntN(3)-1)
	}
	return smallInts[min(r.rnd.IntN(len(smallInts)), r.rnd.IntN(len(smallInts)))] * r.unit
}

// text is a random value of a type.
func (r *run) text(b *values.Basic) string {
	ints, texts := smallInts, words
	if r.odd {
		ints, texts = oddInts, oddWords
	}
	some := func(n int) int { return min(r.rnd.IntN(n), r.rnd.IntN(n)) } // the first ones more often
	switch b.Kind {
	case values.KindInt, values.KindUint:
		if named := b.Names[:min(len(b.Names), 8)]; len(named) > 0 && !r.odd {
			return named[some(len(named))].Text
		}
		n := ints[some(len(ints))]
		switch {
		case r.odd && b.Duration:
			n = r.span()
		case r.odd && r.rnd.IntN(4) == 0:
			n = int64(r.rnd.IntN(160) - 20)
		case len(r.bounds) > 0 && r.rnd.IntN(6) == 0:
			n = r.bounds[r.rnd.IntN(len(r.bounds))] + int64(r.rnd.IntN(3)-1)
		}
		if b.Kind == values.KindUint && n < 0 {
			n = -n
		}
		return strconv.FormatInt(n, 10)
	case values.KindString, values.KindBytes:
		if len(r.given) > 0 && r.rnd.IntN(4) == 0 {
			return r.given[r.rnd.IntN(len(r.given))]
		}
		return texts[some(len(texts))]
	case values.KindBool:
		return strconv.FormatBool(r.rnd.IntN(2) == 0)
	case values.KindTime:
		if r.odd {
			return time.Date(2024, 2, 27, 23, 59, 58, 0, time.UTC).Add(time.Duration(r.span())).Format(time.RFC3339Nano)
		}
	case values.KindStruct:
		var parts []string
		for i := range b.Fields {
			parts = append(parts, r.part(&b.Fields[i].Basic))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case values.KindList:
		n := b.Len - 1
		if b.Len == 0 {
			n = r.rnd.IntN(4)
		}
		var parts []string
		for range n {
			parts = append(parts, r.part(b.Elem))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case values.KindPointer:
		return r.text(b.Elem)
	}
	return b.Numbered(1 + r.rnd.IntN(4))
}

// part is a random value inside another.
func (r *run) part(b *values.Basic) string {
	t := r.text(b)
	switch b.Kind {
	case values.KindString, values.KindBytes:
		return values.Word(t)
	case values.KindPointer:
		return "&" + r.part(b.Elem)
	}
	return t
}
