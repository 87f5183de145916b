package memory

import (
	"context"
	"io"
	"io/fs"
	"math"
	"runtime"
)

// Room says that the work is about to take so many bytes more. If they are not there it is ended, before it takes
// them, and the error is an *Exceeded.
func (u *Use) Room(n int) error {
	if u == nil {
		return nil
	}
	if g := u.guard; held(objects)+float64(n) > float64(g.limit) {
		runtime.GC() // of the objects, some may be garbage
		if held(objects)+float64(n) > float64(g.limit) {
			g.mu.Lock()
			defer g.mu.Unlock()
			u.over = true
			u.end(&Exceeded{g.limit})
			return &Exceeded{g.limit}
		}
	}
	return nil
}

// Reader is a log that is read as long as there is time and memory. Readers of package history ask it for both.
type Reader struct {
	io.Reader
	Ctx  context.Context
	Use  *Use // nil: as much memory as there is
	Size int  // of the whole; 0: not known
}

// SizeOf is how many bytes there are to be read if that is easily known, else 0.
func SizeOf(r io.Reader) int {
	switch r := r.(type) {
	case interface{ Len() int }:
		return r.Len()
	case fs.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() && info.Size() < math.MaxInt32 {
			return int(info.Size())
		}
	}
	return 0
}

// atOnce is how much is read before anybody looks at time and memory again.
const atOnce = 1 << 20

func (r *Reader) Read(p []byte) (int, error) {
	if err := r.Stopped(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(p[:min(len(p), atOnce)])
	r.Use.Grow(n)
	return n, err
}

// Stopped is the error of the context, once that has ended.
func (r *Reader) Stopped() error { return r.Ctx.Err() }

// Room is that of the use.
func (r *Reader) Room(n int) error { return r.Use.Room(n) }

// Len is the size, so that room is made once.
func (r *Reader) Len() int { return r.Size }
