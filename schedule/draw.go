package schedule

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Draw draws the steps of a failure, one a line: a lane for each goroutine, the place, and the source line there. In a lane
// * is a step, and | a goroutine that is alive. Steps of the test alone, before it starts another goroutine, are left out.
func Draw(steps []Step) string {
	first, lanes := 0, 1
	for i, s := range steps {
		if s.Started == 2 {
			first = i
		}
		lanes = max(lanes, s.Goroutine, s.Started)
	}
	if lanes > mostLanes {
		return drawMany(steps[first:])
	}
	var b strings.Builder
	src := sources{}
	lane := []byte(strings.Repeat(" ", lanes))
	lane[0] = '|'
	place := placeWidth(steps[first:])
	for _, s := range steps[first:] {
		if s.Goroutine < 1 {
			continue
		}
		lane[s.Goroutine-1] = '*'
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %s  %-*s  %s", spaced(lane), place, placed(s), src.says(s)), " ") + "\n")
		lane[s.Goroutine-1] = '|'
		switch {
		case s.What == "ends":
			lane[s.Goroutine-1] = ' '
		case s.Started > 0:
			lane[s.Started-1] = '|'
		}
	}
	return b.String()
}

// mostLanes is how many goroutines have a lane each; of more the number stands before a step.
const mostLanes = 12

func drawMany(steps []Step) string {
	var b strings.Builder
	src := sources{}
	place := placeWidth(steps)
	for _, s := range steps {
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %4d  %-*s  %s", s.Goroutine, place, placed(s), src.says(s)), " ") + "\n")
	}
	return b.String()
}

func spaced(lane []byte) string { return strings.Join(strings.Split(string(lane), ""), " ") }

func placed(s Step) string {
	if s.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
}

func placeWidth(steps []Step) (w int) {
	for _, s := range steps {
		w = max(w, len(placed(s)))
	}
	return w
}

// sources are the lines of files.
type sources map[string][]string

func (src sources) says(s Step) string {
	switch {
	case s.Line == 0 && s.What != "time goes on":
		return s.What
	case s.What == "time goes on":
		return "time goes on until the next timer"
	}
	text := src.line(s.File, s.Line)
	if s.Started > 0 {
		text += fmt.Sprintf("  (starts goroutine %d)", s.Started)
	}
	return text
}

func (src sources) line(file string, n int) string {
	lines, ok := src[file]
	if !ok {
		if text, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		src[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
