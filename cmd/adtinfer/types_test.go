package main

import (
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/applog"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/atomicint"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/bank"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/barrier"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/blobstore"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/boundedqueue100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/boundedqueue16"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/boundedqueue8"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/bufferpool"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/cell"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/closablequeue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/configstore"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/connpool"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/counter"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/dedupqueue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/delayqueue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/deque"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/fifo"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/fifocache"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/idalloc"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/idpool"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/jobs"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/kvstore"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/latch"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/lease"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/lru100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/lru16"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/lru8"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/mailbox"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/maxregister"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/multiset"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/mutex"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/namedqueues"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/outbox"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ownerlock"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/presence"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/priorityqueue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ratelimiter"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/register"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ring100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ring16"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ring8"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/rwlock"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/scheduler"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/semaphore100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/semaphore16"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/semaphore8"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/sessions"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/set"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/snapshot"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/stack"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/syncmap"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/tags"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/topic"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ttl100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ttl16"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ttl8"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/undostack"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/unionfind"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/workqueue"
)

// types are constructors of the packages in testdata/types, as infer finds them.
// The list is frozen: shares of it can be compared over time.
var types = map[string]any{
	"applog":          applog.New,
	"atomicint":       func() *atomicint.Int64 { return new(atomicint.Int64) },
	"bank":            bank.New,
	"barrier":         barrier.New,
	"blobstore":       func() *blobstore.Store { return new(blobstore.Store) },
	"boundedqueue100": boundedqueue100.New[int],
	"boundedqueue16":  func() *boundedqueue16.Queue { return new(boundedqueue16.Queue) },
	"boundedqueue8":   boundedqueue8.New,
	"bufferpool":      bufferpool.New,
	"cell":            cell.New[int],
	"closablequeue":   func() *closablequeue.Queue { return new(closablequeue.Queue) },
	"configstore":     configstore.New,
	"connpool":        connpool.New,
	"counter":         func() *counter.Counter { return new(counter.Counter) },
	"dedupqueue":      dedupqueue.New,
	"delayqueue":      delayqueue.New,
	"deque":           deque.New,
	"fifo":            fifo.New[int],
	"fifocache":       fifocache.New,
	"idalloc":         func() *idalloc.Allocator { return new(idalloc.Allocator) },
	"idpool":          idpool.New,
	"jobs":            jobs.New,
	"kvstore":         kvstore.New,
	"latch":           func() *latch.Latch { return new(latch.Latch) },
	"lease":           lease.New,
	"lru100":          lru100.New[int, int],
	"lru16":           lru16.NewCache,
	"lru8":            lru8.New,
	"mailbox":         func() *mailbox.Mailbox { return new(mailbox.Mailbox) },
	"maxregister":     func() *maxregister.Max { return new(maxregister.Max) },
	"multiset":        multiset.New[int],
	"mutex":           func() *mutex.Mutex { return new(mutex.Mutex) },
	"namedqueues":     namedqueues.New,
	"outbox":          func() *outbox.Outbox { return new(outbox.Outbox) },
	"ownerlock":       ownerlock.New,
	"presence":        func() *presence.Room { return new(presence.Room) },
	"priorityqueue":   priorityqueue.New,
	"ratelimiter":     ratelimiter.New,
	"register":        func() *register.Register { return new(register.Register) },
	"ring100":         ring100.New[int],
	"ring16":          ring16.New,
	"ring8":           func() *ring8.Ring { return new(ring8.Ring) },
	"rwlock":          func() *rwlock.RWLock { return new(rwlock.RWLock) },
	"scheduler":       scheduler.New,
	"semaphore100":    semaphore100.New,
	"semaphore16":     semaphore16.New,
	"semaphore8":      func() *semaphore8.Semaphore { return new(semaphore8.Semaphore) },
	"sessions":        sessions.NewManager,
	"set":             set.New,
	"snapshot":        snapshot.New,
	"stack":           func() *stack.Stack { return new(stack.Stack) },
	"syncmap":         syncmap.New[int, int],
	"tags":            func() *tags.Tags { return new(tags.Tags) },
	"topic":           topic.New,
	"ttl100":          ttl100.NewCache,
	"ttl16":           func() *ttl16.Sessions { return new(ttl16.Sessions) },
	"ttl8":            ttl8.New,
	"undostack":       undostack.New,
	"unionfind":       unionfind.New,
	"workqueue":       workqueue.New,
}
