package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/states"
)

// space is the states.Space of a client: the driver keeps the objects, and this
// side remembers all steps that it has heard of.
type space struct {
	client   *client
	acceptor bool
	id       int // of the keeper
	life     int // of the backend, when the keeper was made
	avoid    []int
	try      bool
	kept     states.Kept

	numbers map[string]int32 // of calls, by their code
	calls   []stateCall
	wired   []int32 // calls that the keeper may know, in its order
	sent    int     // how many of them it knows

	answers   []states.Answer
	answerNum map[string]int32
	theirs    []int32 // numbers of the keeper's answers
	own       []int32 // by answer: the keeper's number, or -1
	text      []byte
	blocked   int32 // number of the answer to a claim that cannot be

	links  []link // by state: how it was first reached
	steps  map[uint64]uint64
	faults map[uint64]error
	risky  []bool // methods that ended a process or did not return: not called ahead
	full   bool
}

// stateCall is a call that has a number.
type stateCall struct {
	code  []byte
	wire  int32 // -1: a claim that cannot be
	call  Call
	label history.Label
}

type link struct{ state, call int32 }

// maxSteps bounds the steps that this side remembers, by some 50 bytes each.
const maxSteps = 12 << 20

// aheadPairs is how many pairs of state and call a request may answer.
const aheadPairs = 96

// States opens a Space of the reference's states; see package states.
func (r *replayer) States(ctx context.Context) (states.Space, error) {
	return newSpace(ctx, r.client, false)
}

// States opens a Space of the acceptor's states; see package states.
func (a *acceptor) States(ctx context.Context) (states.Space, error) {
	return newSpace(ctx, a.client, true)
}

func newSpace(ctx context.Context, c *client, acceptor bool) (states.Space, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepers++
	s := &space{client: c, acceptor: acceptor, id: c.keepers,
		numbers: map[string]int32{}, answerNum: map[string]int32{},
		steps: map[uint64]uint64{}, faults: map[uint64]error{}, risky: make([]bool, len(c.methods))}
	s.blocked = s.answerNumber(states.Answer{Blocked: true})
	s.links = []link{{-1, -1}}
	why := slices.Clone(c.distrusted)
	s.try = len(why) == 0
	for {
		kept, err := s.open(ctx)
		if err == nil {
			s.kept = kept
			s.kept.Why = append(why, kept.Why...)
			return s, nil
		}
		var f *driver.Fault
		switch {
		case !errors.As(err, &f):
			return nil, s.wrap(ctx, err)
		case !s.try || f.At < 0 || f.Reason == driver.Differs:
			return nil, faultOf(f, c.base, c.called, func(int) string { return f.Words })
		case f.Seq == unknown || slices.Contains(s.avoid, f.Seq) || f.Seq >= len(c.methods):
			s.try = false
			why = append(why, "trying its methods "+strings.Replace(f.Reason, "ends", "ended", 1))
		default:
			s.avoid = append(s.avoid, f.Seq)
			why = append(why, fmt.Sprintf("method %s was not tried, since it %s", c.methods[f.Seq].GoName, f.Reason))
		}
	}
}

// open makes the keeper.
func (s *space) open(ctx context.Context) (kept states.Kept, err error) {
	b := s.request(driver.KeepOpen)
	b = driver.AppendNumber(b, len(s.avoid))
	for _, m := range s.avoid {
		b = driver.AppendNumber(b, m)
	}
	b = driver.AppendNumber(b, int(one(s.try)))
	life := s.client.back.life() // the process may be at its end with its reply
	reply, err := s.client.back.ask(ctx, b)
	s.life, s.sent, s.theirs = life, 0, nil
	for i := range s.own {
		s.own[i] = -1
	}
	if err != nil {
		return kept, err
	}
	var k driver.Kept
	if err := json.Unmarshal(reply, &k); err != nil {
		return kept, err
	}
	return states.Kept{Copied: k.Copied, Interned: k.Interned, Why: k.Why}, nil
}

func one(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (s *space) request(op int) []byte {
	return driver.AppendNumber(driver.AppendNumber(nil, op), s.id)
}

// wrap says where an error is from, unless it is the context's.
func (s *space) wrap(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("reference: %w", err)
}

// Kept says how states are kept.
func (s *space) Kept() states.Kept { return s.kept }

// Start is the state of a new object.
func (s *space) Start() int32 { return 0 }

// Answer is an answer by its number.
func (s *space) Answer(n int32) states.Answer { return s.answers[n] }

// Close forgets the states.
func (s *space) Close() error {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	s.steps, s.links, s.full = nil, nil, true
	if s.client.back.life() != s.life {
		return nil
	}
	_, err := s.client.back.ask(context.Background(), s.request(driver.KeepClose))
	return err
}

// Call numbers a call; see states.Space.
func (s *space) Call(l *history.Label) (int32, error) {
	method := slices.IndexFunc(s.client.methods, func(m Method) bool { return m.Name == l.Method && len(m.Args) == len(l.Args) })
	if method < 0 {
		return 0, fmt.Errorf("reference: %s has no method %q with %d arguments", s.client.name, l.Method, len(l.Args))
	}
	m := &s.client.methods[method]
	b := driver.AppendNumber(nil, method)
	claim, possible := []byte(nil), true
	if s.acceptor {
		claim, possible = claimed(m, l)
		b = append(b, claim[:min(len(claim), 1)]...)
	}
	for i, v := range l.Args {
		text, ok := m.Params[i].Text(string(v))
		if !ok {
			return 0, fmt.Errorf("reference: the log has %q where %s takes %s", v, m.Name, m.Args[i])
		}
		b = driver.AppendValue(b, 0, text)
	}
	if s.acceptor && possible {
		b = append(b, claim[1:]...)
	}
	key := string(b)
	if !possible {
		key = fmt.Sprintf("impossible %q %q %q", b, l.Outcome, l.Rets)
	}
	if n, ok := s.numbers[key]; ok {
		return n, nil
	}
	n := int32(len(s.calls))
	c := stateCall{code: b, wire: -1, call: Call{Method: method, Values: l.Args}, label: *l}
	if possible {
		c.wire = int32(len(s.wired))
		s.wired = append(s.wired, n)
	}
	s.calls, s.numbers[key] = append(s.calls, c), n
	return n, nil
}

// claimed is the outcome, in a byte, and the results of a label; false if its
// method cannot answer so.
func claimed(m *Method, l *history.Label) ([]byte, bool) {
	o := slices.IndexFunc(m.Outcomes, func(o OutcomeArity) bool { return o.Outcome == l.Outcome && o.Rets == len(l.Rets) })
	if o < 0 {
		return nil, false
	}
	b := []byte{byte(o)}
	for i, v := range l.Rets {
		text, ok := m.Results[i].Text(string(v))
		if !ok {
			return nil, false
		}
		b = driver.AppendValue(b, 0, text)
	}
	return b, true
}

func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// Step makes a call in a state; see states.Space.
func (s *space) Step(ctx context.Context, state, call int32, ahead func() []states.Ahead) (next, answer int32, err error) {
	if v, ok := s.steps[pair(state, call)]; ok {
		return int32(v >> 32), int32(uint32(v)), nil
	}
	if s.full {
		return 0, 0, states.ErrMemory
	}
	c := &s.calls[call]
	if c.wire < 0 {
		return state, s.blocked, nil
	}
	if err := s.faults[pair(state, call)]; err != nil {
		return 0, 0, err
	}
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	err = s.ask(ctx, state, call, ahead)
	var f *driver.Fault
	if errors.As(err, &f) && f.Reason != driver.Uncopied && (f.Seq != int(state) || f.At != int(c.wire)) {
		s.avoidAhead(f)
		err = s.ask(ctx, state, call, nil) // what is ahead may never be asked for
	}
	switch {
	case errors.Is(err, states.ErrMemory):
		s.full = true
		return 0, 0, err
	case errors.As(err, &f) && f.Reason == driver.Uncopied:
		s.full = true
		return 0, 0, s.distrust(f)
	case errors.As(err, &f):
		s.risky[c.call.Method] = s.risky[c.call.Method] || f.Reason != driver.Panics
		told := s.fault(f, state, call)
		s.faults[pair(state, call)] = told
		return 0, 0, told
	case err != nil:
		return 0, 0, s.wrap(ctx, err)
	}
	v, ok := s.steps[pair(state, call)]
	if !ok {
		return 0, 0, errors.New("reference: malformed message")
	}
	return int32(v >> 32), int32(uint32(v)), nil
}

// distrust gives up on copies and texts, which did well when they were tried, for
// all spaces to come. What this one answered may be wrong.
func (s *space) distrust(f *driver.Fault) error {
	call := int32(-1)
	if f.At >= 0 && f.At < len(s.wired) {
		call = s.wired[f.At]
	}
	if f.Seq < 0 || f.Seq >= len(s.links) {
		f.Seq = 0
	}
	told := s.fault(f, int32(f.Seq), call)
	s.client.distrusted = append(s.client.distrusted, "copies of its objects were wrong: "+told.Error())
	return fmt.Errorf("the states of the reference were not kept right; try again: %s", told)
}

// avoidAhead notes which method must not be called ahead: all, if it is not known.
func (s *space) avoidAhead(f *driver.Fault) {
	for m := range s.risky {
		if f.Seq == unknown || f.At >= 0 && f.At < len(s.wired) && s.calls[s.wired[f.At]].call.Method == m {
			s.risky[m] = true
		}
	}
}

// Text is a state in words.
func (s *space) Text(ctx context.Context, state int32) (string, error) {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	if err := s.alive(ctx); err != nil {
		return "", s.wrap(ctx, err)
	}
	reply, err := s.client.back.ask(ctx, driver.AppendNumber(s.request(driver.KeepText), int(state)))
	var f *driver.Fault
	if errors.As(err, &f) {
		return "", s.fault(f, state, -1)
	}
	return string(reply), s.wrap(ctx, err)
}

// fault puts a fault of a call in a state into words, with the calls that led there.
func (s *space) fault(f *driver.Fault, state, call int32) *Fault {
	var path []int32
	if call >= 0 {
		path = append(path, call)
	}
	for ; state > 0; state = s.links[state].state {
		path = append(path, s.links[state].call)
	}
	slices.Reverse(path)
	told := *f
	if told.At >= 0 {
		told.At = len(path) - 1
	}
	return faultOf(&told, s.client.base, s.client.called, func(int) string {
		if !s.acceptor {
			var calls []Call
			for _, c := range path {
				calls = append(calls, s.calls[c].call)
			}
			return drawCalls(calls, s.client.description)
		}
		var labels []history.Label
		for _, c := range path {
			labels = append(labels, s.calls[c].label)
		}
		return history.Sequential(labels...).String()
	})
}
