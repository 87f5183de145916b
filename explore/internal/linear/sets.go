package linear

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// None is the empty set: the history is not linearizable.
const None int32 = 0

// Most is how many configurations a set has.
const Most = 1 << 16

// MostThreads is how many threads the sets of an exploration have.
const MostThreads = 12

// Sets are the sets of configurations of an exploration. They are safe for concurrent
// use. After the error machine.ErrAgain the exploration has to start again, with the same
// Sets or new ones: the specification has learned of a value, or has other states.
type Sets struct {
	spec    spec.Spec
	learner spec.Learner // spec, if it is
	loose   *Loose       // nil: no call is
	threads int
	memo    memo

	mu    sync.Mutex // of all that follows
	sets  interned
	work  closing
	moved []int32
}

// New is the sets of histories of so many threads, at most MostThreads.
func New(s spec.Spec, threads int) *Sets {
	if threads > MostThreads {
		panic(fmt.Sprintf("linear: %d threads are too many", threads))
	}
	l := &Sets{spec: s, threads: threads, moved: make([]int32, 1+threads)}
	l.learner, _ = s.(spec.Learner)
	l.memo.init()
	l.sets.init()
	l.work.width = 1 + threads
	return l
}

// What a thread does in a configuration, as a number: nothing, a call that has not
// taken effect, or an answer.
const idle int32 = 0

func running(call int32) int32 { return 2*call + 1 }
func took(answer int32) int32  { return 2*answer + 2 }

// The moves that are remembered.
const (
	calling uint64 = iota
	returning
	permuting
)

// key is a move of a set: bits 32 and up are the set, below them is the kind of move, the
// thread and the call or answer, or the permutation.
func key(set int32, kind uint64, thread int, what int32) uint64 {
	return uint64(set)<<32 | kind<<30 | uint64(thread)<<26 | uint64(what)
}

// mostNumbers bounds the numbers of calls and answers.
const mostNumbers = 1 << 26

// Start is the set before the first call.
func (l *Sets) Start() int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.moved)
	l.moved[0] = l.spec.Start()
	return l.sets.number(l.moved)
}

// Call is the set after a thread's call.
func (l *Sets) Call(set int32, thread int, call int32) (int32, error) {
	k := key(set, calling, thread, call)
	if next, ok := l.memo.get(k); ok {
		return next, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if call >= mostNumbers {
		return None, fmt.Errorf("more than %d calls", mostNumbers)
	}
	w := &l.work
	w.clear()
	for c := range slices.Chunk(l.sets.of(set), w.width) {
		w.add(c)
		w.at(w.count - 1)[1+thread] = running(call)
		l.overlap(w.at(w.count - 1))
	}
	w.rehash()
	if err := w.close(l.spec); err != nil {
		return None, l.again(err)
	}
	return l.memo.put(k, l.sets.number(w.sorted())), nil
}

// again forgets all moves if the specification said too little.
func (l *Sets) again(err error) error {
	if errors.Is(err, machine.ErrAgain) {
		l.memo.init()
	}
	return err
}

// Return is the set after a thread's operation answered: None if it could not.
func (l *Sets) Return(set int32, thread int, answer int32) (int32, error) {
	k := key(set, returning, thread, answer)
	if next, ok := l.memo.get(k); ok {
		return next, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if answer >= mostNumbers || l.loose != nil && answer >= marked-1 {
		return None, fmt.Errorf("more than %d different answers", mostNumbers)
	}
	if l.learner != nil && l.learner.Learn(answer) {
		return None, l.again(machine.ErrAgain)
	}
	w := &l.work
	w.clear()
	for c := range slices.Chunk(l.sets.of(set), w.width) {
		if l.answers(c[1+thread], answer) {
			w.add(c)
			w.at(w.count - 1)[1+thread] = idle
		}
	}
	return l.memo.put(k, l.sets.number(w.sorted())), nil
}

// Permute renames threads: thread i of the result is thread perm[i] of the set.
func (l *Sets) Permute(set int32, perm []uint8) int32 {
	perm = perm[:l.threads]
	rank := rankOf(perm)
	if rank == 0 || set == None {
		return set
	}
	k := key(set, permuting, 0, rank)
	if next, ok := l.memo.get(k); ok {
		return next
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.work
	w.clear()
	for c := range slices.Chunk(l.sets.of(set), w.width) {
		l.moved[0] = c[0]
		for i, t := range perm {
			l.moved[1+i] = c[1+t]
		}
		w.add(l.moved)
	}
	return l.memo.put(k, l.sets.number(w.sorted()))
}

// rankOf numbers permutations; 0 is the one that changes nothing.
func rankOf(perm []uint8) (rank int32) {
	for i, t := range perm {
		smaller := int32(0)
		for _, u := range perm[i+1:] {
			if u < t {
				smaller++
			}
		}
		rank = rank*int32(len(perm)-i) + smaller
	}
	return rank
}

// MayWait reports whether running operations of these threads may wait for ever if no
// other returns: whether there is a configuration in which none of them has
// taken effect and none can.
func (l *Sets) MayWait(set int32, threads []int) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
next:
	for c := range slices.Chunk(l.sets.of(set), 1+l.threads) {
		for _, t := range threads {
			if c[1+t]%2 == 0 {
				continue next
			}
			waits, err := spec.Waits(l.spec, c[0], c[1+t]/2)
			if err != nil {
				return false, l.again(err)
			}
			if !waits {
				continue next
			}
		}
		return true, nil
	}
	return false, nil
}

// Answers lists what a thread's running operation may answer if it returns now.
func (l *Sets) Answers(set int32, thread int) (answers []int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range slices.Chunk(l.sets.of(set), 1+l.threads) {
		if t := c[1+thread]; t != idle && t%2 == 0 && t != took(anything) {
			answers = append(answers, (t/2-1)&^l.mark())
		}
	}
	slices.Sort(answers)
	return slices.Compact(answers)
}

// mark is what answers of loose calls carry, 0 if there are none.
func (l *Sets) mark() int32 {
	if l.loose == nil {
		return 0
	}
	return marked
}

// Text lists the configurations of a set for readers, with the texts that calls and
// answers have.
func (l *Sets) Text(set int32, call, answer func(int32) string) (texts []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range slices.Chunk(l.sets.of(set), 1+l.threads) {
		words := []string{l.spec.Text(c[0])}
		for i, t := range c[1:] {
			switch {
			case t == idle:
			case t%2 == 1:
				words = append(words, fmt.Sprintf("%d: %s has not taken effect", i, call(t/2)))
			default:
				words = append(words, fmt.Sprintf("%d: took effect and answers %s", i, answer(t/2-1)))
			}
		}
		texts = append(texts, strings.Join(words, "; "))
	}
	return texts
}

// Bytes is how much memory the sets take, about.
func (l *Sets) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(4*cap(l.sets.all) + 8*cap(l.sets.from) + 8*cap(l.sets.hashes) + 4*cap(l.sets.byHash) + 16*len(*l.memo.slots.Load()))
}

// Count is how many sets there are, and how many configurations in all of them.
func (l *Sets) Count() (sets, configurations int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sets.from) - 2, len(l.sets.all) / (1 + l.threads)
}
