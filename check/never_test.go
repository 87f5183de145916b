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
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
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
		c, err := check.New(typ.Theory, check.Options{Explain: true, Witness: true})
		if err != nil {
			t.Fatal(err)
		}
		modes := neverModes(t, typ.Theory)
		for seed := range testsize.Samples(2000) {
			r := rand.New(rand.NewPCG(seed, 4141))
			e := typ.Execution(r, 2+r.IntN(7), 1+r.IntN(4), []int{0, 4}[r.IntN(2)])
			if neverAnswered(r, typ.Theory, e) == 0 {
				continue
			}
			want := typ.Model.ShortestViolation(e)
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
			switch ev, err := c.Witness(t.Context(), e, res); {
			case err == nil && verify.Check(t.Context(), typ.Theory, e, ev, nil) != nil:
				historytest.Fatal(t, e, "%s, seed %d: evidence is not accepted: %+v, %v", typ.Theory.Name, seed, ev, verify.Check(t.Context(), typ.Theory, e, ev, nil))
			case err != nil && (x.Never != "" || !errors.As(err, new(*check.NoEvidence))):
				historytest.Fatal(t, e, "%s, seed %d: evidence: %v", typ.Theory.Name, seed, err)
			}
			claimed := &evidence.Evidence{Theory: typ.Theory.Name, Log: evidence.Digest(e)}
			for _, o := range e.Ops {
				if o.Completed() {
					claimed.Order = append(claimed.Order, evidence.Taken{Op: o.ID})
				}
			}
			if verify.Check(t.Context(), typ.Theory, e, claimed, nil) == nil {
				historytest.Fatal(t, e, "%s, seed %d: accepted as linearizable", typ.Theory.Name, seed)
			}
			for how, got := range neverReports(t, modes, e) {
				if got.Err != nil || got.Result.Verdict != check.Violation || got.Result.Prefix != res.Prefix && !strings.HasPrefix(how, "followed") && !strings.HasPrefix(how, "whole") {
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

// neverMode is a way to check logs.
type neverMode struct {
	how    string
	binary bool
	keys   bool
	keep   int // events of a log that is followed; 0: it is not
	*check.Checker
}

func neverModes(t *testing.T, th *theory.Theory) []neverMode {
	var modes []neverMode
	for _, m := range []struct {
		neverMode
		o check.Options
	}{
		{neverMode{how: "read"}, check.Options{Explain: true}}, {neverMode{how: "binary", binary: true}, check.Options{}},
		{neverMode{how: "whole"}, check.Options{Whole: true}}, {neverMode{how: "by key", keys: th.Spec.Product != nil}, check.Options{Explain: true}},
		{neverMode{how: "kept", keep: 1000}, check.Options{}}, {neverMode{how: "followed", keep: 1}, check.Options{}},
	} {
		var err error
		if m.Checker, err = check.New(th, check.ForTests(m.o, m.keep, 0)); err != nil {
			t.Fatal(err)
		}
		if m.keep == 0 || m.CanFollow(t.Context()) == nil {
			modes = append(modes, m.neverMode)
		}
	}
	return modes
}

// neverReports are what is said of an execution's logs.
func neverReports(t *testing.T, modes []neverMode, e *history.Execution) map[string]check.Report {
	all := map[string]check.Report{}
	for format, write := range map[string]func(io.Writer, *history.Execution) error{"text": history.WriteText, "JSON": history.WriteJSON} {
		var log, packed bytes.Buffer
		if err := write(&log, e); err != nil {
			t.Fatal(err)
		}
		if err := history.NewReader(bytes.NewReader(log.Bytes()), "x").Convert(t.Context(), &packed, history.Binary); err != nil {
			t.Fatal(err)
		}
		for _, m := range modes {
			source := stringSource("x.log", log.String())
			if m.binary {
				source = stringSource("x.log", packed.String())
			}
			if m.keep > 0 {
				all[m.how+" "+format] = m.Follow(context.Background(), source, &check.Progress{})
				continue
			}
			b := &check.Batch{Checker: m.Checker, Parallel: 2, ByKey: m.keys}
			if err := b.Run(t.Context(), slices.Values([]check.Source{source}), func(r check.Report) { all[m.how+" "+format] = r }); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}
