//go:build go1.21

package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// What a FrameKeep asks of a keeper. A request is one of these, the keeper's
// number, and:
//
//	KeepOpen    methods that are not to be tried, count first; 1 if anything is to be tried
//	KeepStep    new calls, count first; how many pairs to answer; state; call; calls ahead, count first: number from 1 on, or 0; what is expected, with its text; the calls before it, a bit each, and as the lowest bit if it is idle
//	KeepAgain   new calls, count first; pairs of states and calls, count first, that made the states from 1
//	KeepText    state
//	KeepSteps   new calls, count first; pairs of states and calls, count first
//	KeepForms   states
//	KeepClose
//
// A new call is its method and arguments; of an acceptor also outcome and results.
// Answers: Kept as JSON; or 1 if memory is short, the answers that are new, each
// with its length, and state, call, next state and answer of each pair, also for
// KeepSteps, which leaves out the pairs from the first on that fails; or nothing; or
// the text; or the form of each state, with its length.
const (
	KeepOpen = iota
	KeepStep
	KeepAgain
	KeepText
	KeepClose
	KeepSteps
	KeepForms
)

// KeepAnew in a FramePart says that a new process must answer a request to a
// keeper; what is more comes with the answer, and this process is at its end.
const KeepAnew = 1

// Keep answers a request to a keeper. The error is a *Fault, whose Seq is a state
// and At a call, or the context's, or about the request's form.
func (m *Machine) Keep(ctx context.Context, request []byte, w Watch) ([]byte, error) {
	answer, err := m.keep(ctx, request, w)
	if err == errWaits && request[0] == KeepOpen {
		return m.keep(ctx, request, w)
	}
	return answer, err
}

func (m *Machine) keep(ctx context.Context, request []byte, w Watch) ([]byte, error) {
	in := NewReader(request)
	op, id := in.Number(), in.Number()
	if in.Err != nil {
		return nil, in.Err
	}
	k := m.keepers[id]
	switch {
	case op == KeepClose:
		delete(m.keepers, id)
		return nil, nil
	case op == KeepOpen:
		k = newKeeper(m, w.MaxHeap)
		w.MaxHeap += w.MaxHeap / 4 // one call that takes it all at once
	case k == nil:
		return nil, fmt.Errorf("there is no keeper %d", id)
	default:
		w.MaxHeap += w.MaxHeap / 4
	}
	delete(m.keepers, id) // in case it does not come back
	var reply []byte
	var err error
	done := make(chan struct{})
	k.r.fault = nil
	go func() {
		defer close(done)
		reply, err = k.answer(op, in)
	}()
	if stopped := k.r.watch(ctx, done, w); stopped != nil {
		k.r.stop.Store(true)
		return nil, stopped
	}
	if m.keepers == nil {
		m.keepers = map[int]*keeper{}
	}
	m.keepers[id] = k
	if k.r.fault != nil {
		return nil, k.r.fault
	}
	return reply, err
}

func (k *keeper) answer(op int, in *Reader) ([]byte, error) {
	switch op {
	case KeepOpen:
		var avoid []int
		for n := in.Count(); n > 0; n-- {
			avoid = append(avoid, in.Number())
		}
		try := in.Number() == 1
		if in.Err != nil {
			return nil, in.Err
		}
		if k.own = true; try {
			k.choose(avoid)
		}
		if k.r.fault == nil {
			k.open()
		}
		return json.Marshal(k.kept)
	case KeepStep:
		return k.explore(in)
	case KeepAgain:
		return nil, k.again(in)
	case KeepText:
		s := in.Number()
		if in.Err != nil || s >= len(k.states) {
			return nil, errShort
		}
		text, err := k.show(int32(s))
		return []byte(text), err
	case KeepSteps:
		return k.walk(in)
	case KeepForms:
		return k.forms(in)
	}
	return nil, fmt.Errorf("unknown request %d to a keeper", op)
}

// announced reads new calls.
func (k *keeper) announced(in *Reader) error {
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		c, err := k.readCall(in)
		if err != nil {
			return err
		}
		k.calls = append(k.calls, c)
	}
	return in.Err
}

func (k *keeper) readCall(in *Reader) (c call, err error) {
	if k.m.Acceptor {
		before := in.b
		p := &accept{r: k.r, values: k.values}
		l, err := p.readLabel(in)
		k.values = p.values
		if err != nil {
			return c, err
		}
		c = call{method: l.method, claim: l.claim, absurd: l.absurd, answer: []byte{byte(l.outcome)}}
		if in.Err == nil {
			claimed := NewReader(before)
			claimed.Number()
			claimed.Number()
			for range c.claim.Args {
				claimed.Value()
			}
			c.answer = append(c.answer, claimed.b[:len(claimed.b)-len(in.b)]...)
		}
		return c, nil
	}
	c.method = in.Number()
	if c.method >= len(k.m.ops) {
		return c, fmt.Errorf("there is no method %d", c.method)
	}
	for i, t := range k.m.ops[c.method].params {
		n, text := in.Value()
		a, ok := k.m.types.Parse(t, text)
		if n != 0 || !ok {
			return c, fmt.Errorf("argument %d of %s cannot be %s", i+1, k.m.Methods[c.method].Name, text)
		}
		c.args = append(c.args, a)
	}
	return c, in.Err
}

// known reads a state and a call.
func (k *keeper) known(in *Reader) (s, c int32) {
	x, y := in.Number(), in.Number()
	if x >= len(k.states) || y >= len(k.calls) {
		in.b, in.Err = nil, errShort
	}
	return int32(x), int32(y)
}

// explore makes a call in a state, and then calls ahead there and in the states
// after it. Only the first may fail: what goes wrong ahead shows when it is asked
// for.
func (k *keeper) explore(in *Reader) ([]byte, error) {
	if err := k.announced(in); err != nil {
		return nil, err
	}
	bound := in.Number()
	s, c := k.known(in)
	ahead, err := k.readAhead(in)
	if err != nil {
		return nil, err
	}
	next, answer, ok := k.step(s, c)
	if !ok {
		if k.full {
			return []byte{1}, nil
		}
		return nil, errFault
	}
	k.effort = 0
	a := lookahead{keeper: k, calls: ahead, most: bound, made: []int32{s, c, next, answer}, seen: map[way]bool{}}
	for j, l := range ahead {
		if l.expected != AnyAnswer {
			a.goal |= 1 << j
		}
	}
	if first := slices.IndexFunc(ahead, func(l likely) bool { return l.call == c }); first >= 0 {
		a.from(way{state: s}, first)
	}
	return k.tell(a.made)
}

// tell is the reply that tells steps.
func (k *keeper) tell(made []int32) ([]byte, error) {
	if !k.holds() {
		return nil, errFault
	}
	reply := AppendNumber([]byte{0}, len(k.news))
	for _, a := range k.news {
		reply = AppendBytes(reply, a)
	}
	k.news = k.news[:0]
	for _, n := range made {
		reply = AppendNumber(reply, int(n))
	}
	return reply, nil
}

// walk makes steps as long as they succeed. What goes wrong then shows when that
// step is asked for alone.
func (k *keeper) walk(in *Reader) ([]byte, error) {
	if err := k.announced(in); err != nil {
		return nil, err
	}
	var made []int32
	for n := in.Count(); n > 0; n-- {
		s, c := k.known(in)
		if in.Err != nil {
			return nil, in.Err
		}
		next, answer, ok := k.step(s, c)
		if !ok {
			k.r.fault = nil
			break
		}
		made = append(made, s, c, next, answer)
	}
	return k.tell(made)
}

// forms writes states.
func (k *keeper) forms(in *Reader) (reply []byte, err error) {
	for in.Err == nil && in.More() {
		s := in.Number()
		if in.Err != nil || s >= len(k.states) {
			return nil, errShort
		}
		p := k.states[s].object
		if p == nil {
			if p, err = k.take(int32(s)); err != nil {
				return nil, err
			}
		}
		k.text, err = k.world.Form(k.text[:0], k.varType, p, k.detail)
		if k.states[s].object == nil {
			k.leave(p, int32(s))
		}
		if err != nil {
			return nil, err
		}
		reply = AppendBytes(reply, k.text)
	}
	return reply, in.Err
}

// again makes the states of a keeper that is gone.
func (k *keeper) again(in *Reader) error {
	if err := k.announced(in); err != nil {
		return err
	}
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		s, c := k.known(in)
		want := len(k.states)
		if in.Err != nil {
			break
		}
		if next, _, ok := k.step(s, c); !ok && k.r.fault != nil {
			return errFault
		} else if !ok || int(next) != want {
			return errors.New("the states are not the same the second time")
		}
	}
	return in.Err
}
