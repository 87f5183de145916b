// Package libraries tests public Go libraries with package adttest. It is a
// module of its own, so that adtinfer itself depends on none of them:
//
//	cd examples/libraries && go test -v .
//
// Five tests find something. The scenarios are fixed ones, in which what goes
// wrong can go wrong often; it takes a second or some, and the operations that
// show it are two or three:
//
//	library                                   what is wrong
//	bytedance/gopkg v0.1.4, skipmap           Store and LoadOrStore find an entry that another goroutine is still
//	                                          linking; Load does not, and so what was stored is not there
//	cornelk/hashmap v1.0.8                    an entry that is inserted while the map grows is in the list, but for a
//	                                          while not in the new index: Get does not find it
//	alphadose/haxmap v1.3.0                   two GetAndDel both delete the same entry; and an entry inserted behind
//	                                          one that is being deleted is lost; and while the map grows, two inserts
//	                                          of one key both succeed
//	enriquebris/goconcurrentqueue v0.7.0      DequeueOrWaitForNextElement of a FIFO gets the second element before the
//	                                          first, with one producer and one consumer
//
// And these pass:
//
//	library                                   as
//	bytedance/gopkg v0.1.4, skipset           a set
//	cornelk/hashmap v1.0.8, large enough      a register, since an entry that is only overwritten is never lost
//	goconcurrentqueue v0.7.0, FixedFIFO       a queue
//	goconcurrentqueue v0.7.0, FIFO, Dequeue   a queue
//	bytedance/gopkg v0.1.4, lscq              a queue, lock-free
//	puzpuzpuz/xsync v4.5.0, SPSCQueue         a queue, lock-free, of one producer and one consumer
//	sync.Map                                  a set, a register
//	channels                                  a queue, a semaphore
//	container/list behind a sync.Mutex        a queue, a stack
//
// testdata/scheduled has these five again, and fourteen types written from public descriptions of bugs, without a word about
// which calls to make: adttest finds most of them in a second, under controlled schedules.
//
// A map is tested as what its entries are: all of them together as a set of keys,
// or one of them as a register. ADTTEST_BUDGET=10m runs tests that pass for longer.
package libraries
