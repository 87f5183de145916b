package search

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// edges are the steps between states besides those to a state from its parent, in the order of
// where they begin.
type edges struct {
	list chunks[uint32] // where they lead; the first one of a state has the bit first
	from bitset         // states that have some
}

const first = 1 << 31

// add adds an edge, unless the state has it. Edges of the state are those from index since on.
func (e *edges) add(from, to uint32, since int) {
	for i := since; i < e.list.n; i++ {
		if e.list.at(i)&^first == to {
			return
		}
	}
	if e.list.n == since {
		to |= first
		e.from.add(from)
	}
	e.list.add(to)
}

func (e *edges) bytes() int64 { return e.list.bytes() + e.from.words.bytes() }

// backwards calls f with all states, from the last one on, and with where their edges lead.
func (e *edges) backwards(states int, f func(from uint32, to []uint32)) {
	var to []uint32
	at := e.list.n
	for n := states - 1; n >= 0; n-- {
		to = to[:0]
		for more := e.from.has(uint32(n)); more; {
			at--
			x := e.list.at(at)
			to = append(to, x&^first)
			more = x&first == 0
		}
		f(uint32(n), to)
	}
}

// livelock looks for a state from which no end can be reached, once all states are known. It
// goes backwards through the edges: time and memory are linear in them.
func (s *Search) livelock() (*Finding, error) {
	good := s.ends.clone()
	good.grow(s.parent.n)
	// Most edges lead to larger numbers, so this pass finds nearly all of them.
	bad := 0
	s.edges.backwards(s.parent.n, func(n uint32, to []uint32) {
		if !good.has(n) && !slices.ContainsFunc(to, good.has) {
			bad++
			return
		}
		good.add(n)
		good.add(s.parent.at(int(n)))
	})
	if bad == 0 {
		return nil, nil
	}
	s.spread(&good)
	for n := range uint32(s.parent.n) {
		if !good.has(n) {
			return s.lost(n, &good)
		}
	}
	return nil, nil
}

// spread adds to good the states from which one of them can be reached.
func (s *Search) spread(good *bitset) {
	into := s.region(good, true)
	var todo []uint32
	add := func(n uint32) {
		if !good.has(n) {
			good.add(n)
			todo = append(todo, n)
		}
	}
	s.edges.backwards(s.parent.n, func(n uint32, to []uint32) {
		if slices.ContainsFunc(to, good.has) {
			add(n)
		}
	})
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		add(s.parent.at(int(n)))
		for _, m := range into.of(n) {
			add(m)
		}
	}
}

// region is edges between some states, by the states where they begin or end.
type region struct {
	out   bitset   // the states that are not in it
	ranks []uint32 // how many of these states have numbers below 64 times the index
	start []uint32 // by rank: in list
	list  []uint32
}

// rank is how many states of the region have smaller numbers.
func (r *region) rank(n uint32) uint32 {
	return r.ranks[n>>6] + uint32(bits.OnesCount64(^r.out.words.at(int(n>>6))&(1<<(n&63)-1)))
}

// of is where the edges of a state lead, or come from.
func (r *region) of(n uint32) []uint32 {
	i := r.rank(n)
	return r.list[r.start[i]:r.start[i+1]]
}

// region is the edges between states that are not in a set: reversed, and without those from a
// parent; or as they are, with these.
func (s *Search) region(out *bitset, reverse bool) *region {
	r := &region{out: out.clone()}
	count := uint32(0)
	for i := range r.out.words.n {
		r.ranks = append(r.ranks, count)
		count += uint32(bits.OnesCount64(^r.out.words.at(i)))
	}
	r.start = make([]uint32, count+2)
	each := func(f func(at, x uint32)) {
		s.edges.backwards(s.parent.n, func(n uint32, to []uint32) {
			if r.out.has(n) {
				return
			}
			if p := s.parent.at(int(n)); !reverse && n != 0 && !r.out.has(p) {
				f(r.rank(p), n)
			}
			for _, m := range to {
				switch {
				case r.out.has(m):
				case reverse:
					f(r.rank(m), n)
				default:
					f(r.rank(n), m)
				}
			}
		})
	}
	each(func(at, _ uint32) { r.start[at+2]++ })
	for i := 2; i < len(r.start); i++ {
		r.start[i] += r.start[i-1]
	}
	r.list = make([]uint32, r.start[len(r.start)-1])
	each(func(at, x uint32) {
		r.list[r.start[at+1]] = x
		r.start[at+1]++
	})
	return r
}

// lost makes the finding for a state from which none of the good ones can be reached: on from it
// to the nearest state of a set of states that cannot be left, and round.
func (s *Search) lost(n uint32, good *bitset) (*Finding, error) {
	r := s.region(good, false)
	trap := r.trap(n)
	way := r.way(n, func(m uint32) bool { return trap[m] })
	at := n
	if trap[n] {
		way = nil
	} else {
		at = way[len(way)-1]
	}
	round := r.way(at, func(m uint32) bool { return m == at })
	if len(trap) == 1 {
		round = []uint32{at} // an edge from a state to itself is not kept
	}
	w := walker{s: s, m: s.p.Machine(), state: s.p.Start(), set: s.p.Sets.Start()}
	var before []uint32
	for m := n; m != 0; m = s.parent.at(int(m)) {
		before = append(before, m)
	}
	slices.Reverse(before)
	for _, numbers := range [][]uint32{before, way, round} {
		for _, m := range numbers {
			if err := w.to(m); err != nil {
				return nil, err
			}
		}
	}
	last := len(before) + len(way)
	return &Finding{Kind: Livelock, Path: w.moves[:last:last], Cycle: w.moves[last:], Lost: len(before)}, nil
}

// way is a shortest way of at least one step from a state to one that is wanted, which it
// is given without the first state; none if the first state is wanted and lies on no way back.
func (r *region) way(from uint32, wanted func(uint32) bool) []uint32 {
	before := map[uint32]uint32{}
	for queue := []uint32{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, m := range r.of(n) {
			if _, known := before[m]; known {
				continue
			}
			before[m] = n
			if !wanted(m) {
				queue = append(queue, m)
				continue
			}
			way := []uint32{m}
			for ; n != from; n = before[n] {
				way = append(way, n)
			}
			slices.Reverse(way)
			return way
		}
	}
	return nil
}

// trap is a strongly connected component that is reached from a state and cannot be left: the
// first one that Tarjan's algorithm completes.
func (r *region) trap(from uint32) map[uint32]bool {
	type frame struct {
		n    uint32
		rest []uint32
	}
	index, low := map[uint32]int{from: 0}, map[uint32]int{from: 0}
	order := []uint32{from}
	for stack := []frame{{from, r.of(from)}}; ; {
		top := &stack[len(stack)-1]
		n := top.n
		if len(top.rest) > 0 {
			m := top.rest[0]
			top.rest = top.rest[1:]
			if i, known := index[m]; known {
				low[n] = min(low[n], i)
				continue
			}
			index[m], low[m] = len(order), len(order)
			order = append(order, m)
			stack = append(stack, frame{m, r.of(m)})
			continue
		}
		if low[n] == index[n] {
			trap := map[uint32]bool{}
			for _, m := range order[index[n]:] {
				trap[m] = true
			}
			return trap
		}
		stack = stack[:len(stack)-1]
		before := stack[len(stack)-1].n
		low[before] = min(low[before], low[n])
	}
}

// walker goes from state to state, and notes the moves.
type walker struct {
	s     *Search
	m     Machine
	state []byte
	set   int32
	moves []machine.Move
}

// to makes the first step that leads to the state of a number.
func (w *walker) to(number uint32) error {
	work := newWorker(w.m, w.s.p.Threads, false)
	b := &block{}
	work.b = b
	if err := w.m.Expand(w.state, work.keep); err != nil {
		return err
	}
	for i := range b.steps {
		k := &b.steps[i]
		if k.fault != nil {
			continue
		}
		set, err := w.s.after(w.set, b, k)
		if err != nil {
			return err
		}
		if n, known := w.s.table.get(k.sum.with(set)); known && n == number {
			w.moves = append(w.moves, b.move(k))
			w.state, w.set = b.data[k.next.from:k.next.to], set
			return nil
		}
	}
	return fmt.Errorf("state %d is not one step away: the machine does not do the same twice", number)
}
