package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// sets prints time and memory of three searches over histories of a real
// concurrent set ("Faster linearizability checking via P-compositionality"
// Table 1).
func sets(ctx context.Context, calls int, limit time.Duration) error {
	m, err := wgl.Builtin("set")
	if err != nil {
		return err
	}
	fmt.Printf("## Searches over set histories\n\nFour goroutines with %d calls each over 24 values, recorded from a set behind a mutex, and the same with one answer\n"+
		"turned around near the end. Limit %v; memory is what the search allocated.\n\n"+
		"| history | search | answer | time | memory |\n|---|---|---|--:|--:|\n", calls, limit)
	for _, wrong := range []bool{false, true} {
		e := recordSet(4, calls)
		name := "right"
		if wrong {
			name = "wrong"
			turnAround(e)
		}
		for _, s := range []struct {
			name    string
			options wgl.Options
		}{{"wgl", wgl.Options{}}, {"wgl, LRU of 1,000", wgl.Options{LRU: 1000}}, {"wgl, partition", wgl.Options{Partition: true}}} {
			answer, took, memory, err := search(ctx, m, e, s.options, limit)
			if err != nil {
				return err
			}
			fmt.Printf("| %s | %s | %s | %v | %.0f MB |\n", name, s.name, answer, took.Round(time.Millisecond), float64(memory)/1e6)
		}
	}
	return nil
}

func search(ctx context.Context, m wgl.Model, e *history.Execution, o wgl.Options, limit time.Duration) (answer string, took time.Duration, memory uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	r, err := wgl.Check(ctx, m, e, o)
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	memory = after.TotalAlloc - before.TotalAlloc
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "none in time", took, memory, nil
	case err != nil:
		return "", 0, 0, err
	case r.Linearizable:
		return "linearizable", took, memory, nil
	}
	return fmt.Sprintf("violation, %d events", r.Prefix), took, memory, nil
}

// recordSet runs goroutines against a set behind a mutex. Moments are taken from
// a counter before each call and after each return.
func recordSet(goroutines, calls int) *history.Execution {
	var (
		mu    sync.Mutex
		held  [24]bool
		clock atomic.Int64
		wg    sync.WaitGroup
	)
	records := make([][]history.Operation, goroutines)
	for g := range records {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(g), 1))
			for range calls {
				v := r.IntN(len(held))
				o := history.Operation{Label: history.Label{Kind: history.Kind{Method: []string{"insert", "remove", "contains"}[r.IntN(3)]}}}
				o.Args = []history.Value{history.Value(strconv.Itoa(v))}
				o.Call = int(clock.Add(1)) - 1
				mu.Lock()
				there := held[v]
				if o.Method != "contains" {
					held[v] = o.Method == "insert"
				}
				mu.Unlock()
				o.Return = int(clock.Add(1)) - 1
				o.Outcome = history.Nil
				if there {
					o.Outcome, o.Rets = history.Some, o.Args
				}
				records[g] = append(records[g], o)
			}
		}()
	}
	wg.Wait()
	return merge(records, int(clock.Load()))
}

// merge puts the operations in order of their calls.
func merge(records [][]history.Operation, events int) *history.Execution {
	e := &history.Execution{Events: events}
	at := make([]*history.Operation, events)
	for g := range records {
		for i := range records[g] {
			at[records[g][i].Call] = &records[g][i]
		}
	}
	for _, o := range at {
		if o != nil {
			o.ID = strconv.Itoa(len(e.Ops) + 1)
			e.Ops = append(e.Ops, *o)
		}
	}
	return e
}

// turnAround makes a contains near the end say the opposite, where nothing else
// happens to its value at the time.
func turnAround(e *history.Execution) {
	for i := len(e.Ops) * 9 / 10; i < len(e.Ops); i++ {
		o := &e.Ops[i]
		if o.Method != "contains" || o.Return != o.Call+1 {
			continue
		}
		if o.Outcome == history.Nil {
			o.Outcome, o.Rets = history.Some, o.Args
		} else {
			o.Outcome, o.Rets = history.Nil, nil
		}
		return
	}
}

// follow feeds an execution to a monitor and counts the events.
func follow(ctx context.Context, m *saturate.Saturation, e *history.Execution) (int, error) {
	type event struct {
		op     int
		isCall bool
	}
	events := make([]event, e.Events)
	for i := range e.Ops {
		events[e.Ops[i].Call] = event{i, true}
		if e.Ops[i].Completed() {
			events[e.Ops[i].Return] = event{i, false}
		}
	}
	ops := make([]saturate.Op, len(e.Ops))
	for n, v := range events {
		if n%256 == 0 && ctx.Err() != nil {
			return n, nil
		}
		o := &e.Ops[v.op]
		var err error
		if v.isCall {
			ops[v.op], err = m.Call(o.Method, o.Args)
		} else {
			_, err = m.Return(ops[v.op], o.Outcome, o.Rets)
		}
		if err != nil {
			return n, err
		}
	}
	return e.Events, nil
}
