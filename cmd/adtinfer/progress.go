package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows one line of what is being done, on terminals only, and only
// when it takes a moment.
type progress struct {
	w     io.Writer // nil: show nothing
	start time.Time

	mu    sync.Mutex
	shown bool
	doing string
}

func newProgress(w io.Writer) *progress {
	p := &progress{start: time.Now()}
	if terminal(w) {
		p.w = w
	}
	return p
}

func (p *progress) step(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
	if p.w == nil || time.Since(p.start) < 300*time.Millisecond {
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%s ...", doing)
}

// last is what was being done last.
func (p *progress) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doing
}

// done takes the line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
