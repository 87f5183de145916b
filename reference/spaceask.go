package reference

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/states"
)

// ask has the keeper make steps and notes them.
func (s *space) ask(ctx context.Context, state, call int32, ahead func() []states.Ahead) error {
	err := s.askOnce(ctx, state, call, ahead)
	for err == errAnew {
		err = s.askOnce(ctx, state, call, ahead)
	}
	return err
}

func (s *space) askOnce(ctx context.Context, state, call int32, ahead func() []states.Ahead) error {
	if err := s.alive(ctx); err != nil {
		return err
	}
	var soon []states.Ahead
	if ahead != nil {
		soon = ahead()
	}
	soon = soon[:min(len(soon), driver.MaxAhead)]
	b := s.announce(s.request(driver.KeepStep))
	b = driver.AppendNumber(b, aheadPairs)
	b = driver.AppendNumber(driver.AppendNumber(b, int(state)), int(s.calls[call].wire))
	b = driver.AppendNumber(b, len(soon))
	for i := range soon {
		b = s.appendAhead(b, &soon[i])
	}
	reply, err := s.client.back.ask(ctx, b)
	if err == nil || errors.As(err, new(*driver.Fault)) { // the keeper has heard of the calls
		s.sent = len(s.wired)
	}
	if err != nil {
		return err
	}
	return s.note(driver.NewReader(reply))
}

// appendAhead appends a call ahead, and what is known of it.
func (s *space) appendAhead(b []byte, a *states.Ahead) []byte {
	wire := int32(-1)
	if a.Call >= 0 && !s.risky[s.calls[a.Call].call.Method] {
		wire = s.calls[a.Call].wire
	}
	b = s.appendExpected(driver.AppendNumber(b, int(wire)+1), a.Claim)
	return driver.AppendSet(driver.AppendNumber(b, int(one(a.Idle))), a.After)
}

// appendExpected appends a claimed answer as the keeper knows it.
func (s *space) appendExpected(b []byte, claim *history.Label) []byte {
	if claim == nil {
		return driver.AppendNumber(b, driver.AnyAnswer)
	}
	s.text = appendAnswer(s.text[:0], claim.Outcome, claim.Rets)
	if n, ok := s.answerNum[string(s.text)]; ok && s.own[n] >= 0 {
		return driver.AppendNumber(b, driver.FirstAnswer+int(s.own[n]))
	}
	return driver.AppendBytes(driver.AppendNumber(b, driver.TextAnswer), s.text)
}

// announce appends the calls that the keeper does not know.
func (s *space) announce(b []byte) []byte {
	b = driver.AppendNumber(b, len(s.wired)-s.sent)
	for _, n := range s.wired[s.sent:] {
		b = append(b, s.calls[n].code...)
	}
	return b
}

// alive sees to it that there is a keeper: a new one makes all states of one that
// is gone.
func (s *space) alive(ctx context.Context) error {
	if s.client.back.life() == s.life {
		return nil
	}
	kept, err := s.open(ctx)
	if err == nil && s.client.back.life() != s.life { // a new process has no calls that wait
		kept, err = s.open(ctx)
	}
	if err != nil {
		return err
	}
	if kept.Copied != s.kept.Copied || kept.Interned != s.kept.Interned {
		return errors.New("states cannot be kept as before")
	}
	b := s.announce(s.request(driver.KeepAgain))
	b = driver.AppendNumber(b, len(s.links)-1)
	for _, l := range s.links[1:] {
		b = driver.AppendNumber(driver.AppendNumber(b, int(l.state)), int(s.calls[l.call].wire))
	}
	if _, err := s.client.back.ask(ctx, b); err != nil {
		return err
	}
	s.sent = len(s.wired)
	return nil
}

// note reads the keeper's reply.
func (s *space) note(in *driver.Reader) error {
	if in.Number() == 1 && in.Err == nil {
		return states.ErrMemory
	}
	for n := in.Count(); n > 0 && in.Err == nil; n-- {
		raw := in.Bytes()
		a, err := s.decode(driver.NewReader(raw))
		if err != nil {
			return err
		}
		number := s.answerNumber(a)
		s.own[number] = int32(len(s.theirs))
		s.theirs = append(s.theirs, number)
	}
	for in.Err == nil && in.More() {
		from, wire, next, answer := in.Number(), in.Number(), in.Number(), in.Number()
		if from >= len(s.links) || wire >= len(s.wired) || next > len(s.links) || answer >= len(s.theirs) {
			return errors.New("malformed message")
		}
		call := s.wired[wire]
		if next == len(s.links) {
			s.links = append(s.links, link{int32(from), call})
		}
		s.steps[pair(int32(from), call)] = pair(int32(next), s.theirs[answer])
	}
	if len(s.steps) > maxSteps {
		s.full = true
	}
	return in.Err
}

// decode reads an answer of the keeper's.
func (s *space) decode(in *driver.Reader) (a states.Answer, err error) {
	a.Outcome = history.Outcome(in.Bytes())
	a.Blocked = a.Outcome == ""
	for in.Err == nil && in.More() {
		_, text := in.Value()
		a.Rets = append(a.Rets, history.Value(driver.LogText(text)))
	}
	return a, in.Err
}

// answerNumber numbers an answer.
func (s *space) answerNumber(a states.Answer) int32 {
	key := string(appendAnswer(nil, a.Outcome, a.Rets))
	n, ok := s.answerNum[key]
	if !ok {
		n = int32(len(s.answers))
		s.answers, s.own, s.answerNum[key] = append(s.answers, a), append(s.own, -1), n
	}
	return n
}

// appendAnswer appends the text of an answer; one that blocks has no outcome.
func appendAnswer(b []byte, o history.Outcome, rets []history.Value) []byte {
	b = driver.AppendBytes(b, o)
	for _, v := range rets {
		b = driver.AppendBytes(b, v)
	}
	return b
}
