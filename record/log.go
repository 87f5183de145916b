package record

import (
	"errors"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Log is what was recorded, in its global order.
type Log struct {
	Object string

	// Missing is the number of entries after the last one that are known to have
	// been made but could not be read: one was not published when the log was
	// taken, and what came after it has no place without it. It is of an operation
	// that was running, or a write outside of one.
	Missing uint64

	// Dropped tells that entries after the last one were dropped for lack of
	// room: there is no telling what happened then.
	Dropped bool

	// Cut tells that a file ends before the recorder closed it, as after a
	// crash: there may have been more entries.
	Cut bool

	dropped error // why, if not for lack of room

	names   *names
	procs   []string
	entries []entry // an entry that continues another follows it
	count   uint64  // entries without those that continue others
}

// Log is what was recorded so far. If the goroutines are done it is everything;
// while some are still running, what they published.
//
// The error is a *UseError if a handle was used wrongly.
func (r *Recorder) Log() (*Log, error) {
	if r.forgets() {
		return nil, errors.New("record: the recorder has a Limit and a reader, so it keeps no log; Stream the log to a file and read it from there")
	}
	l := &Log{Object: r.opts.Object, names: r.names}
	m := newMerger(r)
	m.pull(func(es []entry) bool {
		l.entries = append(l.entries, es...)
		l.count++
		return true
	})
	l.procs = r.processes()
	if err := r.misused(); err != nil {
		return nil, err
	}
	var err error
	l.Dropped, l.Missing, err = m.rest()
	if err != nil {
		return nil, err
	}
	return l, nil
}

// rest says what there is behind the last entry that is in place: whether entries
// were dropped, and how many nobody has published, at least. Where recording is
// compiled out, everything was dropped.
//
// It is an error only if an entry that was published is not there.
func (m *merger) rest() (dropped bool, missing uint64, err error) {
	if !Enabled || m.rec.cut.Load() != 0 {
		return true, 0, nil
	}
	if m.next <= m.rec.quiet() && !m.ready() {
		return false, 0, &UseError{Process: "(unknown)", Entry: m.next,
			Msg: "an entry was lost: two goroutines used one Handle at the same time; give each its own"}
	}
	return false, max(m.rec.seq.Load()+1, m.next) - m.next, nil
}

// forgets tells whether entries are forgotten once they have been read.
func (r *Recorder) forgets() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.readers > 0
}

// each hands the entries to f, an entry with what continues it at a time.
func (l *Log) each(f func(es []entry) error) error {
	for i := 0; i < len(l.entries); {
		j := i + 1
		for l.entries[j-1].more() {
			j++
		}
		if err := f(l.entries[i:j]); err != nil {
			return err
		}
		i = j
	}
	return nil
}

func (l *Log) process(proc uint32) string {
	if int(proc) < len(l.procs) {
		return l.procs[proc]
	}
	return "#" + strconv.Itoa(int(proc))
}

// Execution is the calls and returns that were recorded so far. Operations that
// did not return are pending. The error is a *UseError if a handle was used
// wrongly.
func (r *Recorder) Execution() (*history.Execution, error) {
	l, err := r.Log()
	if err != nil {
		return nil, err
	}
	return l.Execution()
}

// Execution is the calls and returns of the log.
func (l *Log) Execution() (*history.Execution, error) {
	e := &history.Execution{Object: l.Object}
	t := newTracker(l.names, l.process)
	err := l.each(func(es []entry) error {
		op, err := t.add(es)
		if err != nil {
			return err
		}
		switch es[0].what() {
		case callEntry:
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(op.ID), Process: op.Process, Label: op.Label(),
				Call: e.Events, Return: history.NoReturn})
			e.Events++
		case returnEntry:
			o := &e.Ops[op.ID-1]
			o.Outcome, o.Rets, o.Return = op.Outcome, valueTexts(l.names, op.Rets), e.Events
			e.Events++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}
