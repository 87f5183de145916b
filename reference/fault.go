package reference

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
)

// Reasons of a Fault.
const (
	Panics      = driver.Panics      // a method or the constructor panics
	Hangs       = driver.Hangs       // an endless loop, a deadlock, memory without bound
	EndsProcess = driver.EndsProcess // os.Exit, or a failure that cannot be recovered from
	Differs     = driver.Differs     // two new objects answer the same calls differently
	NewFails    = driver.NewFails    // the constructor returns an error, or nil

	// A goroutine that the reference started panics, or fails otherwise.
	GoroutineEnds = driver.GoroutineEnds
)

// Fault says that a reference cannot be used because of what it does, with the
// calls that show it.
type Fault struct {
	Reason   string // one of the constants above
	Sequence string // the calls up to the fault, as a Go programmer writes them: "Add(1); Remove()"
	At       int    // the call at fault, from 0, or the last one made when a goroutine fails; -1: the constructor, or no call in particular
	Detail   string // the panic's text and place, the exit status, the two answers, ...
}

// Error is a single line unless the detail has several.
func (f *Fault) Error() string {
	s := "reference: "
	if f.Reason == GoroutineEnds && f.Sequence != "" {
		s += "during "
	}
	if f.Sequence != "" {
		s += f.Sequence + ": "
	}
	switch {
	case f.Reason == GoroutineEnds:
	case f.At >= 0:
		s += fmt.Sprintf("call %d ", f.At+1)
	case f.Sequence == "":
		s += "the package "
	}
	s += f.Reason
	if f.Detail != "" {
		s += ": " + f.Detail
	}
	return s
}

// constructorCall stands for the constructor in a Fault's Sequence.
const constructorCall = "New()"

// noCall is the place of a driver's fault that did not happen again, so that
// nobody knows which call it is about.
const noCall = -2

// faultOf puts a driver's fault into words; draw draws the calls up to one.
func faultOf(f *driver.Fault, base string, draw func(at int) string) *Fault {
	out := &Fault{Reason: f.Reason, At: max(f.At, -1), Detail: f.Detail}
	switch {
	case f.At >= 0:
		out.Sequence = draw(f.At)
	case f.At != noCall:
		out.Sequence = constructorCall
	}
	if f.Where != "" {
		out.Detail += " (" + shortPath(base, f.Where)
		if f.Started != "" {
			out.Detail += ", in a goroutine started at " + shortPath(base, f.Started)
		}
		out.Detail += ")"
	}
	if f.At == noCall {
		out.Detail += "; it did not happen again"
	}
	return out
}

// drawCalls draws calls with Go names and small values of the arguments' kinds.
func drawCalls(calls []Call, methods []driver.Method) string {
	parts := make([]string, len(calls))
	for i, c := range calls {
		m := &methods[c.Method]
		args := make([]string, len(m.Params))
		for j, v := range c.Values {
			args[j], _ = m.Params[j].Text(string(v))
		}
		for j, k := range c.Args {
			args[j] = drawValue(m.Params[j].Kind, k)
		}
		parts[i] = m.GoName + "(" + strings.Join(args, ", ") + ")"
	}
	return strings.Join(parts, "; ")
}

// drawValue draws value number k of a kind.
func drawValue(kind string, k int) string {
	switch kind {
	case driver.KindString:
		return fmt.Sprintf("%q", fmt.Sprint("v", k))
	case driver.KindBool:
		return fmt.Sprint(k == 1)
	}
	return fmt.Sprint(k)
}

// drawLabels draws what an acceptor was asked.
func drawLabels(labels []history.Label) string {
	parts := make([]string, len(labels))
	for i, l := range labels {
		parts[i] = l.String()
	}
	return strings.Join(parts, "; ")
}

// shortPath writes a path as seen from base, if that is shorter.
func shortPath(base, p string) string {
	if base == "" || !filepath.IsAbs(p) {
		return p
	}
	if r, err := filepath.Rel(base, p); err == nil && len(r) < len(p) {
		return r
	}
	return p
}
