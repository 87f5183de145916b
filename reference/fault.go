package reference

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Fault says that a reference cannot be used because of what it does, with the
// calls that show it.
type Fault struct {
	Reason   string // "panics", "does not return", ...
	Sequence string // the calls up to the fault, as a Go programmer writes them: "Add(1); Remove()"
	At       int    // the call at fault, from 0, or the last one made when a goroutine fails; -1: the constructor, or no call in particular
	Detail   string // the panic's text and place, the exit status, the two answers, ...
	Method   string // one that must be among Options.Whole, "" if this is not about that
}

// Error is a single line unless the detail has several.
func (f *Fault) Error() string {
	s := "reference: "
	if f.Reason == driver.GoroutineEnds && f.Sequence != "" {
		s += "during "
	}
	if f.Sequence != "" {
		s += f.Sequence + ": "
	}
	switch {
	case f.Reason == driver.GoroutineEnds:
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

// noCall is the place of a driver's fault that did not happen again, so that
// nobody knows which call it is about.
const noCall = -2

// faultOf puts a driver's fault into words; called makes an object, and draw draws
// the calls up to one.
func faultOf(f *driver.Fault, base, called string, draw func(at int) string) *Fault {
	out := &Fault{Reason: f.Reason, At: max(f.At, -1), Detail: f.Detail, Method: f.Method}
	switch {
	case f.At >= 0:
		out.Sequence = draw(f.At)
	case f.At != noCall:
		out.Sequence = called
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
		for j, k := range c.Args {
			args[j] = drawValue(m.Params[j].Kind, k)
		}
		for j, v := range c.Values {
			args[j], _ = m.Params[j].Text(string(v))
		}
		parts[i] = m.GoName + "(" + strings.Join(args, ", ") + ")"
	}
	return strings.Join(parts, "; ")
}

// drawValue draws value number k of a kind.
func drawValue(kind string, k int) string {
	switch kind {
	case values.KindString:
		return fmt.Sprintf("%q", fmt.Sprint("v", k))
	case values.KindBool:
		return fmt.Sprint(k == 1)
	case values.KindInt, values.KindUint, values.KindAny, values.KindFloat, values.KindComplex:
		return fmt.Sprint(k)
	}
	return fmt.Sprint("v", k)
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

// crash is what the Go runtime printed when a process died.
type crash struct {
	message string // "panic: out of order"
	where   string // the first frame, file:line, in the package if there is one

	// another says that not the goroutine that makes the calls died but another
	// one; started is where it was started, if that is known.
	another bool
	started string
}

// crashStarts begin the line in which the Go runtime says what it died of.
var crashStarts = []string{"panic: ", "fatal error: ", "runtime: goroutine stack exceeds"}

// callers start the goroutines that make the calls. The driver recovers their
// panics, but not all is a panic.
var callers = []string{"driver.(*Machine).run", "driver.(*Machine).keep", "driver.(*runner).apart"}

// readCrash finds a crash in what a process printed; dir is the package's.
func readCrash(printed, dir string) (c crash) {
	lines := strings.Split(printed, "\n")
	at := slices.IndexFunc(lines, func(line string) bool {
		return slices.ContainsFunc(crashStarts, func(s string) bool { return strings.HasPrefix(line, s) })
	})
	if at < 0 {
		return c
	}
	c.message = strings.TrimSpace(lines[at])
	lines = lines[at:]
	if at = slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "goroutine ") }); at < 0 {
		return c
	}
	for _, f := range framesOf(lines[at+1:]) {
		if f.creator {
			c.another = !slices.ContainsFunc(callers, func(s string) bool { return strings.Contains(f.function, s) })
			if inside(dir, f.place) {
				c.started = f.place
			}
			continue
		}
		ours := inside(dir, f.place)
		if c.where == "" && !strings.HasPrefix(f.function, "panic(") || ours && !inside(dir, c.where) {
			c.where = f.place
		}
	}
	return c
}

// stackFrame is a frame of a goroutine's trace.
type stackFrame struct {
	function string
	place    string // file:line
	creator  bool   // it started the goroutine
}

// framesOf reads the frames of a trace, up to an empty line: a line with the
// function and one, indented, with the place.
func framesOf(lines []string) (frames []stackFrame) {
	for i := 0; i+1 < len(lines) && lines[i] != ""; i++ {
		place, indented := strings.CutPrefix(lines[i+1], "\t")
		if !indented {
			continue
		}
		if at := strings.LastIndex(place, " +0x"); at >= 0 {
			place = place[:at]
		}
		function, creator := strings.CutPrefix(lines[i], "created by ")
		frames = append(frames, stackFrame{function, place, creator})
		i++
	}
	return frames
}

// inside reports whether a place, file:line, is below a directory.
func inside(dir, place string) bool {
	return strings.HasPrefix(filepath.FromSlash(place), dir+string(filepath.Separator))
}
