package reference

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/reference/internal/chance"
)

// grace is added to the time that a child may be silent: it reports a call that
// hangs by itself, so silence means that it cannot.
const grace = 3 * time.Second

// child is the backend in a child process. The process is started anew when a
// fault has ended it.
type child struct {
	loader *loader
	exe    string
	dir    string
	config driver.Config
	chance *chance.Report // what else than calls answers may depend on

	release func() bool // undoes the tie to Load's context

	mu     sync.Mutex
	proc   *process
	closed bool
	lives  int // processes that were ended
}

// errClosed is what a closed child answers.
var errClosed = errors.New("the reference is closed")

// start starts the process and hears its first frame.
func (c *child) start(ctx context.Context) (*driver.Hello, error) {
	c.config.Nonce = rand.Text()
	p, err := startProcess(c.exe, c.dir, c.config.Nonce, c.loader)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		p.end()
		return nil, errClosed
	}
	c.proc = p
	c.mu.Unlock()
	config, err := json.Marshal(c.config)
	if err != nil {
		panic(err) // plain data
	}
	p.send(driver.FrameConfig, config)
	f, err := p.receive(ctx, c.silence())
	if err == nil && f.kind != driver.FrameHello {
		err = fmt.Errorf("unexpected frame %q", f.kind)
	}
	if err != nil {
		c.kill()
		return nil, c.beforeCalls(ctx, p, err)
	}
	h := new(driver.Hello)
	return h, json.Unmarshal(f.payload, h)
}

// settled starts a process that knows which answers are whole, and which errors have names.
func (c *child) settled(ctx context.Context) (*driver.Hello, error) {
	c.config.Settling = true
	h, err := c.start(ctx)
	if err != nil || h.Error != "" || h.Protocol != driver.Protocol || !settles(h.Methods) {
		return h, err
	}
	s := settle(ctx, c, h.Methods)
	c.config.Settling, c.config.Beside, c.config.Errors = false, s.beside, s.errors
	c.config.Whole = append(slices.Clip(c.config.Whole), s.whole...)
	c.kill()
	return c.start(ctx)
}

// beforeCalls explains a child that did not come up.
func (c *child) beforeCalls(ctx context.Context, p *process, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errSilent):
		return &Fault{Reason: driver.Hangs, At: -1, Detail: fmt.Sprintf("its initialization is not done after %v", c.silence())}
	case errors.Is(err, errEnded):
		words, _ := p.lastWords()
		return &Fault{Reason: driver.EndsProcess, At: -1, Detail: words}
	}
	return fmt.Errorf("reference: %w", err)
}

// silence is how long the child may say nothing at all.
func (c *child) silence() time.Duration { return c.loader.Timeout + grace }

// current is the running process; it is started if there is none.
func (c *child) current(ctx context.Context) (*process, error) {
	c.mu.Lock()
	p, closed := c.proc, c.closed
	c.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	if p == nil {
		if _, err := c.start(ctx); err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if p = c.proc; p == nil {
			return nil, errClosed
		}
	}
	return p, nil
}

// kill ends the process, if there is one; the next request starts another.
func (c *child) kill() {
	c.mu.Lock()
	p := c.proc
	c.proc = nil
	c.lives++
	c.mu.Unlock()
	if p != nil {
		p.end()
	}
}

// closeAfter closes the child when the context is done, which may be now.
func (c *child) closeAfter(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.release = context.AfterFunc(ctx, func() { c.close() })
}

// close ends the process for good and removes the files.
func (c *child) close() error {
	c.mu.Lock()
	if c.release != nil {
		c.release()
	}
	c.closed = true
	c.mu.Unlock()
	c.kill()
	c.loader.remove()
	return nil
}

// run sends the requests ahead of the replies, so that neither side waits for
// the other. Whatever goes wrong, the process does not outlive it.
func (c *child) run(ctx context.Context, n int, x dialogue) (int, error) {
	var at reached
	for at.request < n {
		p, err := c.current(ctx)
		if err == nil {
			err = c.answer(ctx, p, n, &at, x)
		}
		if err != nil {
			return at.request, err
		}
	}
	return 0, nil
}

// reached is how far a run is: at a request, and at one of its sequences if a
// process answered those before it and could not go on.
type reached struct {
	request, sequence int
	answers           []byte // to these sequences
	again             bool   // a process fell silent at it, and no call is to blame
}

// answer has a process answer requests, to the end or until it can no more.
func (c *child) answer(ctx context.Context, p *process, n int, at *reached, x dialogue) error {
	var sending sync.WaitGroup
	sending.Add(1)
	go func(i, sequence int) {
		defer sending.Done()
		for ; i < n; i++ {
			kind, b := byte(driver.FrameRun), x.request(i)
			if sequence > 0 {
				kind, b = driver.FrameRest, append(driver.AppendNumber(nil, sequence), b...)
				sequence = 0
			}
			if p.send(kind, b) != nil {
				return // shows at the next reply
			}
		}
	}(at.request, at.sequence)
	defer sending.Wait()
	for at.request < n {
		answers, part, err := c.reply(ctx, p, func(f *driver.Fault) { x.defect(at.request, f) })
		if answers = append(at.answers, answers...); part > 0 {
			at.sequence, at.answers = part, answers
			c.config.Waits = true
			c.kill()
			return nil
		}
		if err == nil {
			err = x.reply(at.request, answers)
		}
		if err != nil {
			c.kill()
			silent := errors.Is(err, errSilent)
			if silent || errors.Is(err, errEnded) {
				err = c.blame(ctx, x.request(at.request), p, err)
			}
			var f *driver.Fault
			if silent && !at.again && errors.As(err, &f) && f.At == noCall {
				at.again = true // it, or the machine, was held up
				return nil
			}
			return err
		}
		*at = reached{request: at.request + 1}
	}
	return nil
}

// ask sends a request to a keeper. Which call ended the process is not known.
func (c *child) ask(ctx context.Context, request []byte) ([]byte, error) {
	p, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	p.send(driver.FrameKeep, request) // a failure shows in the reply
	reply, part, err := c.reply(ctx, p, func(*driver.Fault) {})
	if part > 0 {
		c.config.Waits = true
		c.kill()
		if part == driver.KeepAnew {
			return nil, errAnew
		}
		return reply, nil
	}
	var f *driver.Fault
	if errors.As(err, &f) && f.Reason != driver.Hangs {
		return nil, err
	}
	if err != nil {
		c.kill()
	}
	switch {
	case errors.Is(err, errEnded):
		f := p.died()
		f.Seq = unknown
		return nil, f
	case errors.Is(err, errSilent):
		return nil, &driver.Fault{Reason: driver.Hangs, Seq: unknown, Detail: "the process fell silent"}
	}
	return reply, err
}

// errAnew is the error of a request that another process is to answer.
var errAnew = errors.New("another process must answer")

// unknown is the state of a fault that nobody could tell.
const unknown = -1

// life counts the processes that are gone.
func (c *child) life() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lives
}

// reply waits for the answers to a request. If they are only to a part of it, part
// is the sequence that comes next.
func (c *child) reply(ctx context.Context, p *process, defect func(*driver.Fault)) (answers []byte, part int, err error) {
	for {
		f, err := p.receive(ctx, c.silence())
		if err != nil {
			return nil, 0, err
		}
		switch f.kind {
		case driver.FrameReply:
			return f.payload, 0, nil
		case driver.FramePart:
			part, size := binary.Uvarint(f.payload)
			return f.payload[max(size, 0):], int(part), nil
		case driver.FrameFault:
			return nil, 0, readFault(f.payload)
		case driver.FrameError:
			return nil, 0, errors.New(string(f.payload))
		case driver.FrameDefect:
			seen := new(driver.Fault)
			if json.Unmarshal(f.payload, seen) == nil {
				defect(seen)
			}
		case driver.FrameProgress:
			in := driver.NewReader(f.payload)
			p.progress(position{in.Number(), in.Number() - 1})
		}
	}
}

func readFault(payload []byte) error {
	f := new(driver.Fault)
	if err := json.Unmarshal(payload, f); err != nil {
		return err
	}
	return f
}

// blame finds out which call of a request ended the process or made it fall
// silent: the request runs again in a new process that announces every call. A
// goroutine that a call started may have ended it a little later, so the last few
// sequences run once more, slowly.
func (c *child) blame(ctx context.Context, request []byte, dead *process, cause error) error {
	err := c.careful(ctx, request, 0, 0, 0)
	var f *driver.Fault
	switch {
	case err == nil:
		f = &driver.Fault{Reason: driver.Hangs, Detail: "the process fell silent"}
		if !errors.Is(cause, errSilent) {
			f = dead.died()
		}
		f.At = noCall
		return f
	case errors.As(err, &f) && (f.Reason == driver.EndsProcess || f.Reason == driver.GoroutineEnds):
		slow := c.careful(ctx, request, max(f.Seq-slowSequences+1, 0), f.Seq+1, slowPause)
		if errors.As(slow, &f) {
			return slow
		}
	}
	return err
}

// slowSequences run again with so many milliseconds after each call.
const slowSequences, slowPause = 4, 5

// careful runs sequences of a request in a process of their own.
func (c *child) careful(ctx context.Context, request []byte, from, to, pause int) error {
	p, err := c.current(ctx)
	if err != nil {
		return err
	}
	defer c.kill()
	p.now = position{from, -1}
	p.before = p.now
	head := driver.AppendNumber(driver.AppendNumber(driver.AppendNumber(nil, from), to), pause)
	p.send(driver.FrameCareful, append(head, request...)) // a failure shows in the reply
	_, _, err = c.reply(ctx, p, func(*driver.Fault) {})
	switch {
	case errors.Is(err, errEnded):
		return p.died()
	case errors.Is(err, errSilent):
		return &driver.Fault{Reason: driver.Hangs, Seq: p.now.sequence, At: p.now.call, Detail: "the process fell silent"}
	}
	return err
}

// died is the fault of a process that ended. What a goroutine does while an
// object is constructed is likely to be about the one before.
func (p *process) died() *driver.Fault {
	words, c := p.lastWords()
	at, reason := p.now, driver.EndsProcess
	if c.another {
		reason = driver.GoroutineEnds
		if at.call < 0 {
			at = p.before
		}
	}
	return &driver.Fault{Reason: reason, Seq: at.sequence, At: at.call, Detail: words, Where: c.where, Started: c.started}
}
