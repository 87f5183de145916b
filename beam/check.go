package logbeam

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

func init() {
	register.DoFn6x1[context.Context, string, func(*Line) bool, []byte, func(string, Found), func(Left), error](&checkFn{})
	register.Combiner1[Found](&mergeFn{})
	register.Emitter2[string, Found]()
	register.Emitter1[Left]()
	register.Iter1[Line]()
}

// Found is what came of some parts of an object's log. The worst counts.
type Found struct {
	Object     string
	Parts, Ops int64
	Unsure     int64 // parts that were not decided
	Rank       int64 // how bad the worst part is
	Key        string
	At         Place // of the event with which it is wrong, or a violation
	Col        int64
	Detail     []byte // a verdict
}

// Ranks of what came of a part.
const (
	good      = iota
	undecided // inconclusive, or no violation was found
	failed    // it could not be checked
	violation
	malformed // the log is wrong
)

// verdict is what came of a part, but for counts. Numbers of events and lines are those of its
// own lines.
type verdict struct {
	Result      check.Result
	Explanation *check.Explanation
	Err         string
	Lines       map[string]Place // of calls in the explanation, by identifier
}

// Left is something that could not be checked: a file, or a part of one.
type Left struct {
	File   string `json:"file"`
	Object string `json:"object,omitempty"`
	Key    string `json:"key,omitempty"`
	Why    string `json:"why"`
}

// Parts checks parts of logs: what came of those of each object of a file, merged, and
// what could not be checked.
func Parts(s beam.Scope, theory, events beam.PCollection, o Options) (found, left beam.PCollection) {
	s = s.Scope("logbeam.Parts")
	found, left = beam.ParDo2(s, &checkFn{Options: o}, beam.GroupByKey(s, events), beam.SideInput{Input: theory})
	return beam.CombinePerKey(s, &mergeFn{}, found), left
}

// checkFn checks a part.
type checkFn struct{ Options Options }

func (f *checkFn) ProcessElement(ctx context.Context, text string, lines func(*Line) bool, yaml []byte, found func(string, Found), left func(Left)) error {
	p, err := prepare(yaml, f.Options)
	if err != nil {
		return err
	}
	var all []Line
	for l := (Line{}); lines(&l); l = (Line{}) {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b Line) int { return a.At.compare(b.At) })
	own := partOf(text)
	x, v := p.check(ctx, own, all)
	if x.Rank == failed || x.Rank == undecided {
		left(Left{own.File, own.Object, own.Key, cmp.Or(v.Err, v.Result.Detail, string(v.Result.Verdict))})
	}
	beam.NewCounter("adtinfer", "parts: "+cmp.Or(string(v.Result.Verdict), "error")).Inc(ctx, 1)
	if v.Result.Engine != "" {
		beam.NewCounter("adtinfer", "parts by "+v.Result.Engine).Inc(ctx, 1)
	}
	var detail bytes.Buffer
	if err := gob.NewEncoder(&detail).Encode(v); err != nil {
		return err
	}
	x.Detail = detail.Bytes()
	found(part{File: own.File, Object: own.Object}.String(), x)
	return nil
}

// check checks the lines of a part.
func (p *prepared) check(ctx context.Context, own part, all []Line) (x Found, v verdict) {
	x = Found{Object: own.Object, Parts: 1, Key: own.Key}
	defer func() {
		if r := recover(); r != nil {
			x.Rank, v = failed, verdict{Err: fmt.Sprintf("this is an error in adtinfer, please report it: %v\n%s", r, debug.Stack())}
		}
	}()
	var log strings.Builder
	log.WriteString(own.Head)
	for i := range all {
		log.WriteString(all[i].Text)
		log.WriteByte('\n')
	}
	var r check.Report
	source := check.Source{Name: own.File, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log.String())), nil }}
	if err := (&check.Batch{Checker: p.checker}).Run(ctx, slices.Values([]check.Source{source}), func(got check.Report) { r = got }); err != nil {
		r.Err = err
	}
	heads := strings.Count(own.Head, "\n")
	at := func(line int) Place { return all[line-heads-1].At }
	v = verdict{Result: r.Result, Explanation: r.Explanation}
	x.Ops = int64(r.Ops)
	var wrong *history.ParseError
	switch {
	case errors.As(r.Err, &wrong) && wrong.Pos.Line > heads:
		x.Rank, x.At, x.Col, v.Err = malformed, at(wrong.Pos.Line), int64(wrong.Pos.Col), wrong.Msg
	case r.Err != nil && r.At.Line > heads:
		x.Rank, x.At, x.Col, v.Err = failed, at(r.At.Line), int64(r.At.Col), strings.TrimPrefix(strings.TrimPrefix(r.Err.Error(), "check: "), r.At.String()+": ")
	case r.Err != nil:
		x.Rank, v.Err = failed, r.Err.Error()
	case r.Result.Verdict == check.Violation:
		x.Rank, x.At = violation, all[r.Result.Prefix-1].At
	case r.Result.Verdict != check.Linearizable:
		x.Rank = undecided
	}
	if x.Rank == failed || x.Rank == undecided {
		x.Unsure = 1
	}
	if e := r.Explanation; e != nil {
		v.Lines = map[string]Place{}
		for _, ops := range [][]history.Operation{e.Execution.Ops, e.Order, {e.Last}} {
			for i := range ops {
				if line := ops[i].CallPos.Line; line > 0 {
					v.Lines[ops[i].ID] = at(line)
				}
			}
		}
	}
	return x, v
}

// mergeFn merges what came of parts, in any order and any groups.
type mergeFn struct{}

func (*mergeFn) MergeAccumulators(a, b Found) Found {
	most, other := a, b
	if c := cmp.Or(cmp.Compare(a.Rank, b.Rank), b.At.compare(a.At), strings.Compare(b.Key, a.Key), bytes.Compare(b.Detail, a.Detail)); c < 0 {
		most, other = b, a
	}
	most.Parts += other.Parts
	most.Ops += other.Ops
	most.Unsure += other.Unsure
	return most
}
