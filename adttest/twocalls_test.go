package adttest

import (
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// members is a reference: who joins is told whether they are the first.
type members struct{ in map[int]bool }

func newMembers() *members { return &members{map[int]bool{}} }

func (m *members) Join(k int) bool {
	if m.in[k] {
		return false
	}
	m.in[k] = true
	return true
}

func (m *members) Leave(k int) bool {
	was := m.in[k]
	delete(m.in, k)
	return was
}

// looksThenActs joins in two steps, each of which is locked.
type looksThenActs struct {
	mu sync.Mutex
	members
}

func newLooksThenActs() *looksThenActs { return &looksThenActs{members: *newMembers()} }

func (m *looksThenActs) Join(k int) bool {
	m.mu.Lock()
	in := m.in[k]
	m.mu.Unlock()
	Yield()
	if in {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.in[k] = true
	return true
}

func (m *looksThenActs) Leave(k int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.members.Leave(k)
}

// TestFewCalls: a type that looks and then acts is shown by the two or three calls that it takes, whatever was
// found.
func TestFewCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("a second is too little to make scenarios small under the race detector")
	}
	few, seeds := 0, 0
	for _, tt := range []struct {
		name     string
		new, ref any
		size     int
	}{
		{"joins", newLooksThenActs, newMembers, 2},
		{"lost update", func() *losesUpdates { return &losesUpdates{} }, newCounter, 3},
		{"no room", func() *overfills { return &overfills{lockedRing{r: newRing()}} }, newSmallRing, 3},
	} {
		sizes := map[int]int{}
		for seed := range testsize.Samples(20) {
			f := find(t, Config{New: tt.new, Reference: tt.ref, Seed: seed + 1, Budget: patience, Calls: 12, Shrink: time.Second})
			if f == nil || f.Kind != Violation {
				t.Fatalf("%s, seed %d: %v", tt.name, seed+1, f)
			}
			sizes[f.Scenario.size()]++
			if seeds++; f.Scenario.size() == tt.size {
				few++
			}
		}
		t.Logf("%s: sizes %v", tt.name, sizes)
	}
	if 2*few <= seeds {
		t.Errorf("only %d of %d scenarios are as small as can be", few, seeds)
	}
}
