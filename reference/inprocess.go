package reference

import (
	"context"
	"fmt"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver"
)

// DefaultTimeout is how long one call may take unless the caller says otherwise.
const DefaultTimeout = 2 * time.Second

// Option changes how a reference in this process is read or run.
type Option func(*settings)

type settings struct {
	name    string
	skip    []string
	timeout time.Duration
}

// WithName names the data type; default: the name of the objects' package.
func WithName(name string) Option { return func(s *settings) { s.name = name } }

// WithSkip names exported methods that are not operations, in Go or in theory
// spelling.
func WithSkip(methods ...string) Option {
	return func(s *settings) { s.skip = append(s.skip, methods...) }
}

// WithTimeout bounds one call; default: DefaultTimeout.
func WithTimeout(d time.Duration) Option { return func(s *settings) { s.timeout = d } }

// Of makes an Implementation of a constructor, func() T or func() (T, error), in
// this process; T's exported methods are the operations. Methods that cannot be
// operations are left out; Notes tells them.
//
// A call that does not return is reported, but its goroutine cannot be ended and
// stays behind; a call that ends the process ends this one. Load runs a
// reference in a process of its own.
func Of(constructor any, opts ...Option) (Implementation, error) {
	return inProcess(driver.Object{New: constructor}, opts)
}

// New makes an Implementation of a Spec in this process, an Acceptor if the Spec
// has Accept. What Of says about calls that do not return holds here too.
func New(spec Spec, opts ...Option) (Implementation, error) {
	return inProcess(spec.object(), opts)
}

func inProcess(o driver.Object, opts []Option) (Implementation, error) {
	s := settings{timeout: DefaultTimeout}
	for _, opt := range opts {
		opt(&s)
	}
	if s.name != "" {
		o.Name = s.name
	}
	o.Skip = append(o.Skip[:len(o.Skip):len(o.Skip)], s.skip...)
	m, err := driver.NewMachine(o)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	l := &local{machine: m, timeout: s.timeout}
	return implementation(m.Acceptor, newClient(m.Name, m.Methods, "", l)), nil
}

// implementation wraps a client in the type that says what it can do.
func implementation(isAcceptor bool, c *client) Implementation {
	if isAcceptor {
		return &acceptor{c}
	}
	return &replayer{c}
}

// Notes tells which methods of an in-process Implementation were left out, and
// why; nil for one that Load made (Package has its own).
func Notes(impl Implementation) []string {
	var b backend
	switch impl := impl.(type) {
	case *replayer:
		b = impl.back
	case *acceptor:
		b = impl.back
	}
	if l, ok := b.(*local); ok {
		return l.machine.Notes
	}
	return nil
}

// local is the backend in this process.
type local struct {
	machine *driver.Machine
	timeout time.Duration
}

func (l *local) run(ctx context.Context, n int, request func(int) []byte, reply func(int, []byte) error) (int, error) {
	for i := range n {
		answers, err := l.machine.Run(ctx, request(i), driver.Watch{Timeout: l.timeout})
		if err != nil {
			return i, err
		}
		if err := reply(i, answers); err != nil {
			return i, err
		}
	}
	return 0, nil
}

func (*local) close() error { return nil }
