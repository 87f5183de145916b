package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
)

// stepper decides the prefixes of a log in order, those that end in a return, and says
// which event it has come to, until the context ends.
type stepper struct {
	name          string
	five, hundred string // the paper's medians of steps, in 5 s and in 100 s
	steps         func(ctx context.Context, x *recording, t *track) error
}

// steppers are the paper's five, counting, and the monitor that auto uses.
func steppers() []stepper {
	propagation := func(o saturate.Options) func(context.Context, *recording, *track) error {
		return func(ctx context.Context, x *recording, t *track) error { return propagated(ctx, x, o, t) }
	}
	again := func(e engine) func(context.Context, *recording, *track) error {
		return func(ctx context.Context, x *recording, t *track) error { return again(ctx, e, x, t) }
	}
	return []stepper{
		{"enumerate", "18", "32", again(enumerated())},
		{"symbolic", "37", "70", again(symbolic())},
		{"symbolic, removal", "", "", withoutMatches},
		{"counting 4", "", "", again(counted("counting 4", 4))},
		{"saturate", "357", "854", propagation(saturate.Options{})},
		{"saturate, removal", ">1303", "", propagation(saturate.Options{Removal: true})},
		{"monitor", "", "", monitored},
	}
}

// track is when an engine came to each event of a log.
type track struct {
	start time.Time
	limit time.Duration
	end   context.CancelFunc
	at    []time.Duration
	whole bool // of the log
}

// begin says that the engine is prepared: its time runs.
func (t *track) begin() {
	t.start = time.Now()
	time.AfterFunc(t.limit, t.end)
}

func (t *track) came() { t.at = append(t.at, time.Since(t.start)) }

// by is how many steps were made in a time.
func (t *track) by(limit time.Duration) int {
	n, _ := slices.BinarySearch(t.at, limit)
	return n
}

// fifths are the parts of the paper's 100 s at which it looked.
var fifths = []float64{0.05, 0.25, 0.5, 0.75, 1}

// steps follows the large logs with each engine, once for all limits.
func steps(ctx context.Context, r *report) error {
	all, err := recordings(r.data)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(x recording) bool { return !x.large() || x.group != "msq" })
	if len(all) == 0 {
		return fmt.Errorf("no log msq.*.log, of Michael and Scott's queue, with 5,000 operations or more below %s", r.data)
	}
	if r.size == seconds {
		all = all[:1]
	}
	limit := at(r.size, [3]time.Duration{100 * time.Millisecond, 10 * time.Second, 100 * time.Second})
	tracks := map[string][]track{}
	for _, s := range steppers() {
		for i := range all {
			t, err := follow(ctx, s, &all[i], limit)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			tracks[s.name] = append(tracks[s.name], t)
		}
	}
	figure12(r, tracks, limit, len(all))
	figure13(r, tracks, all)
	return nil
}

// errViolating ends a log: there is nothing more to find.
var errViolating = errors.New("a violation")

// follow has an engine follow a log.
func follow(ctx context.Context, s stepper, x *recording, limit time.Duration) (t track, err error) {
	own, end := context.WithCancel(ctx)
	defer end()
	t.limit, t.end = limit, end
	if err = s.steps(own, x, &t); own.Err() != nil || errors.Is(err, errViolating) {
		err = ctx.Err()
	}
	t.whole = len(t.at) == x.execution.Events
	return t, err
}

func figure12(r *report, tracks map[string][]track, limit time.Duration, logs int) {
	r.section("Figure 12", "A step is a call or a return; every engine decides each prefix that ends in a return. Enumerate, symbolic and counting start anew\n"+
		"for each, as in the paper. Symbolic with removal leaves out matches that propagation has forgotten. Medians over %d logs of\n"+
		"Michael and Scott's queue, of 5,000 operations or more; the picture has quartiles and extremes. The paper's limits are 5, 25, 50, 75 and 100 s.", logs)
	head, p := []string{"engine"}, plot{title: "Steps in a given time", x: "time", y: "steps", logY: true}
	for _, f := range fifths {
		p.ticks = append(p.ticks, short(time.Duration(f*float64(limit))))
	}
	head = append(append(head, p.ticks...), "whole logs", "paper, 5s", "paper, 100s")
	rows := [][]string{}
	for _, s := range steppers() {
		row, all, whole, slowest := []string{s.name}, series{name: s.name}, 0, time.Duration(0)
		for i, f := range fifths {
			var ns []float64
			for _, t := range tracks[s.name] {
				ns = append(ns, max(1, float64(t.by(time.Duration(f*float64(limit))))))
			}
			slices.Sort(ns)
			q := func(part float64) float64 { return ns[int(part*float64(len(ns)-1)+0.5)] }
			row = append(row, fmt.Sprint(q(0.5)))
			all.points = append(all.points, point{float64(i), q(0.5), q(0), q(0.25), q(0.75), q(1)})
		}
		for _, t := range tracks[s.name] {
			if t.whole {
				whole, slowest = whole+1, max(slowest, t.at[len(t.at)-1])
			}
		}
		done := ""
		if whole > 0 {
			done = fmt.Sprintf("%d, in %s at most", whole, short(slowest))
		}
		rows, p.series = append(rows, append(row, done, s.five, s.hundred)), append(p.series, all)
	}
	last := func(i int) string { return rows[i][len(fifths)] }
	r.finding("Median of steps in "+p.ticks[len(fifths)-1]+" (paper: 100s): enumerate, symbolic, saturate, saturate with removal", "32, 70, 854, more than 1303",
		fmt.Sprintf("%s, %s, %s, %s", last(0), last(1), last(4), last(5)))
	r.table(head, rows)
	r.picture("figure12", p)
}

// figure13 relates time to the square of the average capacity: the values that are in.
func figure13(r *report, tracks map[string][]track, all []recording) {
	r.section("Figure 13", "The time t for the first s steps, divided by the square of the average capacity c, which is how many values are in. Exponents are\n"+
		"slopes of log(t/c²), and of log(t), over log(s), by least squares, from a sixteenth of the steps that an engine makes on: 1 is linear. The\n"+
		"paper sees that t/c² of saturate is linear, with and without removal, and that of enumerate and symbolic is not. Where t alone is linear,\n"+
		"values that are in cost nothing.")
	p := plot{title: "Time by the square of the capacity", x: "steps", y: "s / capacity²", logX: true, logY: true}
	rows := [][]string{}
	for _, s := range steppers() {
		dots, plain, late := series{name: s.name}, []point{}, []point{}
		for i, t := range tracks[s.name] {
			c := capacities(all[i].execution)
			for n := 16.0; int(n) <= len(t.at); n *= 1.3 {
				p := point{x: math.Floor(n), y: max(t.at[int(n)-1], 1).Seconds()}
				normal := point{x: p.x, y: p.y / (c[int(n)-1] * c[int(n)-1])}
				if dots.points = append(dots.points, normal); 16*n >= float64(len(t.at)) {
					plain, late = append(plain, p), append(late, normal)
				}
			}
		}
		rows, p.series = append(rows, []string{s.name, fmt.Sprint(len(dots.points)), exponent(late), exponent(plain)}), append(p.series, dots)
	}
	r.finding("Exponent of time by the square of the capacity over steps: symbolic, counting 4, saturate with removal, monitor", "saturate alone is linear",
		fmt.Sprintf("%s, %s, %s, %s", rows[1][2], rows[3][2], rows[5][2], rows[6][2]))
	r.table([]string{"engine", "points", "exponent of t/c²", "of t"}, rows)
	r.picture("figure13", p)
}

// capacities is how many values are in, on average over the first n events, for each n.
func capacities(e *history.Execution) []float64 {
	change := make([]float64, e.Events)
	for i := range e.Ops {
		switch o := &e.Ops[i]; {
		case !o.Completed():
		case len(o.Args) > 0:
			change[o.Return] = 1
		case o.Outcome == history.Some:
			change[o.Return] = -1
		}
	}
	in, sum := 0.0, 0.0
	for n, c := range change {
		in += c
		sum += max(in, 0)
		change[n] = max(sum/float64(n+1), 1)
	}
	return change
}

// exponent is the slope of the logarithms, or "" where there are too few points.
func exponent(points []point) string {
	var n, x, y, xx, xy float64
	for _, p := range points {
		lx, ly := math.Log(p.x), math.Log(p.y)
		n, x, y, xx, xy = n+1, x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	if d := n*xx - x*x; n > 3 && d > 0 {
		return fmt.Sprintf("%.2f", (n*xy-x*y)/d)
	}
	return ""
}

// each hands out the calls and returns of an execution until the context ends.
func each(ctx context.Context, e *history.Execution, event func(i int, call bool) error) error {
	at := make([]int, e.Events)
	for i := range e.Ops {
		at[e.Ops[i].Call] = i + 1
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = -i - 1
		}
	}
	for n, i := range at {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := event(max(i, -i)-1, i > 0); err != nil {
			return err
		}
	}
	return nil
}

// again has an engine decide each prefix anew.
func again(ctx context.Context, e engine, x *recording, t *track) error {
	decide, err := e.new(x.theory)
	if err != nil {
		return err
	}
	n := 0
	t.begin()
	return each(ctx, x.execution, func(_ int, call bool) error {
		if n++; !call {
			if _, err := decide(ctx, x.execution.Prefix(n)); err != nil {
				return err
			}
		}
		if ctx.Err() == nil {
			t.came()
		}
		return ctx.Err()
	})
}

// propagated has propagation follow a log.
func propagated(ctx context.Context, x *recording, o saturate.Options, t *track) error {
	s, event, err := propagation(x, o)
	if err != nil {
		return err
	}
	t.begin()
	return each(ctx, x.execution, func(i int, call bool) error {
		if err := event(i, call); err != nil {
			return err
		}
		if t.came(); s.Violation() != nil {
			return errViolating
		}
		return nil
	})
}

func propagation(x *recording, o saturate.Options) (s *saturate.Saturation, event func(i int, call bool) error, err error) {
	rules, err := clauses.Compile(x.theory)
	if err != nil {
		return nil, nil, err
	}
	s = saturate.New(rules, o)
	ops := make([]saturate.Op, len(x.execution.Ops))
	return s, func(i int, call bool) (err error) {
		if o := &x.execution.Ops[i]; call {
			ops[i], err = s.Call(o.Method, o.Args)
		} else {
			_, err = s.Return(ops[i], o.Outcome, o.Rets)
		}
		return err
	}, nil
}

// withoutMatches has symbolic decide each prefix anew, without the matches that propagation
// has forgotten and without the observations before all others.
func withoutMatches(ctx context.Context, x *recording, t *track) error {
	s, event, err := propagation(x, saturate.Options{Removal: true})
	if err != nil {
		return err
	}
	decide, err := symbolic().new(x.theory)
	if err != nil {
		return err
	}
	n := 0
	t.begin()
	return each(ctx, x.execution, func(i int, call bool) error {
		n++
		if err := event(i, call); err != nil {
			return err
		}
		if !call {
			if _, err := decide(ctx, live(x.execution.Prefix(n), s)); err != nil {
				return err
			}
		}
		if ctx.Err() == nil {
			t.came()
		}
		return ctx.Err()
	})
}

// live leaves out what the saturation has forgotten: what is left is admitted if the whole is.
func live(e *history.Execution, s *saturate.Saturation) *history.Execution {
	kept := &history.Execution{}
	first := e.Events // call of an operation that matters
	matters := func(o *history.Operation) bool {
		values := append(slices.Clone(o.Args), o.Rets...)
		return !o.Completed() || len(values) > 0 && s.Holds("add", values[:1])
	}
	for i := range e.Ops {
		if matters(&e.Ops[i]) {
			first = min(first, e.Ops[i].Call)
		}
	}
	at := map[int]*int{}
	for _, o := range e.Ops {
		if matters(&o) || o.Outcome == history.Nil && o.Return > first {
			kept.Ops = append(kept.Ops, o)
		}
	}
	for i := range kept.Ops {
		o := &kept.Ops[i]
		if at[o.Call] = &o.Call; o.Completed() {
			at[o.Return] = &o.Return
		}
	}
	for n := range e.Events { // events in a row
		if p := at[n]; p != nil {
			*p = kept.Events
			kept.Events++
		}
	}
	return kept
}

// monitored has the procedure follow a log that auto takes.
func monitored(ctx context.Context, x *recording, t *track) error {
	p, err := checktest.Procedure(ctx, x.theory)
	if err != nil {
		return err
	}
	s, err := p.Stream()
	if err != nil {
		return err
	}
	t.begin()
	return each(ctx, x.execution, func(i int, call bool) error {
		o, id, good := &x.execution.Ops[i], strconv.Itoa(i), true
		var err error
		if call {
			err = s.Call(id, o.Method, o.Args...)
		} else {
			good, err = s.Return(id, o.Outcome, o.Rets...)
		}
		if t.came(); err == nil && !good {
			err = errViolating
		}
		return err
	})
}
