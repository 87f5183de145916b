package record

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history/binlog"
)

// source is where a watcher reads entries: the merger, or a file behind it.
type source struct {
	m     *merger
	spill *spill
}

func newSource(m *merger) (*source, error) {
	s := &source{m: m}
	if !m.releases || m.rec.opts.Policy != Spill {
		return s, nil
	}
	var err error
	s.spill, err = newSpill(m)
	return s, err
}

// read hands what there is to emit and counts it.
func (s *source) read(emit func(es []entry) bool) (n int, err error) {
	counted := func(es []entry) bool { n++; return emit(es) }
	if s.spill == nil {
		s.m.pull(counted)
		return n, nil
	}
	return n, s.spill.read(counted, &n)
}

// finish brings everything recorded within reach of read; nothing more is to be
// recorded.
func (s *source) finish() error {
	if s.spill == nil {
		return nil
	}
	return s.spill.finish()
}

func (s *source) close() {
	if s.spill != nil {
		s.spill.close()
	}
}

// spill is a temporary file that one goroutine writes, as fast as entries come,
// and another reads.
type spill struct {
	m       *merger
	file    *os.File
	written atomic.Int64 // bytes that may be read
	offset  int64        // bytes read
	buf     []byte
	es      []entry

	stop chan struct{}
	done chan struct{}
	once sync.Once
	err  error // of the writer, once done is closed
}

func newSpill(m *merger) (*spill, error) {
	file, err := os.CreateTemp("", "adtinfer-record-*")
	if err != nil {
		return nil, fmt.Errorf("record: no file to spill to: %w", err)
	}
	s := &spill{m: m, file: file, buf: make([]byte, 1<<16), stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.err = s.write()
	}()
	return s, nil
}

func (s *spill) write() error {
	out := bufio.NewWriterSize(s.file, 1<<16)
	idle := idler{stop: s.stop}
	var b [binlog.EntrySize]byte
	for more := true; more; {
		n := 0
		s.m.pull(func(es []entry) bool {
			n += len(es)
			for i := range es {
				es[i].encode(b[:])
				out.Write(b[:]) // an error comes again from Flush
			}
			return n < 1<<16
		})
		if err := out.Flush(); err != nil {
			return fmt.Errorf("record: spilling entries: %w", err)
		}
		s.written.Add(int64(n) * binlog.EntrySize)
		more = idle.wait(n)
	}
	return nil
}

// read hands what was written to emit.
func (s *spill) read(emit func(es []entry) bool, n *int) error {
	for s.offset < s.written.Load() {
		want := min(int64(len(s.buf)), s.written.Load()-s.offset)
		if _, err := s.file.ReadAt(s.buf[:want], s.offset); err != nil && err != io.EOF {
			return fmt.Errorf("record: reading spilled entries: %w", err)
		}
		s.offset += want
		for b := s.buf[:want]; len(b) > 0; b = b[binlog.EntrySize:] {
			var e entry
			e.decode(b)
			s.es = append(s.es, e)
			if e.more() {
				continue
			}
			if !emit(s.es) {
				return nil
			}
			s.es = s.es[:0]
		}
	}
	return nil
}

// finish ends the writer, after it has written everything.
func (s *spill) finish() error {
	s.once.Do(func() { close(s.stop) })
	<-s.done
	return s.err
}

func (s *spill) close() {
	s.finish()
	s.file.Close()
	os.Remove(s.file.Name())
}

func (e *entry) encode(b []byte) {
	x := binlog.Entry{Seq: e.seq, Proc: e.proc, ID: e.id, Kind: uint8(e.kind), Types: e.types, Vals: e.vals}
	x.Encode(b)
}

func (e *entry) decode(b []byte) {
	var x binlog.Entry
	x.Decode(b)
	*e = entry{seq: x.Seq, proc: x.Proc, id: x.ID, kind: kind(x.Kind), types: x.Types, vals: x.Vals}
}
