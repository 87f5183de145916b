package views

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// action is a machine.Action of threads of a key's views, and what it announces.
type action struct {
	*machine.Action
	obs    int32 // after it, if there are no messages
	plain  bool  // there are none, and no announcements for partners
	call   int32 // the actor's, and its status before the step
	status status
	sent   []machine.Sent
	actors []actor
	moves  []map[[2]int32]bool // by event: how receivers of a message move the observer
}

// actor is what becomes of a thread that makes an action.
type actor struct {
	next   machine.View
	answer int32
}

// expand makes a view's own steps.
func (p *Proof) expand(k *key, i int) error {
	p.load(k, i)
	running, before := p.viewer.Running(), k.views[i].status()
	p.begins = -1
	err := p.viewer.Steps(func(s *machine.ViewStep) error {
		p.begins = s.Call
		if s.Fault != nil {
			return &Finding{Text: s.Fault.Error(), Pos: s.Fault.Pos, Fault: s.Fault}
		}
		call, now := running, before
		if s.Call >= 0 {
			call, now = s.Call, idle
		}
		if slices.ContainsFunc(s.Events, func(e machine.Sent) bool { return e.Call < 0 || e.Partner }) {
			return p.send(k, s, call, now)
		}
		obs := k.obs
		for _, e := range s.Events {
			var err error
			if p.Observer != nil {
				if obs, now, err = p.announce(obs, now, e.Call, e.Answer); err != nil {
					return placed(err, e.Pos)
				}
			}
		}
		next, err := p.end(s.Answer, now)
		if err != nil {
			return err
		}
		if !p.within(s.Next) {
			return nil
		}
		p.add(obs, s.Next, next)
		if s.Action.Changes || obs != k.obs {
			a := &action{Action: s.Action, obs: obs, plain: true}
			a.Always = obs != k.obs
			p.act(k, a, binary.LittleEndian.AppendUint32(s.Action.Sum, uint32(obs)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.begins = -1
	return p.race(k)
}

// end is the status after a step that answers, or that does not: -1.
func (p *Proof) end(answer int32, s status) (status, error) {
	if answer < 0 {
		return s, nil
	}
	return idle, p.returns(s, answer)
}

// placed is an error with a place.
func placed(err error, pos int32) error {
	var f *Finding
	if errors.As(err, &f) && f.Pos == 0 {
		f.Pos = pos
	}
	return err
}

// within reports whether the cap allows a view.
func (p *Proof) within(v machine.View) bool {
	if p.options.Cap > 0 && v.Objects > p.options.Cap {
		p.stats.Cut++
		return false
	}
	p.stats.Objects = max(p.stats.Objects, v.Objects)
	return true
}

// act notes an action of a key, which other views may know already.
func (p *Proof) act(k *key, a *action, name []byte) *action {
	if known := k.known[string(name)]; known != nil {
		return known
	}
	k.known[string(name)] = a
	k.actions = append(k.actions, a)
	p.stats.Actions++
	p.stats.Bytes += int64(2*len(name)) + aboutAction
	return a
}

// race looks for a race between the next steps of the view that was expanded and those of
// others.
func (p *Proof) race(k *key) error {
	x := p.viewer.Accesses()
	if k.accesses[x.Sum] != nil {
		return nil
	}
	k.accesses[x.Sum] = x
	for _, y := range k.accesses {
		if x.Plain || y.Plain {
			if f := p.viewer.Race(x, y); f != nil {
				return &Finding{Text: f.Error(), Pos: f.Pos, Also: f.Also, Fault: f}
			}
		}
	}
	return nil
}

// apply changes a view, which was loaded, as an action does.
func (p *Proof) apply(k *key, i int, a *action) error {
	s := k.views[i].status()
	err := p.viewer.Apply(a.Action, func() error {
		p.stats.Applied++
		if !a.plain {
			if err := p.receive(k, a, s); !errors.Is(err, machine.ErrDropped) {
				return err
			}
			return nil
		}
		if v := p.viewer.Result(); p.within(v) {
			p.add(a.obs, v, s)
		}
		return nil
	})
	if f := (*machine.Fault)(nil); errors.As(err, &f) {
		return &Finding{Text: f.Error(), Pos: f.Pos, Fault: f}
	}
	return err
}
