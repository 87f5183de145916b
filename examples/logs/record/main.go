// Command record runs one of three concurrent queues and prints the history of
// its calls and returns as a log that adtinfer check reads.
//
//	go run ./examples/logs/record -queue mutex > mutex.log
//
// Which operations overlap differs from run to run; the logs beside this
// program were recorded with it.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"runtime"
	"sync"
)

func main() {
	kind := flag.String("queue", "mutex", "mutex (right), peek (wrong: looks and removes in two steps), lanes (wrong: two queues that share the values)")
	threads := flag.Int("threads", 3, "goroutines")
	ops := flag.Int("ops", 4, "operations of each goroutine")
	seed := flag.Int64("seed", 1, "of the choice of operations")
	flag.Parse()
	q, ok := queues[*kind]
	if !ok {
		fmt.Fprintf(os.Stderr, "record: no queue %q: use mutex, peek or lanes\n", *kind)
		os.Exit(2)
	}
	fmt.Printf("# @object queue\n# recorded from the %s queue: %d goroutines, %d operations each\n", *kind, *threads, *ops)
	run(&log{out: os.Stdout}, q(), *threads, *ops, *seed)
}

// queue is what all three implement.
type queue interface {
	enqueue(v int)
	dequeue() (int, bool)
}

var queues = map[string]func() queue{
	"mutex": func() queue { return &mutexQueue{} },
	"peek":  func() queue { return &peekQueue{} },
	"lanes": func() queue { return &laneQueue{} },
}

// run has each goroutine perform random operations; every value is new.
func run(l *log, q queue, threads, ops int, seed int64) {
	var wg sync.WaitGroup
	for t := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(seed + int64(t)))
			for i := range ops {
				runtime.Gosched()
				if r.Intn(5) < 3 {
					v := 10*(t+1) + i
					id := l.call(fmt.Sprintf("enqueue(%d)", v))
					q.enqueue(v)
					l.ret(id, "")
				} else {
					id := l.call("dequeue")
					if v, ok := q.dequeue(); ok {
						l.ret(id, fmt.Sprint(" ", v))
					} else {
						l.ret(id, " empty")
					}
				}
			}
		}()
	}
	wg.Wait()
}

// log writes calls and returns in the order in which they happen.
type log struct {
	mu  sync.Mutex
	out io.Writer
	ids int
}

func (l *log) call(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids++
	fmt.Fprintf(l.out, "[%d] call %s\n", l.ids, what)
	return l.ids
}

func (l *log) ret(id int, value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "[%d] return%s\n", id, value)
}

// mutexQueue is right.
type mutexQueue struct {
	mu     sync.Mutex
	values []int
}

func (q *mutexQueue) enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
}

func (q *mutexQueue) dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// peekQueue lets go of the lock between looking at the front and removing it,
// so that two goroutines may dequeue the same value.
type peekQueue struct{ mutexQueue }

func (q *peekQueue) dequeue() (int, bool) {
	q.mu.Lock()
	if len(q.values) == 0 {
		q.mu.Unlock()
		return 0, false
	}
	v := q.values[0]
	q.mu.Unlock()
	runtime.Gosched()
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) > 0 {
		q.values = q.values[1:]
	}
	return v, true
}

// laneQueue spreads values over two queues, so that they may overtake.
type laneQueue struct {
	mu    sync.Mutex
	next  int
	lanes [2]mutexQueue
}

func (q *laneQueue) enqueue(v int) {
	q.mu.Lock()
	q.next++
	lane := q.next % len(q.lanes)
	q.mu.Unlock()
	q.lanes[lane].enqueue(v)
}

func (q *laneQueue) dequeue() (int, bool) {
	for i := range q.lanes {
		if v, ok := q.lanes[i].dequeue(); ok {
			return v, true
		}
	}
	return 0, false
}
