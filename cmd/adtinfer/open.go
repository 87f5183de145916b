package main

import (
	"context"
	"os"
)

// open opens a file for reading, up to the end of the context: a pipe that nobody
// writes to holds up neither this nor the reading.
func open(ctx context.Context, path string) (polling, error) {
	var f *os.File
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		f, err = openPipe(ctx, path, os.O_RDONLY)
	} else {
		f, err = os.Open(path)
	}
	switch {
	case ctx.Err() != nil:
		return polling{}, ctx.Err()
	case err != nil:
		return polling{}, usageError{err}
	}
	return polling{ctx, f}, nil
}

// polling is a file up to the end of a context.
type polling struct {
	ctx context.Context
	*os.File
}

func (p polling) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.File.Read(b)
	if err != nil && p.ctx.Err() != nil { // a deadline that passed
		err = p.ctx.Err()
	}
	return n, err
}
