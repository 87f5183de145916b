package linear

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Moves lists the moves of sets that were computed, in order, for Repeat.
func (l *Sets) Moves() []uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log[:len(l.log):len(l.log)]
}

// Repeat makes the moves of other sets of the same specification. Sets that have not been
// used before, and whose specification has not either, then are the same, with the same numbers.
func (l *Sets) Repeat(moves []uint64) error {
	for i, k := range moves {
		set, thread, what := int32(k>>32), int(k>>26&(1<<4-1)), int32(k&(mostNumbers-1))
		kind := k >> 30 & 3
		if l.unknown(set, kind, thread) {
			return fmt.Errorf("move %d of the sets of configurations is of a set that is not there", i)
		}
		var err error
		switch kind {
		case starting:
			l.Start()
		case calling:
			_, err = l.Call(set, thread, what)
		case returning:
			_, err = l.Return(set, thread, what)
		default:
			perm := permOf(int32(k&(1<<30-1)), l.threads)
			if rankOf(perm) == 0 {
				return fmt.Errorf("move %d of the sets of configurations changes nothing", i)
			}
			l.Permute(set, perm)
		}
		if err != nil && (l.learner == nil || !errors.Is(err, machine.ErrAgain)) { // a learner said so then, too
			return err
		}
	}
	return nil
}

// unknown reports whether there is no such set, or no such thread.
func (l *Sets) unknown(set int32, kind uint64, thread int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return kind != starting && int(set) >= len(l.sets.from)-1 || kind != permuting && thread >= l.threads
}

// permOf is the permutation of a rank.
func permOf(rank int32, n int) []uint8 {
	perm := make([]uint8, n)
	for i := n - 1; i >= 0; i-- {
		perm[i] = uint8(rank % int32(n-i))
		rank /= int32(n - i)
	}
	// perm[i] is now how many of those behind i are smaller.
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			if perm[j] >= perm[i] {
				perm[j]++
			}
		}
	}
	return perm
}
