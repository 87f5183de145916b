package search

import "github.com/adtinfer/adtinfer/explore/internal/machine"

// waits reports whether a state in which no thread can begin an operation is an end:
// whatever the threads that have operations left call, all may wait.
func (s *Search) waits(set int32, left *machine.Status) (bool, error) {
	return s.waitsFrom(0, set, left)
}

// waitsFrom is waits for calls of the threads from one on.
func (s *Search) waitsFrom(t int, set int32, left *machine.Status) (bool, error) {
	for t < len(left.Left) && (left.Left[t] == 0 || has(left.Running, t)) {
		t++
	}
	if t == len(left.Left) {
		return s.p.Sets.MayWait(set)
	}
	for _, call := range left.Next[t] {
		next, err := s.p.Sets.Call(set, t, call)
		if err != nil {
			return false, err
		}
		if ok, err := s.waitsFrom(t+1, next, left); err != nil || !ok {
			return false, err
		}
	}
	if len(left.Next[t]) == 0 { // there is nothing left that it could call
		return s.waitsFrom(t+1, set, left)
	}
	return true, nil
}

// waiting lists the threads that run, and those that cannot begin.
func waiting(left *machine.Status) (threads []int) {
	for t, n := range left.Left {
		if has(left.Running, t) || n > 0 && len(left.Next[t]) > 0 {
			threads = append(threads, t)
		}
	}
	return threads
}

func has(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
