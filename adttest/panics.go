package adttest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// panicking has every method of a theory answer panic, as those of a reference may.
func panicking(t *theory.Theory) {
	methods := make([]history.MethodSig, len(t.Spec.Methods))
	for i, m := range t.Spec.Methods {
		if !mayPanic(&m) {
			m.Outcomes = append(m.Outcomes[:len(m.Outcomes):len(m.Outcomes)], history.OutcomeSig{Outcome: history.Panic})
		}
		methods[i] = m
	}
	t.Spec.Methods = methods
}

// mayPanic reports whether panic is an outcome of a method.
func mayPanic(m *history.MethodSig) bool {
	for _, o := range m.Outcomes {
		if o.Outcome == history.Panic {
			return true
		}
	}
	return false
}

// fault is an operation that panicked, or the constructor if call is empty.
type fault struct {
	process, call string
	panicked      any
	stack         string
	exited        bool   // it did not panic, but ended its goroutine
	failed        string // it did not panic, but returned an error of this text that has no name
	judged        bool   // the history says that it panicked, and is not admitted
	err           error  // the constructor's
}

// which is an operation of a batch: the nth of a process, in a round.
type which struct {
	round   int
	process string
	nth     int
}

// call calls the method. A panic is an outcome if one may be judged; else it goes
// through, as the end of the goroutine does.
func (w *worker) call(o *driver.Live, c *readyCall) (r driver.Results, panicked *fault) {
	if c.method.panics {
		defer func() {
			if p := recover(); p != nil {
				panicked = &fault{process: c.process, call: c.call.String(), panicked: p, stack: string(debug.Stack())}
			}
		}()
	}
	return o.Call(w.b.ctx, c.method.index, c.args), nil
}

// remember keeps what people want to know of a panic that the history has as an
// outcome, or of an error.
func (w *worker) remember(c *readyCall, f *fault) {
	w.b.mu.Lock()
	defer w.b.mu.Unlock()
	w.b.panics[which{w.round, c.process, c.nth}] = f
}

// panicOf is the panic of an operation of a round, or nil.
func (b *batch) panicOf(round int, e *history.Execution, op *history.Operation) *fault {
	nth := 0
	for i := range e.Ops {
		if o := &e.Ops[i]; o.ID == op.ID {
			break
		} else if o.Process == op.Process {
			nth++
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.panics[which{round, op.Process, nth}]
}

// crashed is the first operation of a round that panicked as the runtime does, such as
// for an index out of range, or nil.
func (b *batch) crashed(round int, e *history.Execution) *fault {
	for i := range e.Ops {
		if f := b.panicOf(round, e, &e.Ops[i]); f != nil {
			if _, ok := f.panicked.(runtime.Error); ok {
				return f
			}
		}
	}
	return nil
}

// culprit is the operation of a history that is not admitted for the reason that it
// panicked: without that event the history is admitted. Nil if there is none.
func (j *judge) culprit(ctx context.Context, e *history.Execution) (*history.Operation, error) {
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Outcome != history.Panic {
			continue
		}
		before, err := j.violates(ctx, e.Prefix(o.Return))
		if err != nil {
			return nil, err
		}
		after, err := j.violates(ctx, e.Prefix(o.Return+1))
		if err != nil {
			return nil, err
		}
		if after && !before {
			return o, nil
		}
	}
	return nil, nil
}

// violates reports whether a history is known not to be admitted.
func (j *judge) violates(ctx context.Context, e *history.Execution) (bool, error) {
	said, err := j.decide(ctx, e)
	if errors.As(err, new(*check.OutsideLanguage)) {
		err = nil
	}
	return said.verdict == violates, err
}

// violation is the failure of a history that is not admitted: of Kind Panic if that an
// operation panicked is what is wrong. The panic is told by tell, unless that has nil.
func (r *run) violation(sc Scenario, e *history.Execution, tell func(*history.Operation) *fault) (*Failure, error) {
	f := &Failure{Kind: Violation, Scenario: sc, original: sc.size(), Execution: e}
	o, err := r.judge.culprit(r.ctx, e)
	if err != nil {
		return nil, err
	}
	if o == nil {
		f.panics = told(e, tell)
		return f, nil
	}
	if f.Kind, f.fault = Panic, tell(o); f.fault == nil {
		f.fault = &fault{process: o.Process, call: o.Method, panicked: "the log does not say with what"}
		if c, err := r.subject.callOf(o); err == nil {
			f.fault.call = c.String()
		}
	}
	f.fault.judged = true
	return f, nil
}

// told is what people want to know of the panics in a history, some of which may be
// right, and of errors that are not the data type's.
func told(e *history.Execution, tell func(*history.Operation) *fault) (panics []string) {
	const most = 3
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Outcome != history.Panic && !wording.IsError(string(o.Outcome)) || len(panics) == most {
			continue
		}
		if p := tell(o); p != nil && p.failed != "" {
			panics = append(panics, fmt.Sprintf("[%s] %s returned the error %q\n", o.ID, o.Method, p.failed))
		} else if p != nil {
			panics = append(panics, fmt.Sprintf("[%s] %s panicked: %v\n\n%s", o.ID, o.Method, p.panicked, indent(ownFrames(p.stack))))
		}
	}
	return panics
}

// noPanic says who does not admit a panic.
func (f *Failure) noPanic(b *strings.Builder, r *run) {
	switch {
	case !f.fault.judged:
	case r.judge.oracle != nil:
		fmt.Fprintf(b, "the reference does not panic there, in whatever order the operations took effect\n\n")
	default:
		fmt.Fprintf(b, "by the theory %s it cannot panic there, in whatever order the operations took effect\n\n", r.subject.theory.Name)
	}
}

// judgedPanics reports whether the panics of a round were judged: its history has them
// as outcomes, and leaves no operation pending that may have panicked.
func (r *run) judgedPanics(e *history.Execution) bool {
	panicked := false
	for i := range e.Ops {
		o := &e.Ops[i]
		if m := r.subject.method(o.Method); !o.Completed() && (m == nil || !m.panics) {
			return false
		}
		panicked = panicked || o.Outcome == history.Panic
	}
	return panicked
}
