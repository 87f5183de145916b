package main

import (
	"context"
	"io"
	"os"
)

// open opens a file for reading, up to the end of the context: a pipe that nobody
// writes to holds up neither this nor the reading.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return nil, usageError{err}
		}
		return polling{ctx, f}, nil
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, usageError{o.err}
		}
		return pipe{&input{ctx: ctx, name: path, src: o.f}, o.f}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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
	return p.File.Read(b)
}

// pipe is a file whose reading may block.
type pipe struct {
	*input
	io.Closer
}
