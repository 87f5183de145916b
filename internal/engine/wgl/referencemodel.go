package wgl

import (
	"cmp"
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/reference"
)

// OfReference is a reference as a model for one execution. It is not safe for concurrent
// use. Close it.
type OfReference struct {
	ctx    context.Context
	ref    *Reference
	space  *space
	caller *live.Caller
	calls  map[string]*call // by method, arguments and, of acceptors, claimed answer
	ahead  map[*history.Label]states.Ahead

	accepts bool            // the reference is an acceptor
	values  []history.Value // that a pending call of an acceptor may answer

	fault  error // the reference's own; other steps may be right
	err    error // no step is possible any more
	failed bool  // the Space is of no use any more
}

// call is a call with its number; ok is false if the reference has no such answer.
type call struct {
	n  int32
	ok bool
}

// refState is a state's number in the Space.
type refState int32

func (s refState) Equal(t State) bool { return s == t.(refState) }
func (s refState) Hash() uint64       { return uint64(s) }

// Close ends the use of the model.
func (m *OfReference) Close() { m.ref.leave(m.space, m.failed) }

// Spoiled reports whether the model failed for what is no fault of the reference, nor
// of this model alone, so that a new one may not.
func (m *OfReference) Spoiled() bool {
	return m.failed && (!errors.Is(m.err, states.ErrMemory) || m.ref.shared(m.space))
}

// Err is why the model cannot be trusted to refuse a step, or nil.
func (m *OfReference) Err() error { return cmp.Or(m.err, m.fault) }

// Init is the state of a new object.
func (m *OfReference) Init() State { return refState(m.space.Start()) }

// Step asks the Space; a pending call may have any answer but to wait for ever. Those
// of acceptors have Branches instead.
func (m *OfReference) Step(s State, l *history.Label) (State, bool) {
	return m.StepAhead(s, l, nil)
}

// StepAhead is Step, with calls that will be made soon.
func (m *OfReference) StepAhead(s State, l *history.Label, ahead func() []Soon) (State, bool) {
	next, answer, ok := m.step(s, l, ahead)
	if !ok || answer.Blocked || l.Outcome != history.Pending && !m.accepts && (answer.Outcome != l.Outcome || !m.caller.Same(l, answer.Rets)) {
		return nil, false
	}
	return next, true
}

// step makes a call.
func (m *OfReference) step(s State, l *history.Label, ahead func() []Soon) (State, states.Answer, bool) {
	call := m.call(l)
	if m.err != nil || !call.ok {
		return nil, states.Answer{}, false
	}
	m.space.mu.Lock()
	defer m.space.mu.Unlock()
	var soon func() []states.Ahead
	if ahead != nil {
		soon = func() []states.Ahead { return m.soonLocked(ahead()) }
	}
	to, a, err := m.space.Step(m.ctx, int32(s.(refState)), call.n, soon)
	if err != nil {
		m.fail(err)
		return nil, states.Answer{}, false
	}
	return refState(to), m.space.Answer(a), true
}

// soonLocked is what comes soon, as calls ahead.
func (m *OfReference) soonLocked(ahead []Soon) []states.Ahead {
	soon := make([]states.Ahead, len(ahead))
	for i, a := range ahead {
		soon[i] = m.aheadLocked(a.Label)
		soon[i].After, soon[i].Idle = a.After, a.Idle
	}
	return soon
}

// aheadLocked is a label, or nil, as a call ahead.
func (m *OfReference) aheadLocked(l *history.Label) states.Ahead {
	a, ok := m.ahead[l]
	if ok {
		return a
	}
	a.Call = -1
	if l != nil && !(m.accepts && l.Outcome == history.Pending) {
		if c := m.callLocked(l); c.ok {
			a.Call, a.Claim = c.n, m.claim(l)
		}
	}
	m.ahead[l] = a
	return a
}

// claim is a label that is answered, as the reference gets it.
func (m *OfReference) claim(l *history.Label) *history.Label {
	if l.Outcome == history.Pending {
		return nil
	}
	named, ok := m.caller.Named(l)
	if !ok {
		return l
	}
	return &named
}

// fail notes that a step failed. What the reference itself does wrong in one state
// need not matter in others, but it is not asked for long.
func (m *OfReference) fail(err error) {
	var fault *reference.Fault
	switch {
	case m.err != nil:
	case errors.As(err, &fault) && m.fault == nil:
		m.fault = err
	case fault != nil:
		m.err = m.fault
	default:
		m.err, m.failed = cmp.Or(m.fault, err), m.ctx.Err() == nil
	}
}

// call numbers a call.
func (m *OfReference) call(l *history.Label) *call {
	m.space.mu.Lock()
	defer m.space.mu.Unlock()
	return m.callLocked(l)
}

func (m *OfReference) callLocked(l *history.Label) *call {
	key := m.key(l)
	if c := m.calls[key]; c != nil {
		return c
	}
	c := &call{}
	m.calls[key] = c
	own := *l
	if !m.accepts {
		own.Outcome, own.Rets = history.Pending, nil
	}
	if own, c.ok = m.caller.Named(&own); !c.ok {
		return c
	}
	var err error
	if c.n, err = m.space.Call(&own); err != nil {
		c.ok = false
		m.fail(err)
	}
	return c
}

func (m *OfReference) key(l *history.Label) string {
	own := *l
	if !m.accepts {
		own.Outcome, own.Rets = history.Pending, nil
	}
	return string(logs.AppendKey(nil, &own))
}

// Text is a state in words, for people.
func (m *OfReference) Text(s State) (string, error) {
	m.space.mu.Lock()
	defer m.space.mu.Unlock()
	return m.space.Text(m.ctx, int32(s.(refState)))
}
