package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// prefixWriter marks what the reference prints, so that it is not taken for
// ours, and passes on the first lines only: a reference is run many times.
type prefixWriter struct {
	w io.Writer

	mu    sync.Mutex
	rest  []byte // a line without its end
	lines int
}

// prefixLines is how many lines are passed on.
const prefixLines = 10

func (p *prefixWriter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines > prefixLines {
		return len(b), nil
	}
	p.rest = append(p.rest, b...)
	for {
		line, rest, ok := bytes.Cut(p.rest, []byte{'\n'})
		if !ok {
			return len(b), nil
		}
		p.rest = rest
		if p.lines++; p.lines > prefixLines {
			fmt.Fprintln(p.w, "reference: ... (more output left out)")
			return len(b), nil
		}
		fmt.Fprintf(p.w, "reference: %s\n", line)
	}
}
