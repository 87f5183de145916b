package record

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/adtinfer/adtinfer/internal/binlog"
)

// source is where a watcher reads entries: the merger, or files behind it.
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

// read hands what there is to emit and counts it. An error says that there will
// be no more.
func (s *source) read(emit func(es []entry) bool) (n int, err error) {
	counted := func(es []entry) bool { n++; return emit(es) }
	if s.spill == nil {
		s.m.pull(counted)
		return n, nil
	}
	err = s.spill.read(counted)
	return n, err
}

// finish brings everything recorded within reach of read; nothing more is to be
// recorded.
func (s *source) finish() {
	if s.spill != nil {
		s.spill.finish()
	}
}

func (s *source) close() {
	if s.spill != nil {
		s.spill.close()
	}
}

// spill is a queue of temporary files. One goroutine writes to the last, as fast as
// entries come, another reads the first, and closes it when it is done with it: on
// disk is what was not read, and partSize more.
type spill struct {
	m *merger

	mu    sync.Mutex
	parts []*part
	err   error // the writer has ended with it

	offset int64 // bytes of the first part that were read
	buf    []byte
	es     []entry

	stop chan struct{}
	done chan struct{}
	once sync.Once
}

// part is one of the files. It holds whole entries, each with what continues it.
type part struct {
	file spillFile
	size int64 // bytes that may be read; under the spill's lock
}

// spillFile is a temporary file. Close removes it.
type spillFile interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

const (
	partSize  = 4 << 20
	batchSize = 1 << 20 // what is written at once, about
)

type tempFile struct{ *os.File }

// newTempFile makes a file that is gone when the process ends, where the operating
// system lets go of the names of open files.
func newTempFile() (spillFile, error) {
	f, err := os.CreateTemp("", "adtinfer-record-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	return tempFile{f}, nil
}

func (t tempFile) Close() error {
	defer os.Remove(t.Name())
	return t.File.Close()
}

func newSpill(m *merger) (*spill, error) {
	s := &spill{m: m, buf: make([]byte, 1<<16), stop: make(chan struct{}), done: make(chan struct{})}
	if _, err := s.room(); err != nil {
		return nil, fmt.Errorf("record: no file to spill to: %w", err)
	}
	go func() {
		defer close(s.done)
		if err := s.write(); err != nil {
			m.rec.detach() // nobody reads on, so memory would grow
			s.mu.Lock()
			defer s.mu.Unlock()
			s.err = err
		}
	}()
	return s, nil
}

// write writes entries until there are no more after stop.
func (s *spill) write() error {
	idle := idler{stop: s.stop}
	var b []byte
	for more := true; more; {
		b = b[:0]
		s.m.pull(func(es []entry) bool {
			for i := range es {
				b = append(b, make([]byte, binlog.EntrySize)...)
				es[i].encode(b[len(b)-binlog.EntrySize:])
			}
			return len(b) < batchSize
		})
		if len(b) > 0 {
			p, err := s.room()
			if err == nil {
				_, err = p.file.Write(b)
			}
			if err != nil {
				return fmt.Errorf("record: spilling entries: %w", err)
			}
			s.mu.Lock()
			p.size += int64(len(b))
			s.mu.Unlock()
		}
		more = idle.wait(len(b))
	}
	return nil
}

// room is the part to write to.
func (s *spill) room() (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.parts); n > 0 && s.parts[n-1].size < partSize {
		return s.parts[n-1], nil
	}
	file, err := s.m.rec.newSpillFile()
	if err != nil {
		return nil, err
	}
	p := &part{file: file}
	s.parts = append(s.parts, p)
	return p, nil
}

// read hands what was written to emit.
func (s *spill) read(emit func(es []entry) bool) error {
	for {
		file, n, err := s.unread()
		if file == nil {
			return err
		}
		b := s.buf[:min(int64(len(s.buf)), n)]
		if _, err := file.ReadAt(b, s.offset); err != nil && err != io.EOF {
			return fmt.Errorf("record: reading spilled entries: %w", err)
		}
		s.offset += int64(len(b))
		for ; len(b) > 0; b = b[binlog.EntrySize:] {
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
}

// unread is the file to read next and the bytes in it that were not read. If there
// is none, the error is why there will be none, if that is known.
func (s *spill) unread() (spillFile, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.parts) > 1 && s.offset == s.parts[0].size {
		s.parts[0].file.Close()
		s.parts, s.offset = s.parts[1:], 0
	}
	if p := s.parts[0]; s.offset < p.size {
		return p.file, p.size - s.offset, nil
	}
	return nil, 0, s.err
}

// finish ends the writer, after it has written everything.
func (s *spill) finish() {
	s.once.Do(func() { close(s.stop) })
	<-s.done
}

func (s *spill) close() {
	s.finish()
	for _, p := range s.parts {
		p.file.Close()
	}
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
