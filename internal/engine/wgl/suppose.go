package wgl

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// supposed is which kinds of operations are supposed to change nothing, for a
// model that does not say so. A search takes such an operation where it leads back
// to the state, and never goes back on that.
//
// A linearization that is found so is one. If there is none, that may be for what
// was supposed: an operation r, taken in a state s, might have had to wait for a
// state where it changes something. So the search is made again, and proves in
// every configuration that no r had to: a linearization in which r comes later
// takes from s on operations that were called before r returned; all states that
// they lead to are met, too, with r in the set; if in each of them r is not
// allowed, or changes nothing, r may as well come at once. Where r changes
// something its kind is no more supposed, and the search starts again.
//
// What else was taken at once does not matter, being as idle as r; and where an
// operation was taken for a younger one of its class (see yields), that one's call
// counts.
type supposed struct {
	kinds   []int32 // by label of completed operations
	changes []bool  // by kind
	used    []bool  // by kind
	wrong   bool    // a kind that was used changes states
}

// kindsOf numbers the kinds of labels.
func kindsOf(labels []*history.Label) []int32 {
	var known []history.Kind // few
	kinds := make([]int32, len(labels))
	for i, l := range labels {
		n := slices.Index(known, l.Kind)
		if n < 0 {
			n, known = len(known), append(known, l.Kind)
		}
		kinds[i] = int32(n)
	}
	return kinds
}

func newSupposed(kinds []int32) *supposed {
	n := int32(0)
	for _, k := range kinds {
		n = max(n, k+1)
	}
	return &supposed{kinds: kinds, changes: make([]bool, n), used: make([]bool, n)}
}

// changed is told that a label changed a state.
func (u *supposed) changed(label int32) {
	if int(label) < len(u.kinds) {
		kind := u.kinds[label]
		u.changes[kind] = true
		u.wrong = u.wrong || u.used[kind]
	}
}

// again begins a search and reports whether the last one used a supposition.
func (u *supposed) again() (used bool) {
	for kind := range u.used {
		used = used || u.used[kind]
		u.used[kind] = false
	}
	u.wrong = false
	return used
}

// idle reports whether an operation is supposed to change nothing.
func (k *machine) idle(op int32) bool {
	return k.supposed != nil && !k.pending[op] && !k.supposed.changes[k.supposed.kinds[k.label[op]]]
}

// uses says that an operation was taken because it is idle.
func (k *machine) uses(op int32) { k.supposed.used[k.supposed.kinds[k.label[op]]] = true }

// errWrong ends a search that supposed what is not so.
var errWrong = errors.New("wgl: an operation changes something, after all")

// proof is what a search needs to prove that the operations it took at once did
// not have to wait.
type proof struct {
	*machine
	least  []int32 // by operation: the least number of those that may have yielded to it, and its own
	holder []int32 // by slot: the last operation taken that has it
}

func newProof(k *machine, t *timeline) *proof {
	p := &proof{k, make([]int32, len(t.slot)), make([]int32, t.slots)}
	for op := range p.least {
		p.least[op] = int32(op)
	}
	var running []int32
	called := int32(0)
	for r, op := range t.byReturn {
		for ; called < t.called[r]; called++ {
			running = append(running, called)
		}
		kept := running[:0]
		for _, other := range running {
			if k.label[other] == k.label[op] {
				p.least[op] = min(p.least[op], other)
			}
			if other != op {
				kept = append(kept, other)
			}
		}
		running = kept
	}
	return p
}

// check looks at the operations that took effect in a configuration and might have
// waited, since they return after the call of top, the last of the others.
func (p *proof) check(s *searcher) {
	first := s.rank
	for first > 0 && s.called[first-1] > s.top {
		first--
	}
	for _, op := range s.byReturn[first:s.rank] {
		p.checkOne(s, op)
	}
	for w, word := range s.done[:s.cache.fixed] {
		for ; word != 0; word &= word - 1 {
			p.checkOne(s, p.holder[w*64+bits.TrailingZeros64(word)])
		}
	}
}

func (p *proof) checkOne(s *searcher, op int32) {
	if p.idle(op) {
		p.step(s.state, p.label[op]) // which tells if it changes the state
	}
}
