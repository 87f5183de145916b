//go:build !adtinfer_norecord

package refine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record"
)

// TestMisuse makes every mistake once: each is an error that names the process
// and the operation, off line and on line, and never a verdict.
func TestMisuse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		wrong func(rec *record.Recorder, h *record.Handle, m record.Method)
		want  string // in the error
	}{
		{"return without call", func(_ *record.Recorder, h *record.Handle, _ record.Method) { h.Return(record.None) },
			"process p, entry 1: returns without a call"},
		{"two commits", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1))
			h.Commit()
			h.Commit()
		},
			"process p, operation [1] push(1)*, entry 3: commits twice"},
		{"begin after commit", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1))
			h.Commit()
			h.Begin()
		},
			"process p, operation [1] push(1)*, entry 3: commits twice"},
		{"commit outside", func(_ *record.Recorder, h *record.Handle, _ record.Method) { h.Commit() },
			"process p, entry 1: commits outside an operation"},
		{"begin outside", func(_ *record.Recorder, h *record.Handle, _ record.Method) { h.Begin(); h.Publish() },
			"process p, entry 1: begins a commit outside"},
		{"no commit", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1))
			h.Return(record.None)
		},
			"process p, operation [1] push(1), entry 2: returns without a commit"},
		{"handle of two goroutines", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1))
			done := make(chan bool)
			go func() { h.Call(m, record.Int(2)); close(done) }()
			<-done
		}, "either a Return is missing, or two goroutines use one Handle"},
		{"no value", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1), record.Value{})
			h.Commit()
			h.Return(record.None)
		},
			"process p: an argument is the zero record.Value"},
		{"no result", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Call(m, record.Int(1))
			h.Commit()
			h.Return(record.Some, record.Value{})
		},
			"process p: a result is the zero record.Value"},
		{"used after Close", func(_ *record.Recorder, h *record.Handle, m record.Method) {
			h.Close()
			h.Call(m, record.Int(1))
			h.Return(record.None)
		},
			"process p: records with a Handle that it has closed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := record.New(record.Options{})
			w, err := Watch(rec, stackSpec{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			tt.wrong(rec, rec.Handle("p"), rec.Method("push"))
			l, err := rec.Log()
			if err == nil {
				_, err = Check(context.Background(), l, stackSpec{}, Options{})
			}
			_, onLine := w.Stop(context.Background())
			for _, err := range []error{err, onLine} {
				var use *record.UseError
				if !errors.As(err, &use) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
			}
		})
	}
}

// panics is a specification of stacks that panics where it is told to.
type panics struct {
	stackSpec
	where string
}

func (p panics) New() []int64 { p.at("new"); return nil }
func (p panics) Step(s []int64, op *Op) ([]int64, bool) {
	p.at("step")
	return p.stackSpec.Step(s, op)
}
func (p panics) View(s []int64) *Bag {
	if len(s) > 0 {
		p.at("view")
	}
	return p.stackSpec.View(s)
}

func (p panics) at(where string) {
	if p.where == where {
		panic("ouch")
	}
}

// TestPanics checks that user code that panics is named, with the operation.
func TestPanics(t *testing.T) {
	for where, want := range map[string]string{
		"new":  "refine: the specification panics in its initial state: ouch",
		"step": "process p, operation [1] push(1), entry 3: Spec.Step panics: ouch",
		"view": "process p, operation [1] push(1), entry 3: Spec.View panics: ouch",
		"impl": "process p, operation [1] push(1), entry 3: the view function panics: ouch",
	} {
		rec := record.New(record.Options{})
		spec, o := panics{where: where}, Options{View: func(*Memory, int64, *Bag) { panics{where: where}.at("impl") }}
		w, onLine := Watch(rec, spec, o)
		h := rec.Handle("p")
		h.Call(rec.Method("push"), record.Int(1))
		h.Write(rec.Variable("top"), 0, record.Int(1))
		h.Commit()
		h.Return(record.None)
		if w != nil {
			_, onLine = w.Stop(context.Background())
		}
		l, err := rec.Log()
		if err == nil {
			_, err = Check(context.Background(), l, spec, o)
		}
		for _, err := range []error{err, onLine} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", where, err, want)
			}
		}
	}
}

func TestConfigErrors(t *testing.T) {
	l := &record.Log{}
	for want, f := range map[string]func() (Result, error){
		"the specification is missing": func() (Result, error) {
			return Check[[]int64](context.Background(), l, nil, Options{})
		},
		"plainSpec has no method View": func() (Result, error) {
			return Check(context.Background(), l, plainSpec{}, Options{View: treiberView})
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestObserverWindow checks an observer against the states between its call and
// its return, and no others.
func TestObserverWindow(t *testing.T) {
	for _, tt := range []struct {
		name    string
		before  bool // the push commits before the pop is called
		nil     bool // what the pop says
		verdict check.Verdict
	}{
		{"sees the state before", false, true, check.Linearizable},
		{"sees nothing of an earlier push", true, true, check.Violation},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := record.New(record.Options{})
			push, pop := rec.Method("push"), rec.Method("pop")
			a, b := rec.Handle("a"), rec.Handle("b")
			a.Call(push, record.Int(1))
			if tt.before {
				a.Commit()
			}
			b.Call(pop)
			if !tt.before {
				a.Commit()
			}
			b.Return(record.Nil)
			a.Return(record.None)
			l, err := rec.Log()
			if err != nil {
				t.Fatal(err)
			}
			r, err := Check(context.Background(), l, stackSpec{}, Options{Observers: []string{"pop"}})
			if err != nil || r.Verdict != tt.verdict {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
}

// TestJudge asks another judge what a violation is due to.
func TestJudge(t *testing.T) {
	rec := record.New(record.Options{})
	h := rec.Handle("a")
	h.Call(rec.Method("pop"))
	h.Commit()
	h.Return(record.Some, record.Int(1))
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	for _, verdict := range []check.Verdict{check.Violation, check.Linearizable, check.Inconclusive} {
		judge := func(_ context.Context, e *history.Execution) (check.Verdict, error) {
			if e.String() != "pop => 1" {
				t.Errorf("the judge is asked about %s", e)
			}
			return verdict, nil
		}
		r, err := Check(context.Background(), l, stackSpec{}, Options{Judge: judge})
		want := map[check.Verdict]Blame{check.Violation: Implementation, check.Linearizable: Annotation, check.Inconclusive: Unknown}[verdict]
		if err != nil || r.Blame != want {
			t.Errorf("%v, %v; want %s", r, err, want)
		}
	}
}
