// Command record runs one of three concurrent queues and writes the history of
// its calls and returns: a log that adtinfer check reads.
//
//	go run ./examples/logs/record -queue peek -o peek.log
//
// Which operations overlap differs from run to run. The logs beside this
// directory were recorded with it.
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

// options say what is run, and how it is written down.
type options struct {
	queue    string
	threads  int
	ops      int
	seed     int64
	add, rem string // how the log calls the operations
	jsonl    bool
	events   int
	out      string
}

func main() {
	var o options
	flag.StringVar(&o.queue, "queue", "mutex", "mutex (right), peek (wrong: looks and removes in two steps), lanes (wrong: two queues that share the values)")
	flag.IntVar(&o.threads, "threads", 3, "goroutines")
	flag.IntVar(&o.ops, "ops", 4, "operations of each goroutine")
	flag.Int64Var(&o.seed, "seed", 1, "of the choice of operations")
	flag.StringVar(&o.add, "add", "enqueue", "what the log calls the operation that adds a value")
	flag.StringVar(&o.rem, "remove", "dequeue", "what the log calls the operation that removes one")
	flag.BoolVar(&o.jsonl, "jsonl", false, "write JSON Lines instead of text")
	flag.IntVar(&o.events, "events", 0, "stop recording after so many calls and returns; what still runs is pending")
	flag.StringVar(&o.out, "o", "", "file to write; default: standard output")
	flag.Parse()
	if err := o.record(); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(2)
	}
}

func (o *options) record() error {
	newQueue, ok := queues[o.queue]
	if !ok {
		return fmt.Errorf("no queue %q: use mutex, peek or lanes", o.queue)
	}
	if o.out == "" {
		o.run(os.Stdout, newQueue())
		return nil
	}
	f, err := os.Create(o.out)
	if err != nil {
		return err
	}
	o.run(f, newQueue())
	return f.Close()
}

// run has each goroutine perform random operations; every value is new.
func (o *options) run(out io.Writer, q queue) {
	l := &log{out: out, style: text{}, limit: o.events}
	if o.jsonl {
		l.style = jsonl{}
	}
	fmt.Fprintf(out, "# record -queue %s -threads %d -ops %d -seed %d\n", o.queue, o.threads, o.ops, o.seed)
	fmt.Fprintln(out, l.style.head(o.queue+"-queue"))
	var wg sync.WaitGroup
	for t := range o.threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			o.thread(l, q, t)
		}()
	}
	wg.Wait()
}

func (o *options) thread(l *log, q queue, t int) {
	r := rand.New(rand.NewSource(o.seed + int64(t)))
	for i := range o.ops {
		runtime.Gosched()
		if r.Intn(5) < 3 {
			v := 10*(t+1) + i
			id := l.call(o.add, v)
			runtime.Gosched() // so that operations overlap
			q.enqueue(v)
			runtime.Gosched()
			l.ret(id)
			continue
		}
		id := l.call(o.rem)
		runtime.Gosched()
		v, ok := q.dequeue()
		runtime.Gosched()
		if ok {
			l.ret(id, v)
		} else {
			l.empty(id)
		}
	}
}
