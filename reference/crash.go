package reference

import (
	"path/filepath"
	"slices"
	"strings"
)

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

// caller starts the goroutine that makes the calls. The driver recovers its
// panics, but not all is a panic.
const caller = "driver.(*Machine).Run"

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
			c.another = !strings.Contains(f.function, caller)
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
