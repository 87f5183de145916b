// Package libraries explores public Go libraries, their sources unchanged. It is a
// module of its own, so that adtinfer itself depends on none of them:
//
//	cd explore/libraries && go test -v .
//
// Each package below is a harness: the constructor and the operations to explore, in
// ordinary Go.
//
//	package         library                                   what it is
//	lockfreequeue   golang.design/x/lockfree v0.0.1           a lock-free queue
//	lockfreestack   golang.design/x/lockfree v0.0.1           a lock-free stack
//	skipset         zhangyunhao116/skipset v0.13.0            a set as a skip list
//	hashmaplist     cornelk/hashmap v1.0.8                    the lock-free list of a map; it loses inserts
//	ringbuffer      Workiva/go-datastructures v1.1.7          a bounded queue; Offer may fail if there is room
//	mpmcqueue       puzpuzpuz/xsync v4.5.0                    a bounded queue; it may fail if others are busy
//	fifo            enriquebris/goconcurrentqueue v0.7.0      a queue with a lock and channels
//	fifowait        enriquebris/goconcurrentqueue v0.7.0      its elements overtake each other on the way to who waits
//	concurrentmap   orcaman/concurrent-map v2.0.1             maps behind read-write locks
//	lru             hashicorp/golang-lru v2.0.7               a cache behind a read-write lock
//	skipmap         bytedance/gopkg v0.1.4                    a map as a skip list; Load misses what LoadOrStore finds
//
// Other packages are explored as they are, with no more than a constructor: popular_test.go says what comes out.
package libraries
