// The description of an account holds the account's read lock and asks for its name tag, which takes the read lock again; an
// update of claims in between waits for the first and stops the second.
// Source: https://github.com/nats-io/nats-server/pull/6527
// Kind: blocking, recursive read lock.

package blocking2

import (
	"sync"
	"testing"
)

type natsAccount struct {
	mu      sync.RWMutex
	tag     string
	imports []*natsAccount
}

func (a *natsAccount) nameTag() string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.tag
}

func (a *natsAccount) info(tag func() string) (string, int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	n := len(a.imports)
	return tag(), n
}

func (a *natsAccount) update(tag string, from *natsAccount) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tag, a.imports = tag, append(a.imports, from)
}

func natsRun(t *testing.T, info func(*natsAccount) (string, int)) {
	a := &natsAccount{}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		a.update("eu", a)
	}()
	go func() {
		defer wg.Done()
		info(a)
	}()
	if tag, n := info(a); (tag == "eu") != (n == 1) {
		t.Errorf("tag %q with %d imports", tag, n)
	}
	wg.Wait()
}

func TestNatsAccountNameTag(t *testing.T) {
	natsRun(t, func(a *natsAccount) (string, int) { return a.info(a.nameTag) })
}

func TestNatsAccountNameTagFixed(t *testing.T) {
	natsRun(t, func(a *natsAccount) (string, int) { return a.info(func() string { return a.tag }) })
}
