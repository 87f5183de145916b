//go:build go1.21

package driver

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// replay runs sequences of calls.
type replay struct {
	r      *runner
	code   []int                 // methods, each with its arguments: numbers, or -1 less the place in given
	starts []int                 // of the sequences in code
	waits  map[string]bool       // calls of which the last waits for ever, by their code
	word   []byte                // code of the calls that are made
	args   [][][]values.Argument // by method, parameter and number
	given  []values.Argument
	codes  map[given]int // of those in given
	in     []reflect.Value
	values values.Sequence
}

// given is an argument that a log has.
type given struct {
	method, param int
	text          string
}

func newReplay(r *runner) *replay {
	p := &replay{r: r, codes: map[given]int{}, waits: map[string]bool{}}
	for i := range r.m.ops {
		p.args = append(p.args, make([][]values.Argument, len(r.m.ops[i].params)))
	}
	return p
}

// prepare reads and checks a request and makes the arguments it needs.
func (p *replay) prepare(in *Reader) (count int, err error) {
	ops := p.r.m.ops
	p.code, p.starts, p.given = p.code[:0], p.starts[:0], p.given[:0]
	clear(p.codes)
	clear(p.waits)
	count = in.Count()
	for i := 0; i < count && in.Err == nil; i++ {
		p.starts = append(p.starts, len(p.code))
		for calls := in.Count(); calls > 0 && in.Err == nil; calls-- {
			method := in.Number()
			if method >= len(ops) {
				return 0, fmt.Errorf("there is no method %d", method)
			}
			p.code = append(p.code, method)
			for a := range ops[method].params {
				k, text := in.Value()
				switch {
				case in.Err != nil:
					err = in.Err
				case k == 0:
					k, err = p.give(method, a, text)
				default:
					err = p.need(method, a, k)
				}
				if err != nil {
					return 0, err
				}
				p.code = append(p.code, k)
			}
		}
	}
	p.starts = append(p.starts, len(p.code))
	return count, in.Err
}

// need makes the arguments up to number k of a parameter.
func (p *replay) need(method, param, k int) error {
	domain := p.r.m.Methods[method].Domain[param]
	if k < 1 || domain > 0 && k > domain || k > values.MaxNumber {
		return fmt.Errorf("%s has no value %d for argument %d (its domain: %d)",
			p.r.m.Methods[method].Name, k, param+1, domain)
	}
	made := &p.args[method][param]
	for len(*made) < k {
		*made = append(*made, p.r.m.types.Argument(p.r.m.ops[method].params[param], len(*made)+1))
	}
	return nil
}

// give makes an argument of a Go text.
func (p *replay) give(method, param int, text string) (code int, err error) {
	known := given{method, param, text}
	if code, ok := p.codes[known]; ok {
		return code, nil
	}
	a, ok := p.r.m.types.Parse(p.r.m.ops[method].params[param], text)
	if !ok {
		return 0, fmt.Errorf("argument %d of %s cannot be %s", param+1, p.r.m.Methods[method].Name, text)
	}
	p.given = append(p.given, a)
	p.codes[known] = -len(p.given)
	return -len(p.given), nil
}

// sequence runs sequence i on a new object and appends its answers.
func (p *replay) sequence(i int) {
	r := p.r
	object, err := r.m.construct(r)
	if err != nil {
		r.fault = &Fault{Reason: NewFails, Seq: i, At: -1, Detail: shorten(err.Error())}
		return
	}
	p.values.Reset()
	p.word = p.word[:0]
	code := p.code[p.starts[i]:p.starts[i+1]]
	for call := 0; len(code) > 0; call++ {
		method := code[0]
		n := 1 + len(r.m.ops[method].params)
		args := p.arguments(method, code[1:n])
		r.calling(call)
		for _, k := range code[:n] {
			p.word = binary.AppendVarint(p.word, int64(k))
		}
		if p.waits[string(p.word)] { // once is enough
			r.out = append(r.out, blockedOutcome)
			return
		}
		if !p.answer(&r.m.ops[method], object, args) {
			if r.left {
				p.waits[string(p.word)] = true
			}
			return
		}
		code = code[n:]
	}
}

// arguments builds a call's arguments, with room for the object before them.
func (p *replay) arguments(method int, numbers []int) []reflect.Value {
	p.in = append(p.in[:0], reflect.Value{})
	if p.r.m.ops[method].context {
		p.in = append(p.in, p.r.m.waits.context())
	}
	for i, k := range numbers {
		if k < 0 {
			p.in = append(p.in, p.values.Pass(&p.given[-k-1]))
		} else {
			p.in = append(p.in, p.values.Pass(&p.args[method][i][k-1]))
		}
	}
	return p.in
}

// background is passed to methods that take a context.
var background = reflect.ValueOf(context.Background())

// answer makes a call and appends its answer; false if the sequence ends with it.
func (p *replay) answer(o *op, object reflect.Value, args []reflect.Value) bool {
	c, outs := p.r.invoke(o, object, args)
	p.r.out = append(p.r.out, c)
	if c == blockedOutcome || c == PanicOutcome {
		return c == PanicOutcome && p.r.fault == nil
	}
	if what := o.besides(c, outs); what != "" && !p.r.m.settling {
		p.r.fault = &Fault{Reason: Drops, Seq: p.r.seq, At: p.r.at, Detail: what, Method: p.r.m.nameOf(o)}
		return false
	}
	for i, v := range o.carried(c, outs) {
		k, text, ours := p.values.ReadBack(o.rets[i], v)
		if !ours {
			p.r.fault = &Fault{Reason: HandsOut, Seq: p.r.seq, At: p.r.at, Detail: p.r.m.takers(o.rets[i])}
			return false
		}
		if what := p.r.m.alike(o, i, v); what != "" {
			p.r.fault = &Fault{Reason: Alike, Seq: p.r.seq, At: p.r.at, Detail: what}
			return false
		}
		p.r.out = AppendValue(p.r.out, k, text)
	}
	return true
}

// describe is the answers to sequence i in words.
func (p *replay) describe(i int, answers []byte) (words []string) {
	in := NewReader(answers)
	code := p.code[p.starts[i]:p.starts[i+1]]
	for len(code) > 0 {
		o := &p.r.m.ops[code[0]]
		code = code[1+len(o.params):]
		c, blocked := in.Outcome()
		if blocked {
			return append(words, "blocked")
		}
		if c == PanicOutcome {
			words = append(words, "panic")
			continue
		}
		word := o.outcomes[c].Name
		for j := 0; j < o.outcomes[c].Rets; j++ {
			text := in.Answer()
			if text[0] == '(' {
				text = text[1 : len(text)-1]
			}
			word += " " + text
		}
		words = append(words, word)
	}
	return words
}

// call calls an operation; in[0] is room for the object.
func (o *op) call(object reflect.Value, in []reflect.Value) []reflect.Value {
	fn, in := o.bound(object, in)
	return invokeAll(fn, in)
}

// invokeAll calls a function. What a variadic one takes any number of is a list.
func invokeAll(fn reflect.Value, in []reflect.Value) []reflect.Value {
	if fn.Type().IsVariadic() && len(in) == fn.Type().NumIn() {
		return fn.CallSlice(in)
	}
	return fn.Call(in)
}

// bound is what to call, and with what.
func (o *op) bound(object reflect.Value, in []reflect.Value) (reflect.Value, []reflect.Value) {
	if !o.fn.IsValid() {
		return object.Method(o.method), in[1:]
	}
	if object.Kind() == reflect.Pointer && o.fn.Type().In(0) == object.Type().Elem() {
		object = object.Elem()
	}
	in[0] = object
	return o.fn, in
}
