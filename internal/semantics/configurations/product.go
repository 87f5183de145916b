package configurations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// product is independent parts, one a key.
type product struct {
	*theory.Product
	part   semantics.Machine
	failed *atomic.Pointer[error] // why no step can be trusted
}

// byKey is a product each of whose operations belongs to one part.
type byKey struct{ *product }

// divided and dividing are what such products and parts are: wgl.Keyed and wgl.Divided.
type (
	divided interface {
		Key(l *history.Label) history.Value
	}
	dividing interface {
		divided
		Part() semantics.Model
		Project(l history.Label) history.Label
	}
)

// Of is a theory's product or automaton as a Machine; an error if it has neither, or
// parts that have neither.
func Of(s *theory.Spec) (semantics.Machine, error) {
	return of(s, func(semantics.Machine) bool { return true })
}

// Searched is Of where a pending operation that answered what it likes may be tried with each answer; nil if there
// is none.
func Searched(s *theory.Spec) semantics.Machine {
	m, _ := of(s, func(m semantics.Machine) bool { return !m.Unclear() })
	return m
}

func of(s *theory.Spec, fit func(semantics.Machine) bool) (semantics.Machine, error) {
	if s.Product != nil {
		if part, err := of(&s.Product.Part, fit); err == nil {
			p := &product{s.Product, part, new(atomic.Pointer[error])}
			if s.IsLocal() {
				return byKey{p}, nil
			}
			return p, nil
		}
	}
	if s.Automaton != nil {
		if m := s.Automaton.Machine(); fit(m) {
			return m, nil
		}
	}
	return nil, errors.New("configurations: the theory has no automaton")
}

// Part is the model of one key.
func (p byKey) Part() semantics.Model {
	if inner, ok := p.part.(dividing); ok {
		return inner.Part()
	}
	return p.part
}

// Project is an operation as the model of its key has it.
func (p byKey) Project(l history.Label) history.Label {
	own, _, _ := p.Of(l.Method).Project(l)
	if inner, ok := p.part.(dividing); ok {
		return inner.Project(own)
	}
	return own
}

// parts is a state of a product: those of the parts that are not as all others, in
// order of their keys. The others, which no operation had as its key, share one: the
// rest.
type parts struct {
	rest semantics.State
	all  []part
	hash uint64
}

type part struct {
	key   history.Value
	state semantics.State
}

func (p part) hash() uint64 { return semantics.Mix(semantics.HashValue(p.key) ^ p.state.Hash()) }

// Equal compares with a state of the same product.
func (s *parts) Equal(t semantics.State) bool {
	o := t.(*parts)
	return s == o || s.hash == o.hash && s.rest.Equal(o.rest) &&
		slices.EqualFunc(s.all, o.all, func(a, b part) bool { return a.key == b.key && a.state.Equal(b.state) })
}

// Hash is the same for equal states.
func (s *parts) Hash() uint64 { return semantics.Mix(s.rest.Hash()) + s.hash }

// Size is how many bytes the state takes, without the states of parts.
func (s *parts) Size() int { return 96 + 32*len(s.all) }

func (s *parts) find(key history.Value) (int, bool) {
	return slices.BinarySearchFunc(s.all, key, func(p part, key history.Value) int { return strings.Compare(string(p.key), string(key)) })
}

// of is the state of a key's part.
func (s *parts) of(key history.Value) semantics.State {
	if i, there := s.find(key); there {
		return s.all[i].state
	}
	return s.rest
}

// with is the state in which a part has another.
func (s *parts) with(key history.Value, next semantics.State) *parts {
	i, there := s.find(key)
	hash, after := s.hash, s.all[i:]
	if there {
		hash -= s.all[i].hash()
		after = after[1:]
	}
	if next.Equal(s.rest) {
		return &parts{s.rest, slices.Concat(s.all[:i], after), hash}
	}
	p := part{key, next}
	return &parts{s.rest, slices.Concat(s.all[:i], []part{p}, after), hash + p.hash()}
}

// Init is the state in which all parts are new.
func (p *product) Init() semantics.State { return &parts{rest: p.part.Init()} }

// Key is the key of an operation; in parts that are products, too, with theirs.
func (p byKey) Key(l *history.Label) history.Value {
	k := p.Of(l.Method)
	inner, nested := p.part.(divided)
	if !nested {
		return l.Args[k.Arg]
	}
	own, key, _ := k.Project(*l)
	return history.Value(strconv.Itoa(len(key))) + " " + key + inner.Key(&own)
}

// Step is the state after an operation.
func (p *product) Step(s semantics.State, l *history.Label) (semantics.State, bool) {
	from := s.(*parts)
	k := p.Of(l.Method)
	switch {
	case k.Role != theory.ByKey && l.Outcome == history.Pending:
		if all := p.Branches(s, l); len(all) > 0 {
			return all[0], true
		}
		return nil, false
	case k.Role == theory.InAll:
		return p.inAll(from, l)
	case k.Role == theory.SumOfAll:
		sum, ok := p.sum(from, l)
		return s, ok && sum.Outcome == l.Outcome && slices.Equal(sum.Rets, l.Rets)
	}
	own, key, _ := k.Project(*l)
	was := from.of(key)
	next, ok := p.part.Step(was, &own)
	switch {
	case !ok:
		return nil, false
	case next == was:
		return from, true
	}
	return from.with(key, next), true
}

// stepper makes steps from the first state on, which it changes, for there may be many parts.
func (p *product) stepper() func(*history.Label) bool {
	rest, states := p.part.Init(), map[history.Value]semantics.State{}
	return func(l *history.Label) bool {
		if k := p.Of(l.Method); k.Role == theory.ByKey {
			own, key, _ := k.Project(*l)
			s, there := states[key]
			if !there {
				s = rest
			}
			next, ok := p.part.Step(s, &own)
			if ok {
				states[key] = next
			}
			return ok
		}
		from := &parts{rest: rest}
		for key, s := range states {
			from.all = append(from.all, part{key, s}) // in no order: nothing is looked up
		}
		next, ok := p.Step(from, l)
		if ok && next != semantics.State(from) {
			rest = next.(*parts).rest
			clear(states)
			for _, x := range next.(*parts).all {
				states[x.key] = x.state
			}
		}
		return ok
	}
}

// inAll is the state after an operation in all parts.
func (p *product) inAll(from *parts, l *history.Label) (semantics.State, bool) {
	rest, ok := p.part.Step(from.rest, l)
	if !ok {
		return nil, false
	}
	next := &parts{rest: rest}
	for _, x := range from.all {
		if x.state, ok = p.part.Step(x.state, l); !ok {
			return nil, false
		}
		if !x.state.Equal(rest) {
			next.all, next.hash = append(next.all, x), next.hash+x.hash()
		}
	}
	return next, true
}

// errSum is why a sum over all keys is not known.
var errSum = errors.New("the theory adds up what parts answer, and a part that was never used does not answer 0, or may answer several values")

// sum is what an operation answers that adds up what all parts do.
func (p *product) sum(s *parts, l *history.Label) (history.Label, bool) {
	total := int64(0)
	var answer history.Label
	for i := -1; i < len(s.all); i++ {
		state := s.rest
		if i >= 0 {
			state = s.all[i].state
		}
		var ok bool
		if answer, ok = p.part.Answer(state, l); !ok {
			return answer, false
		}
		n, err := int64(0), error(nil)
		if len(answer.Rets) == 1 {
			n, err = strconv.ParseInt(string(answer.Rets[0]), 10, 64)
		}
		if len(answer.Rets) != 1 || err != nil || i < 0 && n != 0 {
			p.failed.Store(&errSum)
		}
		total += n
	}
	answer.Rets = []history.Value{history.Value(strconv.FormatInt(total, 10))}
	return answer, true
}

// Branches are the states after a call that has not answered.
func (p *product) Branches(s semantics.State, l *history.Label) (all []semantics.State) {
	from, k := s.(*parts), p.Of(l.Method)
	switch k.Role {
	case theory.SumOfAll:
		return nil // it changes nothing
	case theory.InAll:
		for _, l := range p.Answers(s, l) {
			if next, ok := p.inAll(from, &l); ok {
				all = append(all, next)
			}
		}
		return all
	}
	own, key, _ := k.Project(*l)
	for _, next := range p.part.Branches(from.of(key), &own) {
		all = append(all, from.with(key, next))
	}
	return all
}

// Answer is the label of a call with its answer, if that is determined.
func (p *product) Answer(s semantics.State, call *history.Label) (history.Label, bool) {
	from, k := s.(*parts), p.Of(call.Method)
	switch k.Role {
	case theory.SumOfAll:
		return p.sum(from, call)
	case theory.InAll:
		return p.part.Answer(from.rest, call)
	}
	own, key, _ := k.Project(*call)
	answer, ok := p.part.Answer(from.of(key), &own)
	return k.Lift(answer, call.Args), ok
}

// Answers lists what a call may answer.
func (p *product) Answers(s semantics.State, call *history.Label) (all []history.Label) {
	from, k := s.(*parts), p.Of(call.Method)
	switch k.Role {
	case theory.SumOfAll:
		if l, ok := p.sum(from, call); ok {
			all = append(all, l)
		}
		return all
	case theory.InAll:
		for _, l := range p.part.Answers(from.rest, call) {
			if _, ok := p.inAll(from, &l); ok {
				all = append(all, l)
			}
		}
		return all
	}
	own, key, _ := k.Project(*call)
	for _, l := range p.part.Answers(from.of(key), &own) {
		all = append(all, k.Lift(l, call.Args))
	}
	return all
}

// ReadOnly reports whether an operation changes nothing, in whatever state.
func (p *product) ReadOnly(l *history.Label) bool {
	own, _, ok := p.Of(l.Method).Project(*l)
	return !ok || p.part.ReadOnly(&own)
}

// Free reports whether calls of a method may answer any value.
func (p *product) Free(method string) bool { return p.part.Free(method) }

// AnyValues reports whether no value is refused.
func (p *product) AnyValues() bool {
	return p.part.AnyValues() && !slices.ContainsFunc(p.Keys, func(k theory.Key) bool { return k.Role == theory.SumOfAll })
}

// Refuses is what parts refuse.
func (p *product) Refuses(l *history.Label) error {
	own, _, ok := p.Of(l.Method).Project(*l)
	switch {
	case ok:
		return p.part.Refuses(&own)
	case len(l.Rets) == 1 && !semantics.IsInteger(l.Rets[0]):
		return fmt.Errorf("what it returns is %q, which is no integer, and the theory adds it up over all keys", l.Rets[0])
	}
	return nil
}

// Err is why no step can be trusted, or nil.
func (p *product) Err() error {
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return failure(p.part)
}

// failure is why no step of a machine can be trusted, or nil.
func failure(m semantics.Machine) error {
	if f, ok := m.(interface{ Err() error }); ok { // wgl.Failing
		return f.Err()
	}
	return nil
}

// Guesses reports whether it may matter later which free value a call answers, Unclear whether its size may.
func (p *product) Guesses() bool { return p.part.Guesses() }
func (p *product) Unclear() bool { return p.part.Unclear() }

// Text lists the keys whose parts are not as those of all others.
func (p *product) Text(s semantics.State) string {
	from, texts := s.(*parts), []string(nil)
	for _, x := range from.all {
		texts = append(texts, string(x.key)+": "+p.part.Text(x.state))
	}
	return strings.Join(append(texts, "all others: "+p.part.Text(from.rest)), "; ")
}

// For knows the values of an execution.
func (p *product) For(e *history.Execution) semantics.Machine { return p.knowing(e) }

func (p *product) knowing(e *history.Execution) *product {
	return &product{p.Product, p.part.For(e), new(atomic.Pointer[error])}
}

// For knows the values of an execution.
func (p byKey) For(e *history.Execution) semantics.Machine { return byKey{p.knowing(e)} }
