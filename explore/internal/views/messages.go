package views

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// send notes a step with a message, or an announcement for a partner: what becomes of its own view
// depends on the moves of others.
func (p *Proof) send(k *key, s *machine.ViewStep, call int32, now status) error {
	next := s.Next
	next.Global, next.Thread = slices.Clone(next.Global), slices.Clone(next.Thread)
	if !p.within(next) {
		return nil
	}
	a := &action{Action: s.Action, call: call, status: now, sent: slices.Clone(s.Events), moves: make([]map[[2]int32]bool, len(s.Events))}
	a.Always = true
	name := append(s.Action.Sum, now.lin)
	for _, n := range []int32{call, now.answer, s.Answer} {
		name = binary.LittleEndian.AppendUint32(name, uint32(n))
	}
	for i := range s.Events {
		e := &s.Events[i]
		for _, n := range []int32{e.Call, e.Answer} {
			name = binary.LittleEndian.AppendUint32(name, uint32(n))
		}
	}
	a = p.act(k, a, name)
	x := actor{next, s.Answer}
	a.actors = append(a.actors, x)
	return p.outcomes(k, a, x)
}

// sender is the observer's state and the status of a thread while its events come one after
// the other.
type sender struct {
	obs int32
	status
}

// outcomes notes what may become of a thread that makes an action with messages.
func (p *Proof) outcomes(k *key, a *action, x actor) error {
	now, message := []sender{{k.obs, a.status}}, -1
	for i := range a.sent {
		e := &a.sent[i]
		if e.Call < 0 {
			message = i
		}
		var then []sender
		for _, s := range now {
			var err error
			if e.Call >= 0 {
				if s, err = p.event(e, s); err != nil {
					return err
				}
			}
			all := []int32{s.obs}
			if e.Call < 0 || e.Reply {
				if all, err = a.reached(message, s.obs); err != nil {
					return err
				}
			}
			for _, obs := range all {
				if x := (sender{obs, s.status}); !slices.Contains(then, x) {
					then = append(then, x)
				}
			}
		}
		now = then
	}
	for _, s := range now {
		to, err := p.end(x.answer, s.status)
		if err != nil {
			return err
		}
		p.add(s.obs, x.next, to)
	}
	return nil
}

// event is an announcement of the sender, or for a partner of it, whose status is not known.
func (p *Proof) event(e *machine.Sent, s sender) (sender, error) {
	if p.Observer == nil {
		return s, nil
	}
	var err error
	if e.Partner {
		s.obs, _, err = p.announce(s.obs, idle, e.Call, e.Answer)
	} else {
		s.obs, s.status, err = p.announce(s.obs, s.status, e.Call, e.Answer)
	}
	return s, placed(err, e.Pos)
}

// mostReached is how many states those may reach that receive a message.
const mostReached = 64

// reached are the states of the observer to which others may have moved it that receive a message.
func (a *action) reached(i int, obs int32) ([]int32, error) {
	all := []int32{obs}
	for n := 0; n < len(all); n++ {
		for move := range a.moves[i] {
			if move[0] == all[n] && !slices.Contains(all, move[1]) {
				all = append(all, move[1])
			}
		}
		if len(all) > mostReached {
			return nil, &Finding{Text: "goroutines that receive the same message may change the specification's state in too many ways", Pos: a.sent[i].Pos}
		}
	}
	slices.Sort(all)
	return all, nil
}

// receive is what becomes of the view to which an action is applied, if it has messages: one way
// of those that the viewer's choices make.
func (p *Proof) receive(k *key, a *action, mine status) error {
	s, message, at := sender{k.obs, a.status}, -1, -1
	for i := range a.sent {
		e := &a.sent[i]
		var err error
		switch {
		case e.Call < 0:
			message, at = i, i
			if n := a.replies(i); n > 0 && !p.viewer.Answered() {
				at += p.viewer.Choose(n + 1)
			}
		case e.Partner && p.viewer.Owns(a.Action, i) && p.Observer != nil:
			s.obs, mine, err = p.announce(s.obs, mine, e.Call, e.Answer)
			err = placed(err, e.Pos)
		default:
			s, err = p.event(e, s)
		}
		switch {
		case err != nil:
		case i == at:
			s.obs, mine, err = p.message(k, a, message, s.obs, mine)
		case e.Call < 0 || e.Reply:
			s.obs, err = p.others(a, message, s.obs)
		}
		if err != nil {
			return err
		}
	}
	if v := p.viewer.Result(); p.within(v) {
		p.add(s.obs, v, mine)
	}
	return nil
}

// message lets the view receive a message. Others may receive it before and after.
func (p *Proof) message(k *key, a *action, i int, obs int32, mine status) (int32, status, error) {
	obs, err := p.others(a, i, obs)
	if err != nil {
		return 0, mine, err
	}
	announced, err := p.viewer.Deliver(a.Action, i)
	if errors.Is(err, machine.ErrDropped) {
		return 0, mine, err
	}
	if err != nil {
		return 0, mine, &Finding{Text: err.Error(), Pos: a.sent[i].Pos}
	}
	before := obs
	if p.Observer != nil {
		call := p.viewer.Running()
		for _, x := range announced {
			if obs, mine, err = p.announce(obs, mine, call, x.Answer); err != nil {
				return 0, mine, placed(err, x.Pos)
			}
		}
	}
	if move := [2]int32{before, obs}; before != obs && !a.moves[i][move] {
		if a.moves[i] == nil {
			a.moves[i] = map[[2]int32]bool{}
		}
		a.moves[i][move] = true
		k.actions = append(k.actions, a) // once more, for all views
		for _, x := range a.actors {
			if err := p.outcomes(k, a, x); err != nil {
				return 0, mine, err
			}
		}
	}
	obs, err = p.others(a, i, obs)
	return obs, mine, err
}

// others lets others receive a message: one way of those that the viewer's choices make.
func (p *Proof) others(a *action, i int, obs int32) (int32, error) {
	all, err := a.reached(i, obs)
	if err != nil {
		return 0, err
	}
	return all[p.viewer.Choose(len(all))], nil
}

// replies is how many announcements of those come after a message that own what the sender reaches.
func (a *action) replies(i int) (n int) {
	for i+n+1 < len(a.sent) && a.sent[i+n+1].Reply {
		n++
	}
	return n
}
