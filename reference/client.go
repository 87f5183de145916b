package reference

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
)

// batch is the number of sequences in a request: large enough to make a request
// cheap, small enough to find a culprit in.
const batch = 1024

// backend runs requests, in this process or in a child.
type backend interface {
	// run answers n requests in order. If the reference is at fault, failed is
	// the request with the sequence that the *driver.Fault speaks of.
	run(ctx context.Context, n int, x dialogue) (failed int, err error)

	// ask has a keeper of states answer a request. All keepers are gone when life
	// has changed.
	ask(ctx context.Context, request []byte) ([]byte, error)
	life() int

	close() error
}

// dialogue is what a backend calls while it runs. request may be called from
// another goroutine than the others.
type dialogue struct {
	request func(i int) []byte
	reply   func(i int, answers []byte) error
	defect  func(i int, f *driver.Fault)
}

// client is what replayers and acceptors share: words on this side, the
// driver's numbers on the other.
type client struct {
	name        string
	methods     []Method
	description []driver.Method
	base        string              // paths in faults are relative to it
	called      string              // what makes an object
	warn        func(string)        // hears of the first panic that is a runtime error; nil: nobody
	because     func(*driver.Fault) // adds what a fault may come from; nil: that is not known

	mu      sync.Mutex
	back    backend
	keepers int // that were opened

	distrusted []string // why states must be kept by replays, if that showed late
}

func newClient(name string, description []driver.Method, base string, b backend) *client {
	return &client{name: name, methods: methodsOf(description), description: description, base: base, called: "New()", back: b}
}

// Name is the data type's name.
func (c *client) Name() string { return c.name }

// Methods lists the operations.
func (c *client) Methods() []Method { return c.methods }

// Close ends the child process, if there is one.
func (c *client) Close() error { return c.back.close() }

// exchange has n sequences answered in batches; encode appends sequence i to a
// request, decode reads its answers, draw draws its calls up to one.
func (c *client) exchange(ctx context.Context, n int,
	encode func(b []byte, i int) []byte, decode func(in *driver.Reader, i int), draw func(i, at int) string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	request := func(i int) []byte {
		end := min((i+1)*batch, n)
		b := driver.AppendNumber(nil, end-i*batch)
		for s := i * batch; s < end; s++ {
			b = encode(b, s)
		}
		return b
	}
	reply := func(i int, answers []byte) error {
		in := driver.NewReader(answers)
		for s := i * batch; s < min((i+1)*batch, n); s++ {
			decode(in, s)
		}
		return in.Err
	}
	defect := func(i int, f *driver.Fault) {
		if c.warn != nil {
			c.warn("the reference seems to have a defect, and its panic is taken for an outcome: " +
				strings.TrimPrefix(c.fault(i, f, draw).Error(), "reference: "))
			c.warn = nil
		}
	}
	failed, err := c.back.run(ctx, (n+batch-1)/batch, dialogue{request, reply, defect})
	var f *driver.Fault
	if errors.As(err, &f) {
		return c.fault(failed, f, draw)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("reference: %w", err)
	}
	return err
}

// fault puts a driver's fault about a request into words.
func (c *client) fault(request int, f *driver.Fault, draw func(i, at int) string) *Fault {
	if c.because != nil {
		c.because(f)
	}
	return faultOf(f, c.base, c.called, func(at int) string { return draw(request*batch+f.Seq, at) })
}

// replayer is the Implementation of a deterministic reference.
type replayer struct{ *client }

// Replay runs the sequences; see Implementation.
func (r *replayer) Replay(ctx context.Context, seqs [][]Call) ([][]Answer, error) {
	e := encoder{replayer: r, ends: make([]int, 0, len(seqs))}
	for i := range seqs {
		if err := e.sequence(seqs[i]); err != nil {
			return nil, err
		}
	}
	out := make([][]Answer, len(seqs))
	err := r.exchange(ctx, len(seqs),
		func(b []byte, i int) []byte { return append(b, e.code(i)...) },
		func(in *driver.Reader, i int) { out[i] = r.decode(in, seqs[i]) },
		func(i, at int) string { return drawCalls(seqs[i][:at+1], r.description) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// encoder writes sequences as the driver reads them.
type encoder struct {
	*replayer
	b     []byte
	ends  []int // of the sequences in b
	texts map[argument]string
}

// argument is a value of an argument, by its place.
type argument struct {
	method, arg int
	value       history.Value
}

// code is sequence number i.
func (e *encoder) code(i int) []byte {
	from := 0
	if i > 0 {
		from = e.ends[i-1]
	}
	return e.b[from:e.ends[i]]
}

// sequence appends a sequence. It refuses calls that the methods do not have.
func (e *encoder) sequence(calls []Call) error {
	e.b = driver.AppendNumber(e.b, len(calls))
	for _, c := range calls {
		if c.Method < 0 || c.Method >= len(e.methods) {
			return fmt.Errorf("reference: there is no method %d", c.Method)
		}
		m := &e.methods[c.Method]
		if n := len(c.Args) + len(c.Values); n != len(m.Args) || len(c.Args) > 0 && len(c.Values) > 0 {
			return fmt.Errorf("reference: %s takes %d arguments, not %d", m.Name, len(m.Args), n)
		}
		e.b = driver.AppendNumber(e.b, c.Method)
		for i, v := range c.Values {
			text, ok := e.text(argument{c.Method, i, v})
			if !ok {
				return fmt.Errorf("reference: the log has %q where %s takes %s", v, m.Name, m.Args[i])
			}
			e.b = driver.AppendValue(e.b, 0, text)
		}
		for i, k := range c.Args {
			if k < 1 || m.ArgDomain[i] > 0 && k > m.ArgDomain[i] {
				return fmt.Errorf("reference: argument %d of %s has no value %d (%s)", i+1, m.Name, k, m.Args[i])
			}
			e.b = driver.AppendValue(e.b, k, "")
		}
	}
	e.ends = append(e.ends, len(e.b))
	return nil
}

// text is the Go text of an argument, if it is a value of its type.
func (e *encoder) text(a argument) (text string, ok bool) {
	if text, ok = e.texts[a]; ok {
		return text, true
	}
	if text, ok = e.methods[a.method].Params[a.arg].Text(string(a.value)); ok {
		if e.texts == nil {
			e.texts = map[argument]string{}
		}
		e.texts[a] = text
	}
	return text, ok
}

// decode reads the answers to calls.
func (r *replayer) decode(in *driver.Reader, calls []Call) []Answer {
	answers := make([]Answer, 0, len(calls))
	for _, c := range calls {
		o, blocked := in.Outcome()
		if blocked {
			return append(answers, Answer{Blocked: true})
		}
		if o == driver.PanicOutcome {
			answers = append(answers, Answer{Outcome: history.Panic})
			continue
		}
		m := &r.methods[c.Method]
		if o >= len(m.Outcomes) {
			in.Err = fmt.Errorf("%s has no outcome %d", m.Name, o)
			return answers
		}
		a := Answer{Outcome: m.Outcomes[o].Outcome}
		if n := m.Outcomes[o].Rets; n > 0 {
			a.Rets = make([]history.Value, n)
		}
		for i := range a.Rets {
			a.Rets[i] = history.Value(in.Answer())
		}
		answers = append(answers, a)
	}
	return answers
}
