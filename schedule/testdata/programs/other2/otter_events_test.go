// Changes of a cache's table are told to its eviction policy after the table's lock was given back: an addition and a removal swap
// places, and the policy keeps a key that is gone.
// Source: https://github.com/maypok86/otter/issues/59
// Kind: order of events.

package other2

import (
	"sync"
	"testing"
)

type policyEvent struct {
	key string
	add bool
}

type policyCache struct {
	mu     sync.Mutex
	table  map[string]bool
	events chan policyEvent
	inside bool // tells the policy under the lock
}

func (c *policyCache) change(key string, add bool) {
	c.mu.Lock()
	if add {
		c.table[key] = true
	} else {
		delete(c.table, key)
	}
	if c.inside {
		c.events <- policyEvent{key, add}
	}
	c.mu.Unlock()
	if !c.inside {
		c.events <- policyEvent{key, add}
	}
}

func policyRun(t *testing.T, c *policyCache) {
	c.table, c.events = map[string]bool{}, make(chan policyEvent, 4)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.change("k", false)
	}()
	c.change("k", true)
	wg.Wait()
	close(c.events)
	policy := map[string]bool{}
	for e := range c.events {
		policy[e.key] = e.add
	}
	if policy["k"] != c.table["k"] {
		t.Errorf("table %v, policy %v", c.table["k"], policy["k"])
	}
}

func TestOtterPolicyOrder(t *testing.T)      { policyRun(t, &policyCache{}) }
func TestOtterPolicyOrderFixed(t *testing.T) { policyRun(t, &policyCache{inside: true}) }
