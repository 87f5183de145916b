// A node that finds itself leader skips the notification; the monitor then reads that old "leader" and ends, so that nobody hears
// of the leadership's loss.
// Source: https://github.com/hashicorp/vault/pull/8547
// Kind: blocking, receiver that ends too early.

package blocking2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type vaultNode struct {
	leader atomic.Bool
	notify chan bool
}

func (n *vaultNode) raft(quit <-chan struct{}) {
	for _, leader := range []bool{true, false} {
		n.leader.Store(leader)
		select {
		case n.notify <- leader:
		case <-quit:
		}
	}
}

// lock waits for leadership and returns a channel that is closed when it is lost.
func (n *vaultNode) lock(monitor func(*vaultNode, chan struct{})) <-chan struct{} {
	if !n.leader.Load() {
		<-n.notify
	}
	lost := make(chan struct{})
	go monitor(n, lost)
	return lost
}

func (n *vaultNode) monitor(lost chan struct{}) {
	if leader := <-n.notify; !leader {
		close(lost)
	}
}

func (n *vaultNode) monitorFixed(lost chan struct{}) {
	for leader := range n.notify {
		if !leader {
			close(lost)
			return
		}
	}
}

func vaultRun(monitor func(*vaultNode, chan struct{})) {
	n := &vaultNode{notify: make(chan bool)}
	quit := make(chan struct{})
	var raft sync.WaitGroup
	raft.Add(1)
	go func() {
		defer raft.Done()
		n.raft(quit)
	}()
	<-n.lock(monitor)
	close(quit)
	raft.Wait()
}

func TestVaultStaleNotification(t *testing.T)      { vaultRun((*vaultNode).monitor) }
func TestVaultStaleNotificationFixed(t *testing.T) { vaultRun((*vaultNode).monitorFixed) }
