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

// TestTwoCalls: a type that looks and then acts is shown by two calls, whatever was found.
func TestTwoCalls(t *testing.T) {
	sizes := map[int]int{}
	seeds := testsize.Samples(80)
	for seed := range seeds {
		f := find(t, Config{New: newLooksThenActs, Reference: newMembers, Seed: seed + 1, Budget: patience, Calls: 12, Shrink: time.Second})
		if f == nil || f.Kind != Violation {
			t.Fatalf("seed %d: %v", seed+1, f)
		}
		sizes[f.Scenario.size()]++
	}
	t.Logf("sizes %v", sizes)
	if uint64(sizes[2])*2 <= seeds {
		t.Errorf("scenarios by size: %v", sizes)
	}
}
