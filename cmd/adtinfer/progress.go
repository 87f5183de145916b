package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows what is being done: on a terminal in one line, when it takes a
// moment, and elsewhere in a line of its own every ten seconds.
type progress struct {
	w        io.Writer
	terminal bool
	start    time.Time

	mu    sync.Mutex
	shown bool // a line is on the terminal
	doing string
	timer *time.Timer // to the next line, if there is no terminal
}

// lineEvery is how often there is a line where there is no terminal.
var lineEvery = 10 * time.Second

func newProgress(w io.Writer) *progress {
	return &progress{w: w, terminal: terminal(w), start: time.Now()}
}

func (p *progress) step(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
	switch {
	case !p.terminal && p.timer == nil:
		p.timer = time.AfterFunc(lineEvery-time.Since(p.start)%lineEvery, p.line)
	case p.terminal && time.Since(p.start) >= 300*time.Millisecond:
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[K%s ...", doing)
	}
}

// line prints what is being done, on a line of its own.
func (p *progress) line() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", time.Since(p.start).Round(time.Second), p.doing)
	p.timer.Reset(lineEvery)
}

// last is what was being done last.
func (p *progress) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doing
}

// done takes the line away, until the next step.
func (p *progress) done() {
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
