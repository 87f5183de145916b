package search

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// waits reports whether a state in which no thread can begin an operation is an end:
// whatever the threads that have operations left call, all may wait.
func (s *Search) waits(set int32, left *machine.Status) (bool, error) {
	if set == linear.None {
		return false, nil
	}
	var running []int // operations: goroutines that they started do not count
	for _, t := range left.Running {
		if t < s.p.Threads {
			running = append(running, t)
		}
	}
	return s.waitsFrom(0, set, left, running)
}

// waitsFrom is waits for the calls of threads from one on; running are those that run.
func (s *Search) waitsFrom(t int, set int32, left *machine.Status, running []int) (bool, error) {
	for t < s.p.Threads && len(left.Next[t]) == 0 {
		t++
	}
	if t == s.p.Threads {
		return s.mayWait(set, running)
	}
	for _, call := range left.Next[t] {
		next, err := s.p.Sets.Call(set, t, call)
		if err != nil {
			return false, err
		}
		if ok, err := s.waitsFrom(t+1, next, left, append(running, t)); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// waitKey is a set and the threads that run an operation, as bits.
type waitKey struct {
	set     int32
	running uint32
}

// mayWait is Sets.MayWait, asked once.
func (s *Search) mayWait(set int32, running []int) (bool, error) {
	key := waitKey{set: set}
	for _, t := range running {
		key.running |= 1 << t
	}
	may, known := s.may[key]
	if !known {
		var err error
		if may, err = s.p.Sets.MayWait(set, running); err != nil {
			return false, err
		}
		s.may[key] = may
	}
	return may, nil
}

// waiting lists the threads that run, and those that cannot begin.
func (s *Search) waiting(left *machine.Status) (threads []int) {
	for t := range s.p.Threads {
		if slices.Contains(left.Running, t) || len(left.Next[t]) > 0 {
			threads = append(threads, t)
		}
	}
	return threads
}
