package logbeam

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out"
)

func init() {
	register.DoFn2x2[string, Found, string, Found](&byFileFn{})
	register.DoFn6x1[context.Context, string, func(*Summary) bool, func(*Found) bool, func(Report), func(Left), error](&reportFn{})
	register.Emitter1[Report]()
	register.Iter1[Summary]()
	register.Iter1[Found]()
}

// Report is the verdict on a log, or on an object of one that has several.
type Report struct {
	File, Object string
	Verdict      string // of check.Verdict; "error" if the log could not be read
	Key          string // of the operations that are a violation
	Events       int64
	Prefix       int64  // of a violation: the first events that are one
	JSON         string // the line that adtinfer check -f json writes
	Text         string // the same for readers, with the explanation of a violation
}

// Merge makes reports on logs of what came of their parts, and names what could not be
// read. A log in which anything is malformed has no other verdict.
func Merge(s beam.Scope, found, summaries beam.PCollection) (reports, left beam.PCollection) {
	s = s.Scope("logbeam.Merge")
	found = beam.ParDo(s, &byFileFn{}, found)
	return beam.ParDo2(s, &reportFn{}, beam.CoGroupByKey(s, summaries, found))
}

type byFileFn struct{}

func (*byFileFn) ProcessElement(text string, f Found) (string, Found) { return partOf(text).File, f }

// reportFn makes the reports on a file.
type reportFn struct{}

func (*reportFn) ProcessElement(ctx context.Context, file string, summaries func(*Summary) bool, founds func(*Found) bool, report func(Report), left func(Left)) error {
	f := &log{name: file}
	for s := (Summary{}); summaries(&s); s = (Summary{}) {
		f.blocks = append(f.blocks, s)
	}
	slices.SortFunc(f.blocks, func(a, b Summary) int { return cmp.Compare(a.Block, b.Block) })
	var all []Found
	for x := (Found{}); founds(&x); x = (Found{}) {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b Found) int { return strings.Compare(a.Object, b.Object) })
	wrong, err := f.wrong(all)
	if err != nil {
		return err
	}
	if wrong != "" {
		left(Left{File: file, Why: wrong})
		return f.emit(ctx, check.Report{Name: file, Err: fmt.Errorf("%s", wrong)}, Found{}, report)
	}
	if len(all) == 0 {
		all = append(all, Found{})
	}
	for _, x := range all {
		r, err := f.report(x)
		if err != nil {
			return err
		}
		if len(all) > 1 {
			r.Object = x.Object
		}
		if err := f.emit(ctx, r, x, report); err != nil {
			return err
		}
	}
	return nil
}

// log is what is known of a file.
type log struct {
	name   string
	blocks []Summary // in order; those that only say what is wrong, too
}

// line is the number of a line in the file.
func (f *log) line(block, line int64) int64 {
	for _, b := range f.blocks {
		if b.Block < block {
			line += b.Lines
		}
	}
	return line
}

// wrong says what is malformed first, with its place; empty if nothing is.
func (f *log) wrong(all []Found) (string, error) {
	var at [3]int64
	says := ""
	note := func(block, line, col int64, what string) {
		place := [3]int64{f.line(block, line), col, block}
		if line <= 0 {
			place = [3]int64{}
		}
		if says == "" || slices.Compare(place[:], at[:]) < 0 {
			at, says = place, what
		}
	}
	var before *Summary
	for i := range f.blocks {
		b := &f.blocks[i]
		if b.Wrong != "" {
			note(b.Block, b.Line, b.Col, b.Wrong)
		}
		if len(b.Objects) == 0 {
			continue
		}
		switch {
		case before == nil:
		case before.Timed != b.Timed:
			note(b.Block, 1, 1, "some events have times, and some have none")
		case b.First < before.Last:
			note(b.Block, 1, 1, "times go back: sort the log by time")
		}
		before = b
	}
	for _, x := range all {
		if x.Rank == malformed {
			v, err := x.verdict()
			if err != nil {
				return "", err
			}
			note(x.At.Block, x.At.Line, x.Col, v.Err)
		}
	}
	switch {
	case says == "":
		return "", nil
	case at[0] == 0:
		return f.name + ": " + strings.TrimPrefix(says, f.name+": "), nil
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.name, at[0], at[1], says), nil
}

func (x *Found) verdict() (v verdict, err error) {
	if len(x.Detail) > 0 {
		err = gob.NewDecoder(bytes.NewReader(x.Detail)).Decode(&v)
	}
	return v, err
}

// before counts the events of an object up to a place, and all of them.
func (f *log) before(object string, at Place) (n, all int64) {
	for i := range f.blocks {
		b := &f.blocks[i]
		for j := range b.Objects {
			c := &b.Objects[j]
			if c.Object != object {
				continue
			}
			all += c.Events
			switch {
			case b.Block == at.Block:
				n += at.Index + 1
			case !at.Timed && b.Block < at.Block, at.Timed && c.Last < at.Time, at.Timed && b.Block < at.Block && (at.Return || c.Last > at.Time):
				n += c.Events
			case at.Timed && b.Block < at.Block:
				n += c.Events - c.ReturnsAtLast
			case at.Timed && at.Return && c.First == at.Time:
				n += c.CallsAtFirst
			}
		}
	}
	return n, all
}

// report is what came of an object.
func (f *log) report(x Found) (check.Report, error) {
	v, err := x.verdict()
	if err != nil {
		return check.Report{}, err
	}
	r := check.Report{Name: f.name, Ops: int(x.Ops), Result: v.Result, Explanation: v.Explanation,
		Coverage: history.Coverage{Operations: x.Ops}}
	for i := range f.blocks {
		for _, c := range f.blocks[i].Objects {
			if c.Object == x.Object {
				r.Coverage.Overlaps += c.Overlaps
				r.Coverage.Width = max(r.Coverage.Width, int(c.Width))
			}
		}
	}
	prefix, events := f.before(x.Object, x.At)
	r.Result.Events, r.Result.Parts = int(events), int(x.Parts)
	switch {
	case x.Rank == failed:
		r.Err = fmt.Errorf("%s", v.Err)
		if x.At.Line > 0 {
			r.Err = fmt.Errorf("%s:%d:%d: %s", f.name, f.line(x.At.Block, x.At.Line), x.Col, v.Err)
		}
		return r, nil
	case x.Rank == violation:
		r.Result.Prefix = int(prefix)
		if x.Unsure > 0 {
			r = check.Merge(r, check.Report{Result: check.Result{Verdict: check.Inconclusive}})
		}
	case x.Unsure > 0 && x.Key != "":
		r.Result.Detail = fmt.Sprintf("key %s: %s", x.Key, r.Result.Detail)
	}
	if e := r.Explanation; e != nil {
		e.Prefix = r.Result.Prefix
		for _, ops := range [][]history.Operation{e.Execution.Ops, e.Order} {
			for i := range ops {
				f.placed(&ops[i], v.Lines)
			}
		}
		f.placed(&e.Last, v.Lines)
	}
	tail := ""
	for _, b := range f.blocks {
		tail = cmp.Or(tail, b.Tail)
	}
	if events == 0 {
		r.Result.Verdict = check.Linearizable
	}
	r.Incomplete(tail)
	return r, nil
}

// placed gives an operation the line of the file that its call is on.
func (f *log) placed(o *history.Operation, lines map[string]Place) {
	if at, ok := lines[o.ID]; ok && at.Line > 0 {
		o.CallPos.File, o.CallPos.Line = f.name, int(f.line(at.Block, at.Line))
	}
}

// emit emits a report and counts it.
func (f *log) emit(ctx context.Context, r check.Report, x Found, report func(Report)) error {
	var line, text strings.Builder
	own := Report{File: f.name, Object: r.Object, Verdict: string(r.Result.Verdict), Events: int64(r.Result.Events), Prefix: int64(r.Result.Prefix)}
	if r.Result.Verdict == check.Violation {
		own.Key = x.Key
	}
	if err := out.VerdictJSON(&line, r, out.Plain); err != nil {
		return err
	}
	if r.Err != nil {
		own.Verdict = "error"
		fmt.Fprintln(&text, r.Err)
	} else if err := out.VerdictText(&text, r, out.Plain); err != nil {
		return err
	}
	own.JSON, own.Text = strings.TrimSpace(line.String()), text.String()
	beam.NewCounter("adtinfer", "logs: "+own.Verdict).Inc(ctx, 1)
	report(own)
	return nil
}
