package main

import (
	"runtime"
	"slices"
	"sync"

	"github.com/adtinfer/adtinfer/examples/verified/handoverhand"
	"github.com/adtinfer/adtinfer/examples/verified/harris"
	"github.com/adtinfer/adtinfer/examples/verified/lazy"
	"github.com/adtinfer/adtinfer/examples/verified/michael"
	"github.com/adtinfer/adtinfer/examples/verified/optimistic"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// intSet is a concurrent set. Add and Remove say whether they changed it.
type intSet interface {
	Add(int) bool
	Remove(int) bool
	Contains(int) bool
}

// concurrentSet is a benchmark; like is the paper's that comes closest.
type concurrentSet struct {
	name, like string
	new        func() intSet
}

func concurrentSets() []concurrentSet {
	hashed := func(buckets int, faulty bool) func() intSet {
		return func() intSet { return &hashSet{buckets: make([]bucket, buckets), faulty: faulty} }
	}
	return []concurrentSet{
		{"hand over hand", "FGL", func() intSet { return handoverhand.New() }},
		{"optimistic", "OPTIMIST", func() intSet { return optimistic.New() }},
		{"lazy list", "LLL", func() intSet { return lazy.New() }},
		{"Michael's list", "LFLL", func() intSet { return michael.New() }},
		{"Harris's list", "LFLL", func() intSet { return harris.New() }},
		{"skip list", "LSL", func() intSet { return &skipList{head: &skipNode{}} }},
		{"sync.Map", "TBB", func() intSet { return &syncMap{} }},
		{"striped map", "", hashed(16, false)},
		{"striped map, collisions", "CRLSL", hashed(1, false)},
		{"faulty, good hash", "LFSLF1", hashed(16, true)},
		{"faulty, bad hash", "LFSLF0", hashed(1, true)},
	}
}

// record runs goroutines against a new set.
func (c *concurrentSet) record(goroutines, calls int, seed uint64) *history.Execution {
	set := c.new()
	return historytest.RecordSet(goroutines, calls, seed, func(method, v int) bool { return wasIn(set, method, v) })
}

// wasIn calls a method, and says whether the value was there.
func wasIn(s intSet, method, v int) bool {
	switch method {
	case 0:
		return !s.Add(v)
	case 1:
		return s.Remove(v)
	}
	return s.Contains(v)
}

// hashSet has a lock for each bucket. A faulty one looks before it takes the lock.
type hashSet struct {
	buckets []bucket
	faulty  bool
}

type bucket struct {
	mu sync.RWMutex
	in []int
}

func (b *bucket) has(v int) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Contains(b.in, v)
}

func (s *hashSet) of(v int) *bucket { return &s.buckets[v%len(s.buckets)] }

func (s *hashSet) Add(v int) bool {
	b := s.of(v)
	if s.faulty {
		if b.has(v) {
			return false
		}
		runtime.Gosched()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !s.faulty && slices.Contains(b.in, v) {
		return false
	}
	b.in = append(b.in, v)
	return true
}

func (s *hashSet) Remove(v int) bool {
	b := s.of(v)
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.in, v)
	if i < 0 {
		return false
	}
	b.in = slices.Delete(b.in, i, i+1)
	return true
}

func (s *hashSet) Contains(v int) bool { return s.of(v).has(v) }

type syncMap struct{ m sync.Map }

func (s *syncMap) Add(v int) bool {
	_, was := s.m.LoadOrStore(v, true)
	return !was
}

func (s *syncMap) Remove(v int) bool {
	_, was := s.m.LoadAndDelete(v)
	return was
}

func (s *syncMap) Contains(v int) bool {
	_, is := s.m.Load(v)
	return is
}

// skipList is a skip list behind a lock, with a node's height from its value.
type skipList struct {
	mu   sync.RWMutex
	head *skipNode
}

type skipNode struct {
	value int
	next  [3]*skipNode
}

// before lists the last node below v of each level.
func (s *skipList) before(v int) (at [3]*skipNode) {
	n := s.head
	for level := len(at) - 1; level >= 0; level-- {
		for n.next[level] != nil && n.next[level].value < v {
			n = n.next[level]
		}
		at[level] = n
	}
	return at
}

func (s *skipList) Add(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.before(v)
	if n := at[0].next[0]; n != nil && n.value == v {
		return false
	}
	n := &skipNode{value: v}
	for level := 0; level < len(at) && v%(1<<level) == 0; level++ {
		n.next[level], at[level].next[level] = at[level].next[level], n
	}
	return true
}

func (s *skipList) Remove(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.before(v)
	n := at[0].next[0]
	if n == nil || n.value != v {
		return false
	}
	for level := range at {
		if at[level].next[level] == n {
			at[level].next[level] = n.next[level]
		}
	}
	return true
}

func (s *skipList) Contains(v int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := s.before(v)[0].next[0]
	return n != nil && n.value == v
}
