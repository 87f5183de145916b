package describe_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/adtinfer/adtinfer/reference"
)

// A deviation is something that a type does otherwise from a moment on, or at one.
type deviation struct {
	does   string // one of deeds
	on, op int    // a call of method op deviates because of the calls of method on
	after  int    // so many of them
	count  string // which of them: one of counts
	once   bool   // it does so with the next call only
	by     string // what an answer beside false or an error is, one of besides
}

var (
	deeds   = []string{"answers otherwise", "loses", "doubles", "repeats", "restarts", "takes the last argument", "answers beside", "fails otherwise"}
	besides = []string{"the count", "the argument", "a constant"}
	counts  = []string{"all", "in a row", "that hold", "of one argument"}
	afters  = []int{1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12, 16, 20}
	sizes   = []int{1, 2, 2, 3, 3, 4, 7}

	largeSizes  = []int{12, 15, 20, 30}
	sizedShapes = []string{"boundedQueue", "blockingQueue", "window", "ring", "freeIds", "readWrite", "semaphore", "blockingSemaphore", "saturating",
		"cache", "limitedSet", "toggle", "pastRegister", "limitedStore", "latch", "limiter", "ballot", "ticks", "rounds", "tries"}
)

func (d deviation) String() string {
	does := d.does
	if does == "answers beside" {
		does += ": " + d.by
	}
	return fmt.Sprintf("method %d %s, once %t, after %d calls of method %d (%s)", d.op, does, d.once, d.after, d.on, d.count)
}

// drawn are random deviations of a type with so many methods.
func drawn(r *rand.Rand, methods int) (ds []deviation) {
	for range []int{0, 1, 1, 1, 1, 2, 2, 3}[r.IntN(8)] {
		d := deviation{does: deeds[r.IntN(len(deeds))], on: r.IntN(methods), op: r.IntN(methods), after: afters[r.IntN(len(afters))], count: counts[r.IntN(len(counts))], once: r.IntN(2) == 0}
		if d.by = besides[r.IntN(len(besides))]; d.does == "answers beside" && r.IntN(2) == 0 {
			d.after, d.once = 0, false // from the first call on
		}
		ds = append(ds, d)
	}
	return ds
}

// planted is an object with what its deviations count.
type planted[T any] struct {
	in      *T
	counted []int    // by deviation: up to what it waits for, and one more
	last    []string // by deviation, the argument that it counts
	answers [][]any  // by method: its last one, if some deviation repeats it
	args    [][]any  // its last arguments, if some deviation takes them
	calls   int      // so far, at most mostCounted, if some deviation answers so
}

// mostCounted bounds what an answer counts, so that there are few states.
const mostCounted = 5

// deviating is a type that deviates.
func deviating[T any](name string, construct func() *T, ds []deviation) reference.Spec {
	typ := reflect.TypeFor[*T]()
	methods := typ.NumMethod()
	fresh := func() *planted[T] {
		return &planted[T]{construct(), make([]int, len(ds)), make([]string, len(ds)), make([][]any, methods), make([][]any, methods), 0}
	}
	spec := reference.Spec{Name: name, New: fresh}
	for i := range methods {
		m := typ.Method(i)
		in, out := []reflect.Type{reflect.TypeFor[*planted[T]]()}, []reflect.Type{}
		for k := 1; k < m.Type.NumIn(); k++ {
			in = append(in, m.Type.In(k))
		}
		for k := range m.Type.NumOut() {
			out = append(out, m.Type.Out(k))
		}
		f := reflect.MakeFunc(reflect.FuncOf(in, out, false), func(args []reflect.Value) []reflect.Value {
			p := args[0].Interface().(*planted[T])
			return p.call(ds, i, m, args[1:], construct)
		})
		spec.Operations = append(spec.Operations, reference.Operation{Name: string(m.Name[0]+'a'-'A') + m.Name[1:], Func: f.Interface()})
	}
	return spec
}

// call is a call of a method, which may deviate.
func (p *planted[T]) call(ds []deviation, op int, m reflect.Method, args []reflect.Value, construct func() *T) []reflect.Value {
	var do map[string]bool
	var beside []deviation
	for i, d := range ds {
		if d.op == op && (p.counted[i] == d.after || p.counted[i] > d.after && !d.once) {
			if do == nil {
				do = map[string]bool{}
			}
			do[d.does] = true
			p.counted[i] = d.after + 1
			if d.does == "answers beside" {
				beside = append(beside, d)
			}
		}
	}
	if do["restarts"] {
		p.in = construct()
	}
	if old := p.args[op]; do["takes the last argument"] && old != nil {
		for k := range args {
			args[k] = valueOf(old[k], m.Type.In(1+k))
		}
	}
	run := func() []reflect.Value { return m.Func.Call(append([]reflect.Value{reflect.ValueOf(p.in)}, args...)) }
	var out []reflect.Value
	if do["loses"] {
		for k := range m.Type.NumOut() {
			out = append(out, reflect.Zero(m.Type.Out(k)))
		}
	} else {
		out = run()
	}
	if do["doubles"] {
		func() {
			defer func() { _ = recover() }() // if the second call would wait, the first has happened
			run()
		}()
	}
	if do["answers otherwise"] {
		otherwise(out)
	}
	if old := p.answers[op]; do["repeats"] && old != nil {
		for k := range out {
			out[k] = valueOf(old[k], m.Type.Out(k))
		}
	}
	for _, d := range beside {
		p.beside(d, args, out)
	}
	if do["fails otherwise"] {
		fails(out)
	}
	if slices.ContainsFunc(ds, func(d deviation) bool { return d.does == "answers beside" && d.by == "the count" }) {
		p.calls = min(p.calls+1, mostCounted)
	}
	p.note(ds, op, args, out)
	return out
}

// beside changes what is answered beside false, or beside an error.
func (p *planted[T]) beside(d deviation, args, out []reflect.Value) {
	if holds(out) {
		return
	}
	for k, v := range out {
		switch {
		case v.Kind() == reflect.Int && d.by == "the argument" && len(args) > 0 && args[0].Kind() == reflect.Int:
			out[k] = args[0]
		case v.Kind() == reflect.Int && d.by == "the count":
			out[k] = reflect.ValueOf(p.calls)
		case v.Kind() == reflect.Int:
			out[k] = reflect.ValueOf(3)
		case v.Kind() == reflect.String && d.by == "the argument" && len(args) > 0 && args[0].Kind() == reflect.String:
			out[k] = args[0]
		case v.Kind() == reflect.String:
			out[k] = reflect.ValueOf("none")
		}
	}
}

// holds reports whether an answer is neither false nor an error.
func holds(out []reflect.Value) bool {
	return !slices.ContainsFunc(out, func(v reflect.Value) bool {
		return v.Kind() == reflect.Bool && !v.Bool() || v.Kind() == reflect.Interface && !v.IsNil()
	})
}

// fails has an error be another one, or be one at all.
func fails(out []reflect.Value) {
	for k, v := range out {
		if v.Kind() == reflect.Interface {
			out[k] = reflect.ValueOf(fmt.Errorf("failed otherwise")).Convert(v.Type())
		}
	}
}

// note counts a call, and remembers what deviations need of it.
func (p *planted[T]) note(ds []deviation, op int, args, out []reflect.Value) {
	held := holds(out)
	for i, d := range ds {
		arg := ""
		if len(args) > 0 && d.count == "of one argument" {
			arg = fmt.Sprint(args[0])
		}
		switch {
		case d.op == op && d.does == "repeats":
			p.answers[op] = interfaces(out)
		case d.op == op && d.does == "takes the last argument":
			p.args[op] = interfaces(args)
		}
		switch {
		case p.counted[i] > d.after:
		case d.on != op && d.count == "in a row":
			p.counted[i] = 0
		case d.on != op || d.count == "that hold" && !held || p.counted[i] == d.after:
		case d.count == "of one argument" && arg != p.last[i]:
			p.counted[i], p.last[i] = 1, arg
		default:
			p.counted[i]++
		}
	}
}

// valueOf is a value of a type, of which nil may be one.
func valueOf(v any, t reflect.Type) reflect.Value {
	if v == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(v)
}

func interfaces(vs []reflect.Value) (all []any) {
	for _, v := range vs {
		all = append(all, v.Interface())
	}
	return all
}

// otherwise changes an answer: whether it holds, else a number by one.
func otherwise(out []reflect.Value) {
	for k, v := range out {
		if v.Kind() == reflect.Bool {
			out[k] = reflect.ValueOf(!v.Bool())
			for j := range k {
				if !out[k].Bool() {
					out[j] = reflect.Zero(out[j].Type()) // what is beside false is nothing
				}
			}
			return
		}
	}
	for k, v := range out {
		if v.Kind() == reflect.Int {
			out[k] = reflect.ValueOf(int(v.Int()) + 1)
			return
		}
	}
}
