//go:build go1.21

package driver

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"
)

// Reasons of a Fault.
const (
	Panics      = "panics"
	Hangs       = "does not return"
	Differs     = "answers differently the second time"
	Elapses     = "answers differently at another time"
	NewFails    = "cannot be constructed"
	EndsProcess = "ends the process"
	HandsOut    = "hands out a pointer that it made"
	Drops       = "has an answer that is not compared as a whole"
	Alike       = "has two answers that a log cannot tell apart"
	Tried       = "is tried"

	GoroutineEnds = "a goroutine ends the process"

	Uncopied = "is not what the trials showed" // a keeper's: copies or texts of objects cannot be trusted after all
)

// Fault is what a reference did wrong.
type Fault struct {
	Reason string `json:"reason"`
	Seq    int    `json:"seq"` // sequence of the request
	At     int    `json:"at"`  // call of the sequence; -1: the constructor
	Detail string `json:"detail,omitempty"`
	Where  string `json:"where,omitempty"` // file:line of a panic

	Started string `json:"started,omitempty"` // file:line where the goroutine to blame was started

	Words string `json:"words,omitempty"` // the calls, if the driver chose them

	Method string       `json:"method,omitempty"` // of a fault that is Drops
	Errors []NamedError `json:"errors,omitempty"` // of a fault that is Tried
	Stood  []Beside     `json:"stood,omitempty"`  // of a fault that is Tried
}

func (f *Fault) Error() string {
	return fmt.Sprintf("sequence %d, call %d %s: %s", f.Seq, f.At, f.Reason, f.Detail)
}

// Watch bounds a run.
type Watch struct {
	Timeout time.Duration            // for one call
	MaxHeap uint64                   // bytes that may be in use; 0: any
	Part    func(done int)           // called if only the sequences before this one were run; nil: run all
	Beat    func()                   // called now and then while a run goes on; may be nil
	Report  func(sequence, call int) // called before each call; may be nil
	Defect  func(*Fault)             // called at the first panic that is a runtime error; may be nil

	// From and To bound the sequences to run; To 0: all.
	From, To int
}

// Run answers a request: every sequence is run twice, each time on a new
// object, the second time in the opposite order, and both must answer alike.
// The error is a *Fault, the context's, or about the request's form. A call that
// does not return cannot be ended from outside: its goroutine stays behind. The
// answers are valid until the next Run.
func (m *Machine) Run(ctx context.Context, request []byte, w Watch) ([]byte, error) {
	answers, err := m.run(ctx, request, w)
	if err == errWaits {
		answers, err = m.run(ctx, request, w)
	}
	if err == errLate {
		m.waits.patient = true
		answers, err = m.run(ctx, request, w)
		m.waits.patient = false
	}
	return answers, err
}

func (m *Machine) run(ctx context.Context, request []byte, w Watch) ([]byte, error) {
	r := m.runner
	if r == nil {
		r = newRunner(m)
	}
	m.runner, m.seen, m.stood = nil, nil, nil
	if err := r.prepare(request); err != nil {
		return nil, err
	}
	r.report, r.defect, r.part, r.from = w.Report, w.Defect, w.Part, w.From
	if w.To > 0 {
		r.count = min(r.count, w.To)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.run()
	}()
	if err := r.watch(ctx, done, w); err != nil {
		r.stop.Store(true)
		return nil, err // r is left to the goroutine
	}
	m.runner = r
	switch {
	case r.late:
		return nil, errLate
	case len(m.seen)+len(m.stood) > 0: // what else is wrong shows again
		return nil, &Fault{Reason: Tried, Errors: m.seen, Stood: m.stood}
	case r.fault != nil:
		return nil, r.fault
	}
	return r.out, nil
}

// runner is the state of a run.
type runner struct {
	m     *Machine
	work  work
	from  int // the first sequence to run
	count int // sequences

	report func(sequence, call int)
	defect func(*Fault) // hears of the first panic that is a runtime error; may be nil
	part   func(done int)
	left   bool // the call that was made last waits for ever
	late   bool // one of those that were taken to wait does not

	together bool          // calls that seem to wait are looked at together, at the end
	pos      atomic.Uint64 // pass, sequence and call that is running
	stop     atomic.Bool
	pass     uint64
	seq      int
	at       int
	ended    bool // the sequence ended in order
	out      []byte
	starts   []int // of the sequences' answers in out
	fault    *Fault
}

// work is what a request asks for: calls to be made, or labels to be judged.
type work interface {
	prepare(request *Reader) (count int, err error)
	sequence(i int)                          // runs sequence i, appending its answers to the runner's out
	describe(i int, answers []byte) []string // the answers to sequence i in words
}

func newRunner(m *Machine) *runner {
	r := &runner{m: m}
	if m.Acceptor {
		r.work = &accept{r: r}
	} else {
		r.work = newReplay(r)
	}
	return r
}

// prepare reads the request.
func (r *runner) prepare(request []byte) (err error) {
	r.fault, r.out = nil, r.out[:0]
	r.count, err = r.work.prepare(NewReader(request))
	return err
}

// run runs all sequences forwards and then backwards.
func (r *runner) run() {
	r.pass, r.late, r.together = 0, false, r.report == nil
	left := 0
	if w := r.m.waits; w != nil {
		w.lost, w.late = append(w.lost, w.late...), nil // of a run that did not come to its end
		left = w.left
	}
	if r.part != nil {
		r.part(0)
	}
	r.starts = append(r.starts[:0], 0)
	for i := r.from; i < r.count; i++ {
		if !r.guarded(i) {
			return
		}
		r.starts = append(r.starts, len(r.out))
		if r.late = r.m.waits.crowded() && !r.settle(); r.late {
			return
		}
		if r.part != nil && r.m.waits.full(left) && i+1 < r.count {
			r.count = i + 1
			r.part(r.count)
		}
	}
	r.together = false
	if r.late = !r.settle(); r.late {
		return
	}
	r.pass = 1
	end := len(r.out)
	for i := r.count - 1; i >= r.from; i-- {
		if !r.guarded(i) {
			return
		}
		n := i - r.from
		first, second := r.out[r.starts[n]:r.starts[n+1]], r.out[end:]
		if !bytes.Equal(first, second) {
			r.fault = r.difference(i, first, second)
			return
		}
		r.out = r.out[:end]
	}
	r.settle()
}

// guarded runs one sequence and reports whether to go on.
func (r *runner) guarded(i int) bool {
	if r.stop.Load() {
		return false
	}
	r.seq, r.ended = i, false
	func() {
		defer r.rescue()
		r.work.sequence(i)
		r.ended = true
	}()
	return r.fault == nil
}

// rescue turns a panic, or runtime.Goexit, of the sequence into a fault.
func (r *runner) rescue() {
	if r.ended {
		return
	}
	p := recover()
	r.fault = &Fault{Reason: Panics, Seq: r.seq, At: r.at, Detail: "runtime.Goexit was called, or panic(nil)"}
	if p != nil {
		r.fault.Detail, r.fault.Where = shorten(fmt.Sprint(p)), panicSite()
	}
}

// calling notes that a call begins; -1 is the constructor.
func (r *runner) calling(call int) {
	r.at, r.left = call, false
	r.pos.Store(r.pass<<63 | uint64(r.seq)<<24 | uint64(call+1))
	if r.report != nil {
		r.report(r.seq, call)
	}
	if r.m.pause > 0 && r.pass == 0 && r.seq < Restless && call > 0 && rand.Intn(4) == 0 {
		time.Sleep(r.m.pause)
	}
}

// Restless is how many sequences of a request are run with pauses, the first time, if
// pauses are asked for.
const Restless = 40

// position undoes the packing of calling.
func position(pos uint64) (sequence, call int) {
	return int(pos << 1 >> 25), int(pos&(1<<24-1)) - 1
}

// watch waits until the run is done, a call takes too long, too much memory is
// in use, or the context ends. It counts its own ticks rather than wall time, so
// that a machine that slept does not blame the reference.
func (r *runner) watch(ctx context.Context, done <-chan struct{}, w Watch) error {
	tick := min(max(w.Timeout/8, time.Millisecond), 250*time.Millisecond)
	limit, every := int(max(w.Timeout/tick, 1)), 1
	if r.m.waits != nil {
		every = int(max(tick/(2*time.Millisecond), 1))
	}
	ticker := time.NewTicker(tick / time.Duration(every))
	defer ticker.Stop()
	last, same := ^uint64(0), 0
	for n := 1; ; n++ {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		pos := r.pos.Load()
		if same++; pos != last {
			last, same = pos, 0
		}
		if err := r.waitsInside(pos, same, done); err != nil {
			return err
		}
		if n%every != 0 {
			continue
		}
		if w.Beat != nil {
			w.Beat()
		}
		detail := ""
		if same >= limit*every {
			detail = fmt.Sprintf("no answer after %v", w.Timeout)
		} else if w.MaxHeap > 0 && heapInUse() > w.MaxHeap {
			detail = fmt.Sprintf("its memory grows beyond %d MiB", w.MaxHeap>>20)
		}
		if detail != "" {
			seq, call := position(pos)
			return &Fault{Reason: Hangs, Seq: seq, At: call, Detail: detail}
		}
	}
}

// heapInUse is the number of bytes in objects.
func heapInUse() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// difference finds the first call that the two runs of sequence i answer
// differently.
func (r *runner) difference(i int, first, second []byte) *Fault {
	a, b := r.work.describe(i, first), r.work.describe(i, second)
	at := 0
	for at < len(a)-1 && at < len(b)-1 && a[at] == b[at] {
		at++
	}
	return &Fault{Reason: Differs, Seq: i, At: at,
		Detail: fmt.Sprintf("first %s, then %s", a[at], b[at])}
}

// panicSite is the file and line of the innermost frame of the running panic
// that is not the Go runtime's.
func panicSite() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}

// shorten keeps a message within a line or two.
func shorten(s string) string {
	const most = 400
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
