package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Progress shows what is being done: on a terminal in one line, when it takes a
// moment, and elsewhere in a line of its own every ten seconds.
type Progress struct {
	w        io.Writer
	Terminal bool // w is one
	start    time.Time

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
	p.doing = doing
	switch {
	case !p.Terminal && p.timer == nil:
		p.timer = time.AfterFunc(LineEvery-time.Since(p.start)%LineEvery, p.line)
	case p.Terminal && time.Since(p.start) >= 300*time.Millisecond:
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[K%s ...", doing)
	}
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
