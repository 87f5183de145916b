package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// follows reports whether the logs are one that is checked as it comes.
func (o *checkOptions) follows(args []string) (bool, error) {
	if !o.follow {
		if o.splitBy != "" && slices.Contains(args, "-") {
			return false, usagef("--split-by reads a log again to explain a violation, so it needs files; without it, standard input is checked as it arrives, key by key")
		}
		return slices.Equal(args, []string{"-"}) && !given(o.filesFrom, o.splitBy, o.commit, o.Whole, o.skew), nil
	}
	err := cmp.Or(
		refuse(given(o.filesFrom, o.shard), "--follow takes one log, so it cannot be used with --files-from or --shard"),
		refuse(o.commit, "--commit reads whole logs, so it cannot be used with --follow"),
		refuse(o.Whole, "--whole checks whole logs, so it cannot be used with --follow"),
		refuse(len(args) != 1, "--follow takes one log, but got %d", len(args)))
	if err == nil && files.IsDir(args[0]) {
		err = usagef("--follow takes a log, but %s is a directory", args[0])
	}
	return err == nil, err
}

// runFollow checks a log as it comes, up to the first violation.
func runFollow(ctx context.Context, st streams, o *checkOptions, c *check.Checker, path string) error {
	in := stdin(ctx, st)
	in.name = streamName(path, in.name)
	if path != "-" {
		f, err := files.Open(ctx, path)
		if err != nil {
			return err
		}
		defer f.Close()
		in.src = f
		if info, err := f.Stat(); o.follow && err == nil && info.Mode().IsRegular() {
			in.file = f.File
			if err := c.CanFollow(ctx); err != nil {
				return usagef("--follow: %s, and %s cannot be read as a whole while it grows; leave out --follow", message(err), path)
			}
		}
	}
	var p check.Progress
	end := meter(st, &p, in)
	guard := memory.Watch(o.most)
	defer guard.Close()
	bounded, use := guard.Enter(ctx)
	defer use.Leave()
	defer collectLess(200, math.MaxInt64)()
	open := func() (io.ReadCloser, error) { return sources.Unpack(in, in.name, o.unpacked), nil }
	report := c.Follow(bounded, check.Source{Name: in.name, Open: open, Grows: in.file != nil}, &p)
	end()
	r, err := o.newReporter(st)
	if err != nil {
		return err
	}
	if err := r.report(report); err != nil {
		return err
	}
	if err := r.end(ctx); err != nil && !isSilent(err) || ctx.Err() == nil {
		return err
	}
	return silent(exitInterrupted)
}

// muchLive is how much is live, values and operations, that takes memory to be felt.
const muchLive = 1 << 20

// meter shows once a second on a terminal how far a log has been checked.
func meter(st streams, p *check.Progress, in *input) (end func()) {
	line := st.progress()
	if !line.Terminal {
		return func() {}
	}
	done := make(chan struct{})
	var shown sync.WaitGroup
	shown.Add(1)
	go func() {
		defer shown.Done()
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for last := int64(0); ; {
			select {
			case <-done:
				line.Done()
				return
			case <-tick.C:
				n := p.Events.Load()
				live, much := p.Live.Load(), ""
				if live >= muchLive {
					much = " (all kept in memory)"
				}
				line.Step(fmt.Sprintf("%d events, %d per second, %d live%s, %d bytes behind", n, n-last, live, much, in.behind()))
				last = n
			}
		}
	}()
	return func() { close(done); shown.Wait() }
}

// input reads a log ahead of who checks it, waits for more at the end of a file
// that grows, and ends with the context even if nothing comes.
type input struct {
	ctx  context.Context
	name string
	src  io.Reader
	file *os.File // that grows; nil if the log ends where src does

	warnings io.Writer
	moved    bool // the name is another file's by now

	once     sync.Once
	full     chan []byte // what was read
	empty    chan []byte // buffers to be used again
	buf      []byte      // the buffer that is being taken
	rest     []byte      // of buf
	err      error       // once full is closed
	received atomic.Int64
	taken    atomic.Int64
}

// stdin is standard input, up to the end of the context.
func stdin(ctx context.Context, st streams) *input {
	return &input{ctx: ctx, name: "standard input", src: st.in, warnings: st.err}
}

const (
	inputBuffers = 4
	inputSize    = 64 << 10
	inputPause   = 50 * time.Millisecond // at the end of a file that grows
)

// Read is for one goroutine.
func (in *input) Read(p []byte) (int, error) {
	in.once.Do(in.start)
	for len(in.rest) == 0 {
		if in.buf != nil {
			in.empty <- in.buf
			in.buf = nil
		}
		select {
		case b, ok := <-in.full:
			if !ok {
				return 0, in.err
			}
			in.buf, in.rest = b[:cap(b)], b
		case <-in.ctx.Done():
			return 0, in.ctx.Err()
		}
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	in.taken.Add(int64(n))
	return n, nil
}

func (in *input) start() {
	in.full, in.empty = make(chan []byte, inputBuffers), make(chan []byte, inputBuffers)
	for range inputBuffers {
		in.empty <- make([]byte, inputSize)
	}
	go func() {
		defer close(in.full)
		in.err = in.fill()
	}()
}

// fill reads to the end.
func (in *input) fill() error {
	for {
		var b []byte
		select {
		case b = <-in.empty:
		case <-in.ctx.Done():
			return in.ctx.Err()
		}
		n, err := in.src.Read(b)
		in.received.Add(int64(n))
		for n == 0 && err == io.EOF && in.file != nil {
			if err := in.pause(); err != nil {
				return err
			}
			n, err = in.src.Read(b)
			in.received.Add(int64(n))
		}
		if n > 0 {
			in.full <- b[:n]
		} else {
			in.empty <- b
		}
		if err != nil && (err != io.EOF || in.file == nil) {
			return err
		}
	}
}

// pause waits for the file to grow.
func (in *input) pause() error {
	info, err := in.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < in.received.Load() {
		return fmt.Errorf("the file shrank; was it replaced?")
	}
	in.moves(info)
	select {
	case <-time.After(inputPause):
		return nil
	case <-in.ctx.Done():
		return in.ctx.Err()
	}
}

// moves says, once, that another file has the name of the one that is followed, as after logs were rotated. That one is
// followed on: who writes it may not know yet, and an operation that runs may return in either.
func (in *input) moves(info os.FileInfo) {
	if in.moved {
		return
	}
	if now, err := os.Stat(in.file.Name()); err == nil && !os.SameFile(info, now) {
		in.moved = true
		fmt.Fprintf(in.warnings, "warning: %s is another file now, which is not read; the one that had the name before is followed on\n", in.name)
	}
}

// behind is how many bytes are known to be there and are not checked.
func (in *input) behind() int64 {
	known := in.received.Load()
	if in.file != nil {
		if info, err := in.file.Stat(); err == nil {
			known = max(known, info.Size())
		}
	}
	return known - in.taken.Load()
}
