//go:build go1.21

package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"
)

// Protocol is the version of the frames and their payloads; Version is that of
// the library. Parent and child must agree on the first.
const (
	Protocol = 2
	Version  = "v0.1.0"
)

// Limits of a child: a reference that outgrows them on a few calls is broken.
const (
	childMaxStack = 16 << 20
	childMaxHeap  = 1 << 30
)

// Config is the parent's first frame.
type Config struct {
	Nonce    string        `json:"nonce"`    // before each of the child's frames
	Timeout  time.Duration `json:"timeout"`  // for one call
	Name     string        `json:"name"`     // if the object has none
	Skip     []string      `json:"skip"`     // besides the object's own
	Timers   bool          `json:"timers"`   // a call that waits may be woken by the clock
	Waits    bool          `json:"waits"`    // some calls are known to wait for ever
	Whole    []string      `json:"whole"`    // see Object
	Beside   []Beside      `json:"beside"`   // see Object
	Errors   []NamedError  `json:"errors"`   // besides the object's own
	Settling bool          `json:"settling"` // see Object
	AnyError bool          `json:"anyError"` // see Object
	OneValue bool          `json:"oneValue"` // see Object
	Pause    time.Duration `json:"pause"`    // between some calls of the first sequences
}

// Hello is the child's first frame.
type Hello struct {
	Protocol int             `json:"protocol"`
	Version  string          `json:"version"`
	Error    string          `json:"error,omitempty"` // the object cannot be used
	Name     string          `json:"name"`
	TypeName string          `json:"typeName"`
	GoType   string          `json:"goType"` // with pointer and package
	Methods  []Method        `json:"methods"`
	Notes    []string        `json:"notes"`
	Acceptor bool            `json:"acceptor"`
	Info     json.RawMessage `json:"info,omitempty"`
}

// Serve is the child: it answers the parent's frames on in until in ends, which
// also ends a run that is going on. The program's own prints must go elsewhere
// than out, except for what it printed before Serve was called.
func Serve(o Object, in io.Reader, out io.Writer) error {
	debug.SetMaxStack(childMaxStack)
	debug.SetMemoryLimit(childMaxHeap / 4 * 5)
	from := bufio.NewReader(in)
	kind, payload, err := ReadFrame(from, nil)
	if err != nil {
		return err
	}
	var c Config
	if kind != FrameConfig || json.Unmarshal(payload, &c) != nil {
		return errors.New("adtinfer driver: this program is to be run by adtinfer")
	}
	s := &server{out: out, nonce: c.Nonce, timeout: c.Timeout}
	m := s.hello(o, c)
	if m == nil {
		return nil
	}
	return s.loop(m, from)
}

// server writes the child's frames. Frames come from the watch and the run.
type server struct {
	mu      sync.Mutex
	out     io.Writer
	buf     []byte
	nonce   string
	timeout time.Duration
}

func (s *server) send(kind byte, payload []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = AppendFrame(s.buf[:0], s.nonce, kind, payload)
	s.out.Write(s.buf) // a parent that is gone shows at in
}

func (s *server) sendJSON(kind byte, v interface{}) {
	b, err := json.Marshal(v)
	if err != nil {
		kind, b = FrameError, []byte(err.Error())
	}
	s.send(kind, b)
}

// hello makes the machine and introduces it; nil if it cannot be made.
func (s *server) hello(o Object, c Config) *Machine {
	if o.Name == "" {
		o.Name = c.Name
	}
	o.Skip = append(append([]string(nil), o.Skip...), c.Skip...)
	o.Whole = append(append([]string(nil), o.Whole...), c.Whole...)
	o.Beside = append(append([]Beside(nil), o.Beside...), c.Beside...)
	o.AnyError, o.OneValue = o.AnyError || c.AnyError, o.OneValue || c.OneValue
	o.Errors, o.Settling = append(append([]NamedError(nil), o.Errors...), c.Errors...), c.Settling
	h := Hello{Protocol: Protocol, Version: Version, Name: o.Name, Info: o.Info}
	var w *waits
	if !c.Timers {
		w = newWaits(c.Waits)
	}
	m, err := NewMachine(o)
	if err != nil {
		h.Error = err.Error()
	} else {
		h.TypeName, h.GoType, h.Methods, h.Acceptor = m.TypeName, m.objects.String(), m.Methods, m.Acceptor
		h.Notes = m.Notes
		m.waits, m.pause = w, c.Pause
	}
	s.sendJSON(FrameHello, h)
	return m
}

// patience is how long an answer may take before the input is read on. Until then one
// goroutine reads and answers, for to hand requests over takes longer than most answers.
const patience = 10 * time.Millisecond

// loop answers requests in order. It returns when in ends, also while an answer takes
// long: then a run that is going on has nobody to answer to.
func (s *server) loop(m *Machine, in io.Reader) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	slow, requests := make(chan struct{}, 1), make(chan request)
	defer close(slow)
	go func() {
		defer close(requests)
		for range slow {
			q, err := readRequest(in)
			if err != nil {
				cancel()
				return
			}
			requests <- q
		}
	}()
	reader := time.AfterFunc(time.Hour, func() { slow <- struct{}{} })
	for {
		var q request
		ok := reader.Stop()
		if ok {
			var err error
			q, err = readRequest(in)
			ok = err == nil
		} else {
			q, ok = <-requests
		}
		if !ok {
			return nil
		}
		reader.Reset(patience)
		s.answer(ctx, m, q)
	}
}

func readRequest(in io.Reader) (q request, err error) {
	q.kind, q.payload, err = ReadFrame(in, nil)
	return q, err
}

type request struct {
	kind    byte
	payload []byte
}

func (s *server) answer(ctx context.Context, m *Machine, q request) {
	w := Watch{Timeout: s.timeout, MaxHeap: childMaxHeap, Beat: func() { s.send(FrameBeat, nil) },
		Defect: func(f *Fault) { s.sendJSON(FrameDefect, f) }}
	request, pause, done := q.payload, time.Duration(0), 0
	run := m.Run
	switch q.kind {
	case FrameRun, FrameRest:
		if q.kind == FrameRest {
			in := NewReader(q.payload)
			w.From = in.Number()
			request = in.b
		}
		w.Part = func(n int) { done = n }
	case FrameCareful:
		in := NewReader(q.payload)
		w.From, w.To = in.Number(), in.Number()
		pause = time.Duration(in.Number()) * time.Millisecond
		request = in.b
		w.Report = func(sequence, call int) {
			time.Sleep(pause) // what the last call left running may end the process
			s.send(FrameProgress, AppendNumber(AppendNumber(nil, sequence), call+1))
		}
	case FrameKeep:
		run = m.Keep
	default:
		s.send(FrameError, []byte(fmt.Sprintf("unknown request %q", q.kind)))
		return
	}
	reply, err := run(ctx, request, w)
	time.Sleep(pause)
	var f *Fault
	switch {
	case err == errWaits:
		s.send(FramePart, AppendNumber(nil, KeepAnew))
	case errors.As(err, &f):
		s.sendJSON(FrameFault, f)
	case err != nil:
		s.send(FrameError, []byte(err.Error()))
	case q.kind == FrameKeep && err == nil && m.waits != nil && m.waits.left > mostKept:
		s.send(FramePart, append(AppendNumber(nil, KeepAnew+1), reply...))
	case done > 0:
		s.send(FramePart, append(AppendNumber(nil, done), reply...))
	default:
		s.send(FrameReply, reply)
	}
}
