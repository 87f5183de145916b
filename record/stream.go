package record

import (
	"io"
	"sync"
	"time"
)

// Streamer writes a recording to a file while it goes on.
type Streamer struct {
	stop, stopped chan struct{}
	once          sync.Once
	err           error
}

// Stream starts a goroutine that writes the log to w in the binary form. What
// was recorded more than every ago, and published, has been handed to w.Write,
// in blocks that are whole: if the program panics, exits or is killed, the file
// can be read and checked up to there, and says that its tail is missing. A
// zero every is 10 ms. Close ends it.
func (r *Recorder) Stream(w io.Writer, every time.Duration) (*Streamer, error) {
	m, err := r.attach()
	if err != nil {
		return nil, err
	}
	if every <= 0 {
		every = 10 * time.Millisecond
	}
	s := &Streamer{stop: make(chan struct{}), stopped: make(chan struct{})}
	b := newBinaryWriter(w, r.opts.Object, r.names, r.processes)
	go func() {
		defer close(s.stopped)
		s.err = s.run(m, b, every)
		r.detach()
	}()
	return s, nil
}

func (s *Streamer) run(m *merger, b *binaryWriter, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := false; ; {
		m.pull(func(es []entry) bool { b.add(es); return b.err == nil })
		if err := b.flush(); err != nil {
			return err
		}
		if last {
			break
		}
		select {
		case <-s.stop:
			last = true
		case <-tick.C:
		}
	}
	dropped, missing, err := m.rest()
	if err != nil {
		return err
	}
	return b.close(dropped, missing)
}

// Close writes the rest and says in the file that this is the end. The
// goroutines that record are to be done by then. The error is the first one of
// writing, or a *UseError. It does not close the file.
func (s *Streamer) Close() error {
	s.once.Do(func() { close(s.stop) })
	<-s.stopped
	return s.err
}
