package check_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// neverAnswered has some operations answer that there is nothing, and a value beside that.
func neverAnswered(r *rand.Rand, t *theory.Theory, e *history.Execution) (n int) {
	for i := range e.Ops {
		o := &e.Ops[i]
		m := t.Spec.Methods[slices.IndexFunc(t.Spec.Methods, func(m history.MethodSig) bool { return m.Name == o.Method })]
		if o.Completed() && r.IntN(3) == 0 && slices.ContainsFunc(m.Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == history.Nil && s.Rets == 0 }) {
			o.Outcome, o.Rets = history.Nil, []history.Value{history.Value([]string{"7", "true", "x y", "nil"}[r.IntN(3)])}
			n++
		}
	}
	return n
}

// TestNever: an execution with answers that no call has is a violation, with the prefix that
// trying everything finds, however it is checked. It is explained, and evidence is for
// violations before it only.
func TestNever(t *testing.T) {
	types := []struct {
		*theory.Theory
		historytest.Type
	}{{build(t, queue), historytest.Queue()}, {build(t, register), historytest.Register()}, {build(t, stack), historytest.Stack()}}
	for _, d := range historytest.ByAutomata() {
		if slices.Contains([]string{"store", "ticket"}, d.Theory.Name) {
			types = append(types, struct {
				*theory.Theory
				historytest.Type
			}{d.Theory, d.Type})
		}
	}
	never, before, explained := 0, 0, 0
	for _, typ := range types {
		for seed := range testsize.Samples(400) {
			r := rand.New(rand.NewPCG(seed, 4141))
			e := typ.Execution(r, 2+r.IntN(7), 1+r.IntN(4), []int{0, 4}[r.IntN(2)])
			if neverAnswered(r, typ.Theory, e) == 0 {
				continue
			}
			want := typ.Model.ShortestViolation(e)
			c, err := check.New(typ.Theory, check.Options{Explain: true, Witness: true})
			if err != nil {
				t.Fatal(err)
			}
			res, err := c.Check(t.Context(), e)
			if errors.As(err, new(*check.OutsideLanguage)) {
				continue
			}
			late := strings.Contains(res.Detail, "a shorter prefix may violate, too")
			if err != nil || res.Verdict != check.Violation || res.Prefix != want && !late || res.Events != e.Events {
				historytest.Fatal(t, e, "%s, seed %d: %+v, %v; want %d", typ.Theory.Name, seed, res, err, want)
			}
			x, err := c.Explain(t.Context(), e, res)
			if err != nil || x.Prefix != res.Prefix || len(x.Last.Rets) > 0 && x.Last.Outcome == history.Nil != (x.Never != "") {
				historytest.Fatal(t, e, "%s, seed %d: explained by %+v, %v", typ.Theory.Name, seed, x, err)
			}
			if before++; x.Never != "" {
				before--
				never++
			}
			if _, err := c.Witness(t.Context(), e, res); (err == nil) == (x.Never != "") && !errors.As(err, new(*check.NoEvidence)) {
				historytest.Fatal(t, e, "%s, seed %d: evidence: %v", typ.Theory.Name, seed, err)
			}
			for how, got := range neverReports(t, typ.Theory, e) {
				if got.Err != nil || got.Result.Verdict != check.Violation || got.Result.Prefix != res.Prefix && how != "followed" && how != "whole" {
					historytest.Fatal(t, e, "%s, seed %d, %s: %+v; want %d", typ.Theory.Name, seed, how, got, res.Prefix)
				}
				if got.Explanation != nil {
					explained++
				}
			}
		}
	}
	t.Logf("%d violations by such answers, %d before them, %d explained", never, before, explained)
	if never == 0 || before == 0 {
		t.Error("the executions are all alike")
	}
}

// neverReports are what is said of an execution's logs.
func neverReports(t *testing.T, th *theory.Theory, e *history.Execution) map[string]check.Report {
	all := map[string]check.Report{}
	for name, write := range map[string]func(io.Writer, *history.Execution) error{"text": history.WriteText, "JSON": history.WriteJSON} {
		var log bytes.Buffer
		if err := write(&log, e); err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		if err := history.NewReader(bytes.NewReader(log.Bytes()), "x").Convert(t.Context(), &packed, history.Binary); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			how, log string
			o        check.Options
			keys     bool
			keep     int
		}{
			{name, log.String(), check.Options{Explain: true}, false, 0}, {"binary of " + name, packed.String(), check.Options{}, false, 0},
			{"whole", log.String(), check.Options{Whole: true}, false, 0}, {"by key", log.String(), check.Options{Explain: true}, th.Spec.Product != nil, 0},
			{"kept", log.String(), check.Options{}, false, 1000}, {"followed", log.String(), check.Options{}, false, 1},
		} {
			c, err := check.New(th, check.ForTests(tt.o, tt.keep, 0))
			if err != nil {
				t.Fatal(err)
			}
			if tt.keep > 0 {
				if c.CanFollow(t.Context()) == nil {
					all[tt.how] = c.Follow(context.Background(), stringSource("x.log", tt.log), &check.Progress{})
				}
				continue
			}
			b := &check.Batch{Checker: c, Parallel: 2, ByKey: tt.keys}
			if err := b.Run(t.Context(), slices.Values([]check.Source{stringSource("x.log", tt.log)}), func(r check.Report) { all[tt.how] = r }); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}
