package reference

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// DefaultTimeout is how long one call may take unless the caller says otherwise.
const DefaultTimeout = 2 * time.Second

// Of makes an Implementation of a constructor, func() T or func() (T, error), in
// this process; T's exported methods are the operations. Methods that cannot be
// operations are left out; Notes says which.
//
// A call that does not return is reported, but its goroutine cannot be ended and
// stays behind; a call that ends the process ends this one. Load runs a
// reference in a process of its own.
func Of(constructor any) (Implementation, error) { return New(Spec{New: constructor}) }

// New makes an Implementation of a Spec in this process, an Acceptor if the Spec
// has Accept. What Of says about calls that do not return holds here too.
func New(spec Spec) (Implementation, error) {
	m, l, o := (*driver.Machine)(nil), &local{timeout: spec.Timeout}, spec.object()
	if l.timeout <= 0 {
		l.timeout = DefaultTimeout
	}
	for o.Settling = true; ; o.Settling = false {
		var err error
		if m, err = driver.NewMachine(o); err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
		l.machine = m
		if !o.Settling || !settles(m.Methods) {
			break
		}
		s := settle(context.Background(), l, m.Methods)
		o.Whole, o.Beside, o.Errors = s.whole, s.beside, append(o.Errors, s.errors...)
	}
	c := newClient(m.Name, m.Methods, "", l)
	c.warn = func(note string) { m.Notes = append(m.Notes, note) }
	return implementation(m.Acceptor, c), nil
}

// implementation wraps a client in the type that says what it can do.
func implementation(isAcceptor bool, c *client) Implementation {
	if isAcceptor {
		return &acceptor{c}
	}
	return &replayer{c}
}

// Notes says which methods of an in-process Implementation were left out, and
// why; nil for one that Load made (Package has its own).
func Notes(impl Implementation) []string {
	if own, ok := impl.(interface{ Machine() *driver.Machine }); ok && own.Machine() != nil {
		return own.Machine().Notes
	}
	return nil
}

// Machine runs the reference if it is in this process; nil if it is not.
func (c *client) Machine() *driver.Machine {
	if l, ok := c.back.(*local); ok {
		return l.machine
	}
	return nil
}

// local is the backend in this process.
type local struct {
	machine *driver.Machine
	timeout time.Duration
	lives   int
}

// localMaxHeap is how many bytes may be in use when a state is added.
const localMaxHeap = 3 << 29

func (l *local) run(ctx context.Context, n int, x dialogue) (int, error) {
	for i := range n {
		answers, err := l.machine.Run(ctx, x.request(i), driver.Watch{Timeout: l.timeout, Defect: func(f *driver.Fault) { x.defect(i, f) }})
		if err != nil {
			return i, err
		}
		if err := x.reply(i, answers); err != nil {
			return i, err
		}
	}
	return 0, nil
}

func (l *local) ask(ctx context.Context, request []byte) ([]byte, error) {
	reply, err := l.machine.Keep(ctx, request, driver.Watch{Timeout: l.timeout, MaxHeap: localMaxHeap})
	var f *driver.Fault
	if errors.As(err, &f) && f.Reason == driver.Hangs || ctx.Err() != nil { // the keeper is with the call
		l.lives++
	}
	return reply, err
}

func (l *local) life() int { return l.lives }

func (*local) close() error { return nil }

// What is tried to find out which answers have more in them than their outcome says.
const (
	settleWords = 64
	settleCalls = 8
	settleLong  = 100 // of the last two
)

// settleTime bounds what is tried.
const settleTime = 5 * time.Second

// settles reports whether there is something to settle: a method may return something
// beside false, or an error.
func settles(methods []driver.Method) bool {
	return slices.ContainsFunc(methods, func(m driver.Method) bool { return m.Beside || m.Fails })
}

// layout is what a trial says of answers.
type layout struct {
	whole  []string        // methods with results beside false or errors that belong to their answers
	beside []driver.Beside // what results beside false or an error always are, where they are not zero
	errors []driver.NamedError
}

// settle has a few random sequences run. Where what methods return beside false or an error
// is always the same, zero for most, it is no part of their answers, and a call that returns
// something else later is a Fault. What else goes wrong shows again when the reference is
// used.
func settle(ctx context.Context, b backend, methods []driver.Method) (l layout) {
	ctx, cancel := context.WithTimeout(ctx, settleTime) // a call that waits may take as long as calls may
	defer cancel()
	var stood []driver.Beside
	for _, texts := range [][]string{nil, settleTexts, settleFar} {
		request := settleRequest(methods, texts)
		_, err := b.run(ctx, 1, dialogue{
			request: func(int) []byte { return request },
			reply:   func(int, []byte) error { return nil },
			defect:  func(int, *driver.Fault) {},
		})
		var f *driver.Fault
		if errors.As(err, &f) && f.Reason == driver.Tried {
			for _, e := range f.Errors {
				if !slices.Contains(l.errors, e) {
					l.errors = append(l.errors, e)
				}
			}
			stood = append(stood, f.Stood...)
		}
	}
	l.errors = named(l.errors)
	l.take(stood)
	return l
}

// fewTimes is how often something must have been the same to be taken for always the same.
const fewTimes = 4

// take tells what varies from what is always the same, once errors have names.
func (l *layout) take(stood []driver.Beside) {
	var all []driver.Beside // of errors with one name together
	for _, b := range stood {
		if b.Text != "" {
			i := slices.IndexFunc(l.errors, func(e driver.NamedError) bool { return e.Method == b.Method && e.Text == b.Text && e.Name != "" })
			if b.Text = ""; i >= 0 {
				b.Outcome = l.errors[i].Name
			}
		}
		if i := slices.IndexFunc(all, func(o driver.Beside) bool { return o.Method == b.Method && o.Outcome == b.Outcome }); i >= 0 {
			all[i].Add(b)
		} else {
			all = append(all, b)
		}
	}
	for _, b := range all {
		switch {
		case b.Zero:
		case b.Texts != nil && b.Times >= fewTimes:
			l.beside = append(l.beside, b)
		case !slices.Contains(l.whole, b.Method):
			l.whole = append(l.whole, b.Method)
		}
	}
	l.beside = slices.DeleteFunc(l.beside, func(b driver.Beside) bool { return slices.Contains(l.whole, b.Method) })
}

// mostErrors is how many errors of a method have names at most: of more, there may be any number.
const mostErrors = 8

// named has names for the errors that were seen: those of variables have them, and of others
// their texts are. One without a name stands for all others of its method.
func named(seen []driver.NamedError) []driver.NamedError {
	alike := map[string]int{} // those that only differ in arguments
	kind := func(e driver.NamedError) string { return e.Method + " " + wordsOf(e.Text) }
	for _, e := range seen {
		if e.Name == "" {
			alike[kind(e)]++
		}
	}
	texts := map[string]int{}
	for i, e := range seen {
		if e.Name != "" {
			seen[i].Text = "" // the variable's
			continue
		}
		own := wording.ErrorOf(e.Text)
		if own == "" || alike[kind(e)] > 1 || slices.ContainsFunc(seen, func(o driver.NamedError) bool { return o.Method == e.Method && o.Name == own }) {
			continue
		}
		seen[i].Name = own
		texts[e.Method]++
	}
	for i, e := range seen {
		if e.Text != "" && texts[e.Method] > mostErrors {
			seen[i].Name = ""
		}
	}
	return seen
}

// wordsOf are the words of a text that have letters alone.
func wordsOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) })
	return strings.Join(words, " ")
}

// settleTexts are values that code compares with, or starts with. The numbered values of
// a type are none of these, so a compare-and-swap of a new register fails on all of them.
var settleTexts = []string{"0", "1", "2", "3", ""}

// settleFar are values out of range, which have errors of their own.
var settleFar = []string{"-1", "1", "20", "1000", "-1000"}

// settleRequest is the random sequences that settle runs, with texts for the arguments
// that have them, if there are any.
func settleRequest(methods []driver.Method, texts []string) []byte {
	r := rand.New(rand.NewPCG(1, 18))
	request := driver.AppendNumber(nil, settleWords)
	for i := range settleWords {
		calls := 1 + r.IntN(settleCalls)
		if i >= settleWords-2 {
			calls = settleLong
		}
		request = driver.AppendNumber(request, calls)
		for range calls {
			n := r.IntN(len(methods))
			request = driver.AppendNumber(request, n)
			for j, most := range methods[n].Domain {
				if len(texts) > 0 {
					if text, ok := methods[n].Params[j].Text(texts[r.IntN(len(texts))]); ok {
						request = driver.AppendValue(request, 0, text)
						continue
					}
				}
				k := 3
				if most > 0 {
					k = min(k, most)
				}
				request = driver.AppendValue(request, 1+r.IntN(k), "")
			}
		}
	}
	return request
}
