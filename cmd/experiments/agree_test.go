package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestAgree: all engines that decide an execution agree on verdict and shortest prefix, and
// so does a log of it. Saturation may miss a violation, or find it late. Nothing calls an
// admitted execution a violation.
func TestAgree(t *testing.T) {
	testsize.NeedsLong(t)
	for _, s := range simulations() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			a := agreement{simulated: s, T: t, by: map[string]*sweep{}, answers: map[string]int{}}
			for _, engine := range []string{"auto", "monitor", "saturate", "symbolic", "wgl"} {
				w := &sweep{simulated: s, limit: time.Second}
				if err := w.open("../..", engine); err == nil {
					a.by[engine] = w
				}
			}
			logs := testsize.Samples(240)
			if testsize.Nightly() {
				logs = 6_000 // a hundred thousand of all types
			}
			for seed := range logs {
				r := rand.New(rand.NewPCG(seed, 23))
				processes := 2 << r.IntN(4)
				ops := processes * (2 + r.IntN(12))
				switch seed % 64 {
				case 7, 23, 40:
					ops = 300
				case 56:
					ops = 2_500
				}
				a.execution(seed, simulate(s, r, ops, processes, seed%3 == 1, seed%3 == 2), seed%3 != 2)
			}
			t.Logf("%d executions, %d violations, answers: %v", a.executions, a.violations, a.answers)
			if a.violations == 0 || a.answers[""] > a.executions/4 {
				t.Errorf("%d violations in %d executions, and %d times no answer", a.violations, a.executions, a.answers[""])
			}
			others := 0
			for _, engine := range []string{"monitor", "symbolic", "wgl"} {
				others = max(others, a.answers[engine])
			}
			if n := min(others, a.answers["auto"], a.answers["auto, of the log"]); n < a.executions/2 {
				t.Errorf("auto, logs or all others answered %d times of %d", n, a.executions)
			}
		})
	}
}

type agreement struct {
	simulated
	*testing.T
	by                     map[string]*sweep
	executions, violations int
	answers                map[string]int // by engine; "": none
}

// execution compares what engines say of an execution, which is known to be good or not.
func (a *agreement) execution(seed uint64, e *history.Execution, good bool) {
	a.executions++
	prefix, who := -1, ""
	decided := func(engine string, r check.Result) {
		n := 0
		switch {
		case r.Verdict == check.Violation:
			n = r.Prefix
		case r.Verdict != check.Linearizable:
			a.answers[""]++
			return
		}
		a.answers[engine]++
		switch {
		case good && n > 0:
			a.fail(seed, e, "%s calls what is admitted a violation: %+v", engine, r)
		case strings.Contains(r.Detail, "short"): // whether a shorter prefix violates is not known
			if prefix == 0 || n < prefix {
				a.fail(seed, e, "%s says %d, and %s %d: %+v", who, prefix, engine, n, r)
			}
		case prefix < 0:
			if prefix, who = n, engine; n > 0 {
				a.violations++
			}
		case prefix != n:
			a.fail(seed, e, "%s says %d, and %s %d: %+v", who, prefix, engine, n, r)
		}
	}
	for _, engine := range []string{"monitor", "symbolic", "wgl", "auto"} {
		w := a.by[engine]
		if w == nil || engine == "symbolic" && (len(e.Ops) > 100 || a.name == "bounded queue") { // without a procedure nobody looks for one order of values and outcomes
			continue
		}
		if r, err := w.checker.Check(a.Context(), e); err == nil {
			decided(engine, r)
		} else if engine == "auto" {
			a.fail(seed, e, "%v", err)
		}
	}
	for _, write := range []func(io.Writer, *history.Execution) error{history.WriteText, history.WriteJSON} {
		if r, err := a.log(e, write); err != nil {
			a.fail(seed, e, "%v", err)
		} else {
			decided("auto, of the log", r)
		}
	}
	if w := a.by["saturate"]; w != nil {
		r, err := w.checker.Check(a.Context(), e)
		if err == nil {
			a.answers["saturate"]++
		}
		if err == nil && r.Verdict == check.Violation && (good || prefix == 0 || r.Prefix < prefix) {
			a.fail(seed, e, "saturate: %+v, and %s says %d", r, who, prefix)
		}
	}
}

// log has auto decide a log of an execution.
func (a *agreement) log(e *history.Execution, write func(io.Writer, *history.Execution) error) (check.Result, error) {
	var text bytes.Buffer
	if err := write(&text, e); err != nil {
		return check.Result{}, err
	}
	return a.by["auto"].checker.CheckLog(context.Background(), &text, "x.log")
}

func (a *agreement) fail(seed uint64, e *history.Execution, format string, args ...any) {
	a.Errorf("seed %d: "+format, append([]any{seed}, args...)...)
	if len(e.Ops) < 50 {
		var text bytes.Buffer
		_ = history.WriteText(&text, e)
		a.Log(text.String())
	}
}
