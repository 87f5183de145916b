package refine

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// source is where a watcher reads entries: the recorder, or files behind it.
type source struct {
	tape.Follower
	spill *spill
}

// newSource attaches a reader to a recorder.
func newSource(f tape.Follower, o *Options) (*source, error) {
	err := f.Attach(o.Spill)
	if err != nil {
		return nil, err
	}
	s := &source{Follower: f}
	if o.Spill && f.Forgets() {
		if o.newFile == nil {
			o.newFile = newTempFile
		}
		if s.spill, err = newSpill(f, o.newFile); err != nil {
			f.Close()
			return nil, err
		}
	}
	return s, nil
}

// read hands what there is to emit and counts it. An error says that there will
// be no more.
func (s *source) read(emit func(es []tape.Entry) bool) (n int, err error) {
	counted := func(es []tape.Entry) bool { n++; return emit(es) }
	if s.spill == nil {
		s.Pull(counted)
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
	s.Close()
}

// spill is a queue of temporary files. One goroutine writes to the last, as fast as
// entries come, another reads the first, and closes it when it is done with it: on
// disk is what was not read, and partSize more.
type spill struct {
	from    tape.Follower
	newFile func() (spillFile, error)

	mu    sync.Mutex
	parts []*part
	err   error // the writer has ended with it

	offset int64 // bytes of the first part that were read
	buf    []byte
	es     []tape.Entry

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

func newSpill(from tape.Follower, newFile func() (spillFile, error)) (*spill, error) {
	s := &spill{from: from, newFile: newFile, buf: make([]byte, 1<<16), stop: make(chan struct{}), done: make(chan struct{})}
	if _, err := s.room(); err != nil {
		return nil, fmt.Errorf("refine: no file to spill to: %w", err)
	}
	go func() {
		defer close(s.done)
		if err := s.write(); err != nil {
			from.Close() // without a reader memory would grow
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
		s.from.Pull(func(es []tape.Entry) bool {
			for i := range es {
				b = append(b, make([]byte, binlog.EntrySize)...)
				es[i].Encode(b[len(b)-binlog.EntrySize:])
			}
			return len(b) < batchSize
		})
		if len(b) > 0 {
			p, err := s.room()
			if err == nil {
				_, err = p.file.Write(b)
			}
			if err != nil {
				return fmt.Errorf("refine: spilling entries: %w", err)
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
	file, err := s.newFile()
	if err != nil {
		return nil, err
	}
	p := &part{file: file}
	s.parts = append(s.parts, p)
	return p, nil
}

// read hands what was written to emit.
func (s *spill) read(emit func(es []tape.Entry) bool) error {
	for {
		file, n, err := s.unread()
		if file == nil {
			return err
		}
		b := s.buf[:min(int64(len(s.buf)), n)]
		if _, err := file.ReadAt(b, s.offset); err != nil && err != io.EOF {
			return fmt.Errorf("refine: reading spilled entries: %w", err)
		}
		s.offset += int64(len(b))
		for ; len(b) > 0; b = b[binlog.EntrySize:] {
			var e tape.Entry
			e.Decode(b)
			s.es = append(s.es, e)
			if e.More() {
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
