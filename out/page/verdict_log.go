package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// Log is a log with all its operations.
type Log struct {
	Execution *history.Execution
	Sum       string                // SHA-256 of what it was read from
	Keys      map[string]theory.Key // of methods, if the data type has keys

	Methods     []history.MethodSig // with the types of values, if those are known
	Annotations []Annotation        // in their order
}

// shown are the values of an operation as people read them.
func (l *Log) shown(o *history.Operation) (args, rets []history.Value) {
	for i := range l.Methods {
		if m := &l.Methods[i]; m.Name == o.Method || slices.Contains(m.Aliases, o.Method) {
			return typename.Shown(m.Params, o.Args), typename.Shown(m.Results, o.Rets)
		}
	}
	return o.Args, o.Rets
}

// Annotation is what somebody did who is no client of the object, such as a nemesis.
type Annotation struct {
	At   int    `json:"at"` // so many events come before it
	By   string `json:"by"`
	Text string `json:"text"`
	Line int    `json:"line"` // 0: not known
}

// mostAnnotations is how many of them a page has.
const mostAnnotations = 2_000

// Annotated are the annotations that the page has.
func (l *Log) Annotated() []Annotation {
	return l.Annotations[:min(len(l.Annotations), mostAnnotations)]
}

// Unannotated is how many the page does without.
func (l *Log) Unannotated() int { return len(l.Annotations) - len(l.Annotated()) }

// over reports whether time or memory has come to its end.
func (v *Verdict) over() bool { return v.Limits != nil && v.Limits.Stopped() != nil }

// leave has the page do without the log, and say why.
func (v *Verdict) leave() {
	v.Log, v.Left = nil, true
	v.NoLog = fmt.Sprintf("The log, of %s, is not shown: %s.", wording.Count(v.Report.Ops, "operation"), logs.Stopped(v.Limits.Ctx))
}

// perOperation is about how many bytes it takes to draw an operation.
const perOperation = 300

// columns are those of the log; nil if it is not shown.
func (v *Verdict) columns(s *said) *logColumns {
	if v.Log == nil {
		return nil
	}
	if v.Limits == nil || v.Limits.Room(perOperation*len(v.Log.Execution.Ops)) == nil {
		if c := columnsOf(v, s); !v.over() {
			return c
		}
	}
	v.leave()
	return nil
}

// ReadLog reads a log for its page, within the limits. The keys are those of the theory, which may be nil.
func ReadLog(limits memory.Reader, r io.Reader, name string, t *theory.Theory, read func(io.Reader, string) ([]*history.Execution, []Annotation, error)) (*Log, error) {
	h := sha256.New()
	limits.Reader, limits.Size = io.TeeReader(r, h), memory.SizeOf(r)
	es, notes, err := read(&limits, name)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, &limits); err != nil { // what its reader did not need
		return nil, err
	}
	if len(es) != 1 {
		return nil, fmt.Errorf("%s has %s now, and had one; check it again", name, wording.Count(len(es), "object"))
	}
	l := &Log{Execution: es[0], Sum: hex.EncodeToString(h.Sum(nil)), Keys: map[string]theory.Key{}, Annotations: notes}
	if t != nil && slices.ContainsFunc(t.Spec.Methods, func(m history.MethodSig) bool { return len(m.Params)+len(m.Results) > 0 }) {
		l.Methods = t.Spec.Methods
	}
	if t != nil && t.Spec.Product != nil {
		for _, k := range t.Spec.Product.Keys {
			if k.Role == theory.ByKey {
				l.Keys[k.Method] = k
			}
		}
	}
	return l, nil
}

// mostOps is how many operations a page shows as a whole: browsers hold no more.
const mostOps = 4_000_000

// Read adds the whole log, which again reads, or says why that is not there. It is an error
// if the log is another one by now.
func (v *Verdict) Read(again func() (*Log, error)) error {
	r := &v.Report
	switch {
	case r.Err != nil:
		return nil
	case r.Ops == 0:
		v.NoLog = "No operation of the log was read."
		return nil
	case r.Ops > mostOps:
		v.NoLog = fmt.Sprintf("The log has %s, and a page shows logs of at most %s.", wording.Count(r.Ops, "operation"), wording.Number(mostOps))
		return nil
	}
	l, err := again()
	if err != nil && v.over() {
		v.leave()
		return nil
	}
	if err == nil && (l == nil || len(l.Execution.Ops) != r.Ops) {
		err = fmt.Errorf("%s changed while it was checked; check it again", r.Name)
	}
	v.Log = l
	return err
}
