package product

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/states"
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
	p := &part{impl: impl, key: make([]int, len(f.Keys)), number: make([]int, len(f.Keys))}
	for i, m := range impl.Methods() {
		if k := f.Keys[i]; k.Role == theory.ByKey {
			p.key[i], p.number[i] = k.Arg, fixedNumber(impl, i, k.Arg)
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

// number finds numbers of arguments in an answer.
var number = regexp.MustCompile(`\b[0-9]+\b`)

// forget makes the key in answers a value that nobody passed.
func (p *part) forget(calls []reference.Call, answers []reference.Answer) {
	type argument struct {
		kind   string
		number int
	}
	passed := map[argument]bool{}
	for i := range answers {
		c := &calls[i]
		for k, n := range c.Args {
			passed[argument{p.methods[c.Method].Params[k].Kind, n}] = true
		}
		for k, v := range answers[i].Rets {
			for m, key := range p.key {
				if key < 0 || reference.IsForeign(v) {
					continue
				}
				b, n := p.impl.Methods()[m].Params[key], p.number[m]
				text, _ := b.Text(b.Numbered(n))
				is := func(s string) bool {
					return s == strconv.Itoa(n) && !passed[argument{p.methods[c.Method].Results[k].Kind, n}]
				}
				if is(string(v)) {
					v = history.Value("(" + text + ")")
				} else if p.impl.Methods()[m].ArgDomain[key] == 0 {
					v = history.Value(number.ReplaceAllStringFunc(string(v), func(s string) string {
						if is(s) {
							return "(" + text + ")"
						}
						return s
					}))
				}
			}
			answers[i].Rets[k] = v
		}
	}
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
	return &space{s, p.part}, nil
}

// space is the states that calls with one key lead to.
type space struct {
	states.Space
	part *part
}

// Call numbers a call.
func (s *space) Call(l *history.Label) (int32, error) {
	for i, m := range s.part.methods {
		if k := s.part.key[i]; m.Name == l.Method && k >= 0 && k <= len(l.Args) {
			with := *l
			with.Args = slices.Insert(slices.Clone(l.Args), k, s.part.value(i))
			return s.Space.Call(&with)
		}
	}
	return s.Space.Call(l)
}
