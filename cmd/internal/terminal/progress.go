package terminal

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Progress shows what is being done: on a terminal in one line, when it takes a
// moment, and elsewhere in a line of its own every ten seconds.
type Progress struct {
	w        io.Writer
	Terminal bool // w is one

	// Log is told of each step that differs from the one before in more than figures,
	// and nothing is drawn; nil: steps are shown as above.
	Log *slog.Logger

	start time.Time

	mu    sync.Mutex
	shown bool // a line is on the terminal
	doing string
	timer *time.Timer // to the next line, if there is no terminal
}

// LineEvery is how often there is a line where there is no terminal.
var LineEvery = 10 * time.Second

// NewProgress shows it on w.
func NewProgress(w io.Writer) *Progress {
	return &Progress{w: w, Terminal: Is(w), start: time.Now()}
}

// Step says what is being done from now on.
func (p *Progress) Step(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.doing
	p.doing = doing
	switch {
	case p.Log != nil:
		if words(doing) != words(was) {
			p.Log.Info(doing, "after", time.Since(p.start).Round(time.Millisecond))
		}
	case !p.Terminal && p.timer == nil:
		p.timer = time.AfterFunc(LineEvery-time.Since(p.start)%LineEvery, p.line)
	case p.Terminal && time.Since(p.start) >= 300*time.Millisecond:
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[K%s ...", doing)
	}
}

// words are a step without its figures.
func words(doing string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || r == ',' || r == '.' {
			return -1
		}
		return r
	}, doing)
}

// line prints what is being done, on a line of its own.
func (p *Progress) line() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", time.Since(p.start).Round(time.Second), p.doing)
	p.timer.Reset(LineEvery)
}

// Last is what was being done last.
func (p *Progress) Last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doing
}

// Done takes the line away, until the next step.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}
