package record

import (
	"bufio"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Log is what was recorded, in its global order.
type Log struct {
	Object string

	// Missing is the number of entries after the last one that are known to have
	// been made but could not be read: one was not published when the log was
	// taken, and what came after it has no place without it. It is of an operation
	// that was running, or a write outside of one.
	Missing uint64

	// Dropped says that entries after the last one were dropped for lack of
	// room: what happened then is unknown.
	Dropped bool

	// Cut says that a file ends before the recorder closed it, as after a
	// crash: there may have been more entries.
	Cut bool

	tape tape.Tape
}

// Execution is the calls and returns of the log. Operations that did not return
// are pending. The error is a *UseError if a handle was used wrongly.
func (l *Log) Execution() (*history.Execution, error) {
	e, err := l.entries().Execution()
	if m, ok := err.(*tape.Misuse); ok {
		return nil, (*UseError)(m)
	}
	return e, err
}

func init() {
	tape.Of = func(log any) *tape.Tape { return log.(*Log).entries() }
	tape.Follow = func(recorder any) tape.Follower { return newMerger(recorder.(*Recorder)) }
}

func (l *Log) entries() *tape.Tape {
	l.tape.Object = l.Object
	return &l.tape
}

// UseError says that the recorder was used in a way that leaves no verdict:
// what happened, in which operation, and what to do about it.
type UseError struct {
	Process string // the handle's name
	Op      string // the operation, "[3] add(5)", if there is one
	Entry   uint64 // its number in the log, 0 if not known
	Msg     string
}

// Error is "record: process p, operation [3] add(5), entry 17: message".
func (e *UseError) Error() string { return (*tape.Misuse)(e).Error() }

// WriteBinary writes the log in the binary form, in which nothing is lost.
func (l *Log) WriteBinary(w io.Writer) error {
	b := newBinaryWriter(w, l.Object, l.tape.Names, func(from uint32) []string { return l.tape.Procs[from:] })
	b.tables() // even if there are no entries
	l.tape.Each(func(es []tape.Entry) error {
		b.add(es)
		return b.err
	})
	if l.Cut {
		return b.flush()
	}
	return b.close(l.Dropped, l.Missing)
}

// Stream starts a goroutine that writes the log to w in the binary form. What
// was recorded more than every ago, and published, has been handed to w.Write,
// in blocks that are whole: if the program panics, exits or is killed, the file
// can be read and checked up to there, and says that its tail is missing. A
// zero every is 10 ms.
//
// Stop writes the rest and says in the file that this is the end. The goroutines
// that record are to be done by then. Its error is the first one of writing, or a
// *UseError. It does not close the file.
func (r *Recorder) Stream(w io.Writer, every time.Duration) (stop func() error, err error) {
	m := newMerger(r)
	if err := m.Attach(false); err != nil {
		return nil, err
	}
	if every <= 0 {
		every = 10 * time.Millisecond
	}
	last, stopped := make(chan struct{}), make(chan struct{})
	b := newBinaryWriter(w, r.opts.Object, r.names, m.processes)
	var failed error
	go func() {
		defer close(stopped)
		defer m.Close()
		failed = b.stream(m, last, every)
	}()
	end := sync.OnceFunc(func() { close(last) })
	return func() error {
		end()
		<-stopped
		return failed
	}, nil
}

// binaryWriter writes a binary log. An error stays.
type binaryWriter struct {
	out   *bufio.Writer
	log   binlog.Appender
	names *tape.Names
	procs func(from uint32) []string

	nNames, nTexts, nProcs int // written so far
	entries, buf           []byte
	err                    error
}

func newBinaryWriter(w io.Writer, object string, n *tape.Names, procs func(uint32) []string) *binaryWriter {
	b := &binaryWriter{out: bufio.NewWriterSize(w, 1<<16), names: n, procs: procs}
	b.out.Write(b.log.Begin(nil))
	if object != "" {
		b.block(binlog.ObjectBlock, []byte(object))
	}
	return b
}

// stream writes what is recorded, at every tick, until there is no more after last.
func (b *binaryWriter) stream(m *merger, last chan struct{}, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for more := true; more; {
		select {
		case <-last:
			more = false
		case <-tick.C:
		}
		m.Pull(func(es []tape.Entry) bool { b.add(es); return b.err == nil })
		if err := b.flush(); err != nil {
			return err
		}
	}
	dropped, missing, err := m.Rest()
	if err != nil {
		return err
	}
	return b.close(dropped, missing)
}

// block writes a block. After one that is too long nothing is written: the log
// is one that was cut off.
func (b *binaryWriter) block(kind byte, contents []byte) {
	if b.err != nil {
		return
	}
	buf, err := b.log.Block(b.buf[:0], kind, contents)
	if err != nil {
		b.err = fmt.Errorf("record: writing the log: %w", err)
		return
	}
	b.buf = buf
	b.out.Write(b.buf) // an error comes again from Flush
}

// add takes entries. They reach the file with flush, or when there are many.
func (b *binaryWriter) add(es []tape.Entry) {
	for i := range es {
		n := len(b.entries)
		b.entries = append(b.entries, make([]byte, binlog.EntrySize)...)
		es[i].Encode(b.entries[n:])
		if len(b.entries) >= 1<<15 {
			b.flush()
		}
	}
}

// flush writes what was added, and before it the names that are new: names are
// made before the entries that use them.
func (b *binaryWriter) flush() error {
	if len(b.entries) > 0 {
		b.tables()
		b.block(binlog.EntryBlock, b.entries)
		b.entries = b.entries[:0]
	}
	if err := b.out.Flush(); err != nil && b.err == nil {
		b.err = fmt.Errorf("record: writing the log: %w", err)
	}
	return b.err
}

// tables writes the names, texts and processes that are new.
func (b *binaryWriter) tables() {
	table := func(kind byte, list []string, written *int) {
		for _, s := range list {
			b.block(kind, []byte(s))
		}
		*written += len(list)
	}
	newNames, newTexts := b.names.Since(b.nNames, b.nTexts)
	newProcs := b.procs(uint32(b.nProcs))
	table(binlog.NameBlock, newNames, &b.nNames)
	table(binlog.TextBlock, newTexts, &b.nTexts)
	table(binlog.ProcessBlock, newProcs, &b.nProcs)
}

func (b *binaryWriter) close(dropped bool, missing uint64) error {
	if err := b.flush(); err != nil {
		return err
	}
	b.out.Write(b.log.End(nil, dropped, missing))
	return b.flush()
}
