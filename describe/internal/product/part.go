package product

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// fixedNumber is the number of the value that stands for the key in a part. It is far
// from the numbers that others use, where the type has so many values; in a part of a
// part it is another one.
func fixedNumber(impl reference.Implementation, method, arg int) int {
	if d := impl.Methods()[method].ArgDomain[arg]; d > 0 {
		return d
	}
	return farNumber(impl)
}

func farNumber(impl reference.Implementation) int {
	switch p := impl.(type) {
	case *part:
		return 1 + farNumber(p.impl)
	case *keptPart:
		return 1 + farNumber(p.impl)
	}
	return 9973
}

// Part is the reference that one key's operations are answered by: its methods lack
// the key. Closing it does nothing. The states of the part can be kept if those of
// the reference can.
func (f *Found) Part(impl reference.Implementation) reference.Implementation {
	impl = unwrapped(impl)
	p := &part{impl: impl, key: make([]int, len(f.Keys)), ret: make([]int, len(f.Keys)), number: make([]int, len(f.Keys))}
	for i, m := range impl.Methods() {
		if k := f.Keys[i]; k.Role == theory.ByKey {
			p.key[i], p.ret[i], p.number[i] = k.Arg, k.Ret, fixedNumber(impl, i, k.Arg)
			m.Args, m.Params, m.ArgDomain = without(m.Args, k.Arg), without(m.Params, k.Arg), without(m.ArgDomain, k.Arg)
		} else {
			p.key[i] = -1
		}
		p.methods = append(p.methods, m)
	}
	if k, ok := impl.(states.Keeper); ok {
		return &keptPart{p, k}
	}
	return p
}

func without[T any](all []T, i int) []T { return slices.Delete(slices.Clone(all), i, i+1) }

// part is what a reference answers to the calls with one key.
type part struct {
	impl    reference.Implementation
	methods []reference.Method
	key     []int // by method, the argument that is missing; -1: none
	ret     []int // by method, the value of answers that is it, from 1; 0: none
	number  []int // by method, the number of its value
}

func (p *part) Name() string                { return p.impl.Name() }
func (p *part) Methods() []reference.Method { return p.methods }
func (p *part) Close() error                { return nil }

// value is what stands for the key in calls of a method.
func (p *part) value(method int) history.Value {
	return history.Value(p.impl.Methods()[method].Params[p.key[method]].Numbered(p.number[method]))
}

func (p *part) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	whole := make([][]reference.Call, len(seqs))
	for i, calls := range seqs {
		values := slices.ContainsFunc(calls, func(c reference.Call) bool { return len(c.Values) > 0 })
		for _, c := range calls {
			if err := p.check(c); err != nil {
				return nil, err
			}
			if k := p.key[c.Method]; k >= 0 && values {
				c.Values = slices.Insert(slices.Clone(c.Values), k, p.value(c.Method))
			} else if k >= 0 {
				c.Args = slices.Insert(slices.Clone(c.Args), k, p.number[c.Method])
			}
			whole[i] = append(whole[i], c)
		}
	}
	answers, err := p.impl.Replay(ctx, whole)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		p.forget(seqs[i], answers[i])
	}
	return answers, nil
}

func (p *part) check(c reference.Call) error {
	if c.Method < 0 || c.Method >= len(p.methods) {
		return fmt.Errorf("reference: %s has no method number %d", p.Name(), c.Method)
	}
	if m := &p.methods[c.Method]; len(c.Args)+len(c.Values) != len(m.Args) {
		return fmt.Errorf("reference: method %s of %s takes %d arguments, not %d", m.Name, p.Name(), len(m.Args), len(c.Args)+len(c.Values))
	}
	return nil
}

// ofKey is what stands for the key in the answers of a part; see theory.Key.Project.
const ofKey = "key"

// returned replaces the key in an answer of a method; fixed is the key as answers
// have it.
func (p *part) returned(method int, rets []history.Value, fixed ...history.Value) []history.Value {
	if k := p.ret[method]; k > 0 && k <= len(rets) && slices.Contains(fixed, rets[k-1]) {
		rets = slices.Clone(rets)
		rets[k-1] = ofKey
		if reference.IsForeign(fixed[0]) {
			rets[k-1] = "(" + ofKey + ")"
		}
	}
	return rets
}

// forget makes the key in answers a value that nobody passed.
func (p *part) forget(calls []reference.Call, answers []reference.Answer) {
	type argument struct {
		kind   string
		number int
	}
	passed := map[argument]bool{}
	for i := range answers {
		a, method := &answers[i], calls[i].Method
		for k, n := range calls[i].Args {
			passed[argument{p.methods[method].Params[k].Kind, n}] = true
		}
		if p.key[method] >= 0 {
			text := p.goText(method)
			a.Rets = p.returned(method, a.Rets, text, history.Value(strconv.Itoa(p.number[method])))
		}
		for k, v := range a.Rets {
			for m, key := range p.key {
				if key >= 0 && string(v) == strconv.Itoa(p.number[m]) && !passed[argument{p.methods[method].Results[k].Kind, p.number[m]}] {
					a.Rets[k] = p.goText(m)
				}
			}
		}
	}
}

// goText is the key of a method's calls, in an answer, as a value that nobody passed.
func (p *part) goText(method int) history.Value {
	text, _ := p.impl.Methods()[method].Params[p.key[method]].Text(string(p.value(method)))
	return history.Value("(" + text + ")")
}

// keptPart is a part whose states can be kept.
type keptPart struct {
	*part
	keeper states.Keeper
}

// States opens a Space of the part's states: those of the reference.
func (p *keptPart) States(ctx context.Context) (states.Space, error) {
	s, err := p.keeper.States(ctx)
	if err != nil {
		return nil, err
	}
	return &space{Space: s, part: p.part, numbers: map[keyAnswer]int32{}}, nil
}

// space is the states that calls with one key lead to.
type space struct {
	states.Space
	part    *part
	methods []int       // of calls, by number; -1: it is not known
	answers []keyAnswer // by number
	numbers map[keyAnswer]int32
}

// keyAnswer is an answer, by its number, of a method that returns the key, or any.
type keyAnswer struct {
	answer int32
	method int // -1: any that does not
}

// Call numbers a call.
func (s *space) Call(l *history.Label) (int32, error) {
	with, method := *l, -1
	for i, m := range s.part.methods {
		if k := s.part.key[i]; m.Name == l.Method && k >= 0 && k <= len(l.Args) {
			method = i
			with.Args = slices.Insert(slices.Clone(l.Args), k, s.part.value(i))
		}
	}
	n, err := s.Space.Call(&with)
	for err == nil && int(n) >= len(s.methods) {
		s.methods = append(s.methods, -1)
	}
	if err == nil {
		s.methods[n] = method
	}
	return n, err
}

// Step makes a call in a state.
func (s *space) Step(ctx context.Context, state, call int32, ahead func() []states.Ahead) (next, answer int32, err error) {
	next, answer, err = s.Space.Step(ctx, state, call, s.lifted(ahead))
	if err != nil {
		return next, answer, err
	}
	a := keyAnswer{answer, s.methods[call]}
	if a.method >= 0 && s.part.ret[a.method] == 0 {
		a.method = -1
	}
	n, ok := s.numbers[a]
	if !ok {
		n = int32(len(s.answers))
		s.numbers[a], s.answers = n, append(s.answers, a)
	}
	return next, n, nil
}

// lifted are calls with what they claim to answer, with the key.
func (s *space) lifted(ahead func() []states.Ahead) func() []states.Ahead {
	if ahead == nil {
		return nil
	}
	return func() []states.Ahead {
		soon := ahead()
		for i, a := range soon {
			if a.Call < 0 || a.Claim == nil {
				continue
			}
			if m := s.methods[a.Call]; m >= 0 && s.part.ret[m] > 0 {
				k := theory.Key{Role: theory.ByKey, Arg: s.part.key[m], Ret: s.part.ret[m]}
				claim := k.Lift(*a.Claim, slices.Insert(slices.Clone(a.Claim.Args), k.Arg, s.part.value(m)))
				soon[i].Claim = &claim
			}
		}
		return soon
	}
}

// Answer is the answer of this number.
func (s *space) Answer(n int32) states.Answer {
	a := s.Space.Answer(s.answers[n].answer)
	if m := s.answers[n].method; m >= 0 {
		a.Rets = s.part.returned(m, a.Rets, s.part.value(m))
	}
	return a
}
