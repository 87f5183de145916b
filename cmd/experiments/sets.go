package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// sets has searches decide histories of concurrent sets.
func sets(ctx context.Context, r *report) error {
	histories := at(r.size, [3]int{2, 5, 50})
	calls := at(r.size, [3]int{500, 70_000, 70_000})
	limit := at(r.size, [3]time.Duration{time.Second, 10 * time.Second, time.Hour})
	theirs, note := newPorcupine(ctx, r)
	if theirs != nil {
		defer theirs.close()
	}
	r.section("Table 1", "Histories of concurrent sets in Go, %d of each, by four goroutines with %d calls each over %d values: average time and memory that was\n"+
		"allocated, without those that took longer than %v, whose part is given in per cent. WGL+P searches each value by itself. Auto is what\n"+
		"`adtinfer check` does. The paper's column has the mnemonics of its Table 2 for what comes closest, and its times on histories of 4 x 70,000\n"+
		"calls by WGL, WGL+LRU and WGL+P. Porcupine searches each value by itself, too: %s.\n\n"+
		"Not repeated: Intel's TBB and Lowe's lock-free skip lists, which are not in Go, and the Wing-Gong search without a cache, which the\n"+
		"paper leaves out, too.", histories, calls, historytest.SetValues, limit, note)
	deciders, err := setDeciders(theirs)
	if err != nil {
		return err
	}
	head := []string{"set", "violations"}
	for _, d := range deciders {
		head = append(head, d.name)
	}
	var rows [][]string
	p := plot{title: "Average time of a search", x: "row of the table", y: "seconds", logY: true}
	for _, d := range deciders {
		p.series = append(p.series, series{name: d.name})
	}
	for i, c := range concurrentSets() {
		record := func(seed uint64) *history.Execution { return c.record(4, calls, seed) }
		row, took, err := compared(ctx, deciders, histories, record, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		rows = append(rows, append(append([]string{c.name}, row...), c.paper()))
		p.ticks = append(p.ticks, strconv.Itoa(i+1))
		for k, t := range took {
			if t > 0 {
				p.series[k].points = append(p.series[k].points, point{x: float64(i), y: t.Seconds()})
			}
		}
	}
	r.finding("Lazy list: WGL, WGL+LRU, WGL+P", "23 s, 94 s, 6 s", strings.Join(rows[2][2:5], "; "))
	r.table(append(head, "paper"), rows)
	r.picture("table1", p)
	return nil
}

// outcome is what a search said of a history, if it was not late.
type outcome struct {
	good, late bool
	took       time.Duration
	allocated  uint64
}

// setDecider decides histories of sets.
type setDecider struct {
	name   string
	decide func(ctx context.Context, limit time.Duration, e *history.Execution) (outcome, error)
}

func setDeciders(theirs *porcupine) ([]setDecider, error) {
	m, err := wgl.Builtin("set")
	if err != nil {
		return nil, err
	}
	search := func(name string, o wgl.Options) setDecider {
		return ours(name, func(ctx context.Context, e *history.Execution) (bool, error) {
			r, err := wgl.Check(ctx, m, e, o)
			return r.Linearizable, err
		})
	}
	c, err := check.New(nil, check.Options{Model: "set"})
	if err != nil {
		return nil, err
	}
	all := []setDecider{search("WGL", wgl.Options{}), search("WGL+LRU", wgl.Options{LRU: 1000}), search("WGL+P", wgl.Options{Partition: true}), auto(c)}
	if theirs != nil {
		all = append(all, setDecider{"Porcupine", func(ctx context.Context, limit time.Duration, e *history.Execution) (outcome, error) {
			return theirs.judge(ctx, "set", limit, e)
		}})
	}
	return all, nil
}

// auto is what adtinfer check does.
func auto(c *check.Checker) setDecider {
	return ours("auto", func(ctx context.Context, e *history.Execution) (bool, error) {
		r, err := c.Check(ctx, e)
		if err == nil && r.Verdict == check.Inconclusive {
			err = context.DeadlineExceeded
		}
		return r.Verdict == check.Linearizable, err
	})
}

// ours measures a decision in this process.
func ours(name string, decide func(context.Context, *history.Execution) (bool, error)) setDecider {
	return setDecider{name, func(ctx context.Context, limit time.Duration, e *history.Execution) (o outcome, err error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		o.good, err = decide(ctx, e)
		o.took = time.Since(start)
		runtime.ReadMemStats(&after)
		o.allocated = after.TotalAlloc - before.TotalAlloc
		if o.late = errors.Is(err, context.DeadlineExceeded); o.late {
			err = nil
		}
		return o, err
	}}
}

// compared has all decide histories of a set: cells with the violations and each one's
// time, memory and part that it did not decide. Two verdicts on a history are an error.
func compared(ctx context.Context, deciders []setDecider, histories int, record func(seed uint64) *history.Execution, limit time.Duration) (row []string, took []time.Duration, err error) {
	sums, late, bad := make([]outcome, len(deciders)), make([]int, len(deciders)), 0
	for i := range histories {
		e, said := record(uint64(i)), map[bool]string{}
		for k, d := range deciders {
			o, err := d.decide(ctx, limit, e)
			switch {
			case err != nil:
				return nil, nil, fmt.Errorf("%s: %w", d.name, err)
			case o.late:
				late[k]++
				continue
			}
			if said[o.good] = d.name; said[!o.good] != "" {
				return nil, nil, fmt.Errorf("history %d is linearizable says %s, and not so says %s", i, said[true], said[false])
			}
			sums[k].took, sums[k].allocated = sums[k].took+o.took, sums[k].allocated+o.allocated
		}
		if said[false] != "" {
			bad++
		}
	}
	row = []string{strconv.Itoa(bad)}
	for k, sum := range sums {
		cell := "100% late"
		if n := histories - late[k]; n > 0 {
			sum.took /= time.Duration(n)
			cell = fmt.Sprintf("%s, %d MB", short(sum.took), sum.allocated/uint64(n)/1e6)
			if late[k] > 0 {
				cell += fmt.Sprintf(", %d%% late", late[k]*100/histories)
			}
		}
		row, took = append(row, cell), append(took, sum.took)
	}
	return row, took, nil
}

// paper is what the paper has for the set that comes closest.
func (c *concurrentSet) paper() string {
	times := map[string]string{
		"TBB": "101 s, 11 s, 6 s", "CRLSL": "20 s, 25 s, 6 s", "FGL": "16 s, 81 s, 5 s", "LLL": "23 s, 94 s, 6 s",
		"LSL": "20 s, 25 s (14% late), 6 s", "LFLL": "11 s, 15 s, 5 s", "LFSLF0": "14 s, 18 s, 5 s", "LFSLF1": "< 1 s each",
		"OPTIMIST": "16 s, 54 s (9% late), 5 s",
	}
	if c.like == "" {
		return ""
	}
	return c.like + ": " + times[c.like]
}
