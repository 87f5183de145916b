// Package blinktree is a B-link tree ("Efficient locking for concurrent
// operations on B-trees" §3), recorded, with a specification, a view on each
// side, and four ways to get it wrong: the larger example of "Runtime refinement
// checking".
//
// Every node has a link to the one on its right and knows its largest key. An
// operation holds the lock of one node at a time, so a node may have been split
// between the moment an operation learned of it and the moment it gets there. It
// then goes on to the right. Splits are told to the level above later. A
// compressor, in a goroutine of its own, merges leaves with few pairs; an
// operation that gets to a leaf that was merged goes on to the left
// ("Concurrent operations on B*-trees with overtaking" §4).
//
//	t := blinktree.New(rec, blinktree.Correct)
//	s := t.Session("p1", nil)   // one for each goroutine
//	s.Insert(7, 70)
//	data, ok := s.Lookup(7)
//	s.Delete(7)
//	t.Session("compressor", nil).Compress()
package blinktree

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/record"
)

// Tree maps integer keys to integer data.
type Tree struct {
	root   atomic.Pointer[node]
	grows  sync.Mutex // held by who makes a new root
	leaves atomic.Int64
	defect Defect

	rec                              *record.Recorder
	insert, lookup, delete, compress record.Method
	high                             record.Variable
	keys, data                       [width]record.Variable
}

// New makes an empty tree, recorded by rec.
func New(rec *record.Recorder, d Defect) *Tree {
	t := &Tree{
		defect: d, rec: rec,
		insert: rec.Method("insert"), lookup: rec.Method("lookup"), delete: rec.Method("delete"), compress: rec.Method("compress"),
		high: rec.Variable(highName),
	}
	for i := range width {
		t.keys[i], t.data[i] = rec.Variable(keyNames[i]), rec.Variable(dataNames[i])
	}
	t.root.Store(t.leaf(math.MaxInt))
	return t
}

// Session is a goroutine's access to a tree.
type Session struct {
	t     *Tree
	h     *record.Handle
	yield func()
}

// Session makes the access of one goroutine, named process. If yield is not nil
// it is called wherever another goroutine may take over, and instead of waiting.
func (t *Tree) Session(process string, yield func()) *Session {
	return &Session{t, t.rec.Handle(process), yield}
}

// Insert gives a key its data, whether it had others before or not.
func (s *Session) Insert(key, data int) {
	s.h.Call(s.t.insert, record.Int(key), record.Int(data))
	absent := s.t.defect == InsertsTwice && !s.present(key)
	n := s.reach(key, 0, s.t.defect != StaysAtInsert)
	i, found := n.index(key)
	if found && !absent {
		n.data[i] = data
	} else {
		n.put(i, key, data)
	}
	s.settle(n)
	s.h.Return(record.None)
}

// settle records what an Insert did to leaf n, splits it if it is too large, and
// lets it go.
func (s *Session) settle(n *node) {
	s.h.Begin()
	if len(n.keys) <= width {
		s.write(n)
		s.h.Commit()
		s.unlock(n)
		return
	}
	right := s.t.split(n)
	separator := n.high
	s.write(n, right)
	s.h.Commit()
	s.unlock(n)
	s.link(separator, right)
}

// Lookup is the data of a key, if it has any.
func (s *Session) Lookup(key int) (int, bool) {
	s.h.Call(s.t.lookup, record.Int(key))
	n := s.reach(key, 0, s.t.defect != StaysAtLookup)
	i, found := n.index(key)
	if !found {
		s.unlock(n)
		s.h.Return(record.Nil)
		return 0, false
	}
	data := n.data[i]
	s.unlock(n)
	s.h.Return(record.Some, record.Int(data))
	return data, true
}

// Delete takes a key out, and returns false if it is not there. Without effect
// it only observes, and needs no commit.
func (s *Session) Delete(key int) bool {
	s.h.Call(s.t.delete, record.Int(key))
	n := s.reach(key, 0, true)
	i, found := n.index(key)
	if found {
		n.remove(i)
		s.h.Begin()
		s.write(n)
		s.h.Commit()
	}
	s.unlock(n)
	if !found {
		s.h.Return(record.False)
		return false
	}
	s.h.Return(record.True)
	return true
}

// present looks for a key, and forgets the lock.
func (s *Session) present(key int) bool {
	n := s.reach(key, 0, true)
	defer s.unlock(n)
	_, found := n.index(key)
	return found
}
