//go:build go1.21

package driver

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/adtinfer/adtinfer/internal/driver/objects"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Kept says how a keeper keeps states; see package states.
type Kept struct {
	Copied   bool     `json:"copied"`
	Interned bool     `json:"interned"`
	Why      []string `json:"why,omitempty"`
}

// keeper keeps the states of a Machine's objects, numbered: by a copy each or by
// the calls that lead there. Texts of objects tell which are the same.
type keeper struct {
	m       *Machine
	r       *runner // for its watch, faults and answers
	world   *objects.World
	objType reflect.Type // what the constructor returns
	varType reflect.Type // of the variable that a state is
	detail  objects.Detail
	kept    Kept
	full    bool // no more memory
	maxHeap uint64
	steps   int
	effort  int // of steps ahead, about
	audit   audit

	calls   []call
	states  []state
	texts   map[string]int32
	memo    map[uint64]uint64 // state and call: next state and answer
	answers map[string]int32
	raw     [][]byte // by number
	news    [][]byte // answers that the parent does not know
	spares  [8]spare
	turn    int
	text    []byte
	told    []byte
	in      []reflect.Value
	values  values.Sequence
	own     bool // each object gets arguments of its own, for the reference writes to them

	// What the keeper relies on, which tests break.
	copy  func(p unsafe.Pointer) (unsafe.Pointer, error)
	write func(p unsafe.Pointer) ([]byte, error)
}

// call is a call that was announced.
type call struct {
	method int
	args   []values.Argument
	claim  Claim  // of an acceptor
	absurd bool   // no such claim is ever allowed
	answer []byte // if it is
}

// state is a state, and how it was first reached.
type state struct {
	object       unsafe.Pointer // its copy, if states are copied
	parent, call int32
	depth        int32 // calls from the start
}

// spare is an object in a state that no state owns.
type spare struct {
	object unsafe.Pointer
	state  int32
}

func newKeeper(m *Machine, maxHeap uint64) *keeper {
	k := &keeper{m: m, values: values.Sequence{AsGiven: true}, r: &runner{m: m}, world: objects.NewWorld(), maxHeap: maxHeap,
		texts: map[string]int32{}, memo: map[uint64]uint64{}, answers: map[string]int32{}}
	k.copy, k.write = k.copyOf, k.textOf
	k.objType = m.objects
	if m.byValue {
		k.objType = reflect.PointerTo(k.objType)
	}
	k.varType = k.objType
	if k.objType.Kind() == reflect.Pointer {
		k.varType = k.objType.Elem()
	}
	return k
}

// construct makes an object and gives it as a variable.
func (k *keeper) construct() (unsafe.Pointer, error) {
	if k.own {
		k.values.Reset()
	}
	v, err := k.m.construct(k.r)
	if err != nil {
		return nil, err
	}
	if k.objType.Kind() == reflect.Pointer {
		return v.UnsafePointer(), nil
	}
	cell := reflect.New(k.objType)
	cell.Elem().Set(v)
	return cell.UnsafePointer(), nil
}

// object is the object that the operations get.
func (k *keeper) object(p unsafe.Pointer) reflect.Value {
	v := reflect.NewAt(k.varType, p)
	if k.objType.Kind() != reflect.Pointer {
		return v.Elem()
	}
	if v.Type() != k.objType {
		v = v.Convert(k.objType)
	}
	return v
}

// do makes a call on an object; the answer is in r.out. False: it blocks.
func (k *keeper) do(p unsafe.Pointer, c *call) bool {
	r := k.r
	if k.m.Acceptor {
		if c.absurd || !k.m.accept(k.object(p).Interface(), c.claim) {
			r.out = append(r.out, blockedOutcome)
			return false
		}
		r.out = append(r.out, c.answer...)
		return true
	}
	o := &k.m.ops[c.method]
	k.in = append(k.in[:0], reflect.Value{})
	if o.context {
		k.in = append(k.in, background)
	}
	for i := range c.args {
		v := k.values.Pass(&c.args[i])
		k.lend(v)
		k.in = append(k.in, v)
	}
	class, outs := r.invoke(o, k.object(p), k.in)
	r.out = append(r.out, class)
	if class == blockedOutcome || class == PanicOutcome {
		return class == PanicOutcome
	}
	if what := o.besides(class, outs); what != "" {
		r.fault = &Fault{Reason: Drops, Seq: r.seq, At: r.at, Detail: what, Method: k.m.nameOf(o)}
		return false
	}
	for i, v := range o.carried(class, outs) {
		n, text, ours := k.values.ReadBack(o.rets[i], v)
		if !ours {
			r.fault = &Fault{Reason: HandsOut, Seq: r.seq, At: r.at, Detail: k.m.takers(o.rets[i])}
			return false
		}
		if what := k.m.alike(o, i, v); what != "" {
			r.fault = &Fault{Reason: Alike, Seq: r.seq, At: r.at, Detail: what}
			return false
		}
		r.out = AppendValue(r.out, n, text)
	}
	return true
}

// lend notes an argument that is a pointer: all objects get the same.
func (k *keeper) lend(v reflect.Value) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		k.world.Lend(v.Type().Elem(), v.UnsafePointer())
	}
}

// guard runs f and reports whether it came to its end. If not it panicked, and
// r.fault says how, or the call blocks.
func (k *keeper) guard(f func()) bool {
	r := k.r
	r.ended, r.fault = false, nil
	done := false
	func() {
		defer r.rescue()
		f()
		r.ended, done = true, true
	}()
	return done
}

// try makes a call on an object that may be lost afterwards. The answer is in
// r.out; blocked: the object is not in the state after it.
func (k *keeper) try(p unsafe.Pointer, c *call) (blocked bool) {
	k.r.out = k.r.out[:0]
	ok := false
	k.guard(func() { ok = k.do(p, c) })
	return !ok
}

// open makes the first state.
func (k *keeper) open() {
	p, err := k.replay(0)
	if err != nil {
		return
	}
	k.states = append(k.states, state{object: p, parent: -1, call: -1})
	if k.kept.Interned {
		if text, err := k.write(p); err == nil {
			k.texts[string(text)] = 0
		}
	}
	if !k.kept.Copied {
		k.states[0].object = nil
	}
}

// errFault says that r.fault has more.
var errFault = errors.New("see the fault")

// replay makes an object in a state by the calls that led there.
func (k *keeper) replay(s int32) (p unsafe.Pointer, err error) {
	var path []int32
	for len(k.states) > 0 && k.states[s].parent >= 0 {
		path = append(path, k.states[s].call)
		s = k.states[s].parent
	}
	k.effort += 16 * len(path)
	at := k.r.at
	ok := k.guard(func() {
		if p, err = k.construct(); err != nil {
			return
		}
		k.r.calling(at)
		for i := len(path) - 1; i >= 0; i-- {
			k.r.out = k.r.out[:0]
			k.do(p, &k.calls[path[i]])
		}
	})
	switch {
	case err != nil:
		k.r.fault = &Fault{Reason: NewFails, At: -1, Detail: shorten(err.Error())}
		return nil, errFault
	case !ok && k.r.fault == nil:
		k.r.fault = &Fault{Reason: Differs, At: at, Detail: "a call that did not block blocks when it is made again"}
	}
	if !ok {
		return nil, errFault
	}
	return p, nil
}

// textOf is the text of an object, valid until the next one.
func (k *keeper) textOf(p unsafe.Pointer) (text []byte, err error) {
	k.text, err = k.world.Text(k.text[:0], k.varType, p, k.detail)
	k.effort += len(k.text)
	return k.text, err
}

func (k *keeper) copyOf(p unsafe.Pointer) (unsafe.Pointer, error) { return k.world.Copy(k.varType, p) }

// take is an object in a state, for a call to be made on.
func (k *keeper) take(s int32) (unsafe.Pointer, error) {
	for i := range k.spares {
		if sp := &k.spares[i]; sp.object != nil && sp.state == s {
			p := sp.object
			sp.object = nil
			return p, nil
		}
	}
	if !k.kept.Copied {
		return k.replay(s)
	}
	p, err := k.copy(k.states[s].object)
	if err != nil {
		k.r.fault = &Fault{Reason: Uncopied, At: k.r.at, Detail: err.Error()}
	}
	return p, err
}

// leave puts an object away that is in a state.
func (k *keeper) leave(p unsafe.Pointer, s int32) {
	if k.own {
		return // its arguments are about to be forgotten
	}
	k.turn = (k.turn + 1) % len(k.spares)
	k.spares[k.turn] = spare{p, s}
}

// step makes a call in a state. It fails with r.fault, or k.full.
func (k *keeper) step(s, c int32) (next, answer int32, ok bool) {
	if v, known := k.memo[pairOf(s, c)]; known {
		return int32(v >> 32), int32(uint32(v)), true
	}
	if k.steps++; k.steps%256 == 0 && k.outgrown() {
		return 0, 0, false
	}
	k.effort += 16
	k.r.seq = int(s)
	k.r.calling(int(c))
	k.r.fault = nil
	p, err := k.take(s)
	if err != nil {
		return 0, 0, false
	}
	blocked := k.try(p, &k.calls[c])
	if k.r.fault != nil {
		return 0, 0, false
	}
	answer = k.number(&k.calls[c], k.r.out)
	next = s
	if !blocked {
		if next, ok = k.arrive(p, s, c); !ok {
			return 0, 0, false
		}
	}
	k.memo[pairOf(s, c)] = uint64(next)<<32 | uint64(uint32(answer))
	k.audit.made(s, c)
	return next, answer, true
}

func pairOf(s, c int32) uint64 { return uint64(uint32(s))<<32 | uint64(uint32(c)) }

// arrive is the state that an object is in after a call.
func (k *keeper) arrive(p unsafe.Pointer, s, c int32) (next int32, ok bool) {
	if len(k.states) == math.MaxInt32 {
		k.full = true
		return 0, false
	}
	next = int32(len(k.states))
	if k.kept.Interned {
		text, err := k.write(p)
		if err != nil {
			k.r.fault = &Fault{Reason: Uncopied, At: int(c), Detail: err.Error()}
			return 0, false
		}
		if n, known := k.texts[string(text)]; known {
			k.leave(p, n)
			return n, true
		}
		k.texts[string(text)] = next
	}
	n := state{parent: s, call: c, depth: k.states[s].depth + 1}
	if k.kept.Copied {
		n.object = p
	} else {
		k.leave(p, next)
	}
	k.states = append(k.states, n)
	return next, true
}

// number numbers an answer to a call, which is told by its outcome's name, empty
// if the call blocks, and its values.
func (k *keeper) number(c *call, out []byte) int32 {
	name := ""
	if out[0] != blockedOutcome {
		name = k.m.ops[c.method].outcomeName(out[0])
	}
	k.told = append(AppendBytes(k.told[:0], []byte(name)), out[1:]...)
	n, ok := k.answers[string(k.told)]
	if !ok {
		n = int32(len(k.answers))
		own := append([]byte(nil), k.told...)
		k.answers[string(own)], k.raw = n, append(k.raw, own)
		k.news = append(k.news, own)
	}
	return n
}

// outcomeName is what an outcome is called, other than to block.
func (o *op) outcomeName(class byte) string {
	if class == PanicOutcome {
		return outPanic
	}
	return o.outcomes[class].Name
}

// outgrown reports whether the states take all the memory there is. Garbage is
// collected before that is said, and not each time anew: a tenth must be free then.
func (k *keeper) outgrown() bool {
	if k.full || k.maxHeap == 0 || heapInUse() < k.maxHeap {
		return k.full
	}
	runtime.GC()
	k.full = heapInUse() > k.maxHeap/10*9
	return k.full
}

// show is a state in words.
func (k *keeper) show(s int32) (string, error) {
	p := k.states[s].object
	if p == nil {
		var err error
		if p, err = k.take(s); err != nil {
			return "", err
		}
		defer k.leave(p, s)
	}
	return objects.Show(k.varType, p), nil
}

// draw draws a call as a Go programmer would.
func (k *keeper) draw(c *call) string {
	m := &k.m.Methods[c.method]
	s := m.GoName + "("
	var all []reflect.Value
	for _, a := range c.args {
		all = append(all, a.Value)
	}
	for _, a := range c.claim.Args {
		all = append(all, reflect.ValueOf(a))
	}
	for i, a := range all {
		if i > 0 {
			s += ", "
		}
		s += drawArgument(a)
	}
	s += ")"
	if k.m.Acceptor {
		s += " => " + c.claim.Outcome
		for _, r := range c.claim.Rets {
			s += " " + drawArgument(reflect.ValueOf(r))
		}
	}
	return s
}

func drawArgument(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return values.GoText(v)
}
