package wgl

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// supposed is which kinds of operations are supposed to change nothing, for a model that does not say so. A search takes
// such an operation where it leads back to the state, and never goes back on that. Words: docs/proofs/search.md.
//
// The search supposes it of each method and outcome until it sees otherwise, and then starts again. If it finds a
// linearization, that is one. If not, a second search makes the same steps and asks, in each configuration that it
// enters, whether an operation r that was taken as a reader in state s, and might still wait, changes something
// there; r might wait as long as all others that took effect since were called before r returned (least; an
// operation taken for a younger one of its class counts with the younger one's call). If one does, its kind is no
// longer supposed, and all starts again.
//
// Claim. If the second search finds nothing and no r that was asked about changes a state, the execution has no
// linearization.
//
// Proof. Let r be taken in a configuration with state s that has a continuation c, in which r comes later. The
// operations before r in c were all called before r returned. After r, which left s as it was, the search tries
// them, too: by the cases of the proof in docs/proofs/search.md, which change no states, it enters, with r among
// the operations that took effect, a configuration with each state that they lead to. One of these is the state t
// before r in c. There r is allowed, and was asked, and leaves t as it is. So c with r moved to the front is a
// continuation with the same states, and that proof goes through. ∎
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
