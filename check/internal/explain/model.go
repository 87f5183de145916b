package explain

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// Model asks a model that is searched: for an order in which the last operation answers
// anything but what is known already, until there is none.
type Model struct {
	Searched wgl.Model
	wgl.Answerer

	Open  func(call *history.Label) bool                           // it may answer more than Answers and Claims list
	Blind bool                                                     // so may it where Answers lists nothing
	All   func(call *history.Label) (all []history.Label, ok bool) // what it may answer, in whatever state; not ok: very much
	Text  func(s wgl.State) string                                 // a state in words
	Lists func(l *history.Label) bool                              // it counts as an answer; nil: all do

	told bool // an order
}

// Bounds of a list, and of what is tried one by one.
const (
	mostAnswers = 16
	mostClaims  = 300
)

// open is the outcome of an operation that may answer anything.
const open history.Outcome = "?"

var errMany = errors.New("it may answer very many things")

// Possible searches the model.
func (m *Model) Possible(ctx context.Context, e *history.Execution) (a Answers, err error) {
	last := Last(e)
	if k, ok := m.Searched.(wgl.Keyed); ok {
		key, id := k.Key(&e.Ops[last].Label), e.Ops[last].ID
		e = ground.Part(e, func(i int) bool { return k.Key(&e.Ops[i].Label) == key })
		last = slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == id })
	}
	w := &wildcard{Model: m.Searched, asked: m}
	if a, done, err := m.oneOrder(ctx, w, e, last); done {
		return a, err
	}
	own := *e
	own.Ops = slices.Clone(e.Ops)
	o := &own.Ops[last]
	call := history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args}
	for {
		o.Label = history.Label{Kind: history.Kind{Method: call.Method, Outcome: open}, Args: call.Args}
		r, err := wgl.Check(ctx, w.searched(), &own, wgl.Options{})
		switch {
		case err != nil:
			return a, err
		case !r.Linearizable && len(a.Labels) > 0:
			return m.oneByOne(ctx, a, w, &own, last)
		case !r.Linearizable && (r.Prefix < own.Events || r.Upper):
			return a, r.Ended
		case !r.Linearizable:
			a.Fits = true
			if err := m.tell(&a, w, own.Prefix(own.Events-1), r.Order); err != nil {
				return a, err
			}
			return m.oneByOne(ctx, a, w, &own, last)
		case len(w.known) == mostAnswers:
			return a, errMany
		}
		if err := m.found(&a, w, &own, last, r.Order); err != nil {
			return a, err
		}
		if len(a.Labels) == len(w.known) {
			return a, errMany
		}
		w.known = a.Labels
	}
}

// found adds the answer that the last operation gives in an order of all operations.
func (m *Model) found(a *Answers, w *wildcard, e *history.Execution, last int, order []int32) error {
	running := e.Prefix(e.Events - 1)
	running.Ops[last].Outcome = open
	ops, _, err := wgl.Complete(w, running, order)
	if err != nil {
		return err
	}
	at := slices.Index(order, int32(last))
	if at < 0 {
		return errMany // it has not returned, and takes no effect in this order
	}
	a.Fits, a.Labels = true, sorted(append(a.Labels, ops[at].Label))
	if at == len(ops)-1 {
		order = order[:at]
	}
	return m.tell(a, w, running, order)
}

// oneOrder is Possible where no operations overlap: there is nothing to search.
func (m *Model) oneOrder(ctx context.Context, w *wildcard, e *history.Execution, last int) (a Answers, done bool, err error) {
	for i := range e.Ops {
		if !e.Ops[i].Completed() || e.Ops[i].Return != e.Ops[i].Call+1 {
			return a, false, nil
		}
	}
	s := m.Searched.Init()
	for i := range last {
		var ok bool
		if s, ok = w.StepAhead(s, &e.Ops[i].Label, func() []wgl.Soon { return next(e.Ops[i:]) }); !ok {
			return a, true, cmp.Or(ctx.Err(), w.Err())
		}
		if i%64 == 0 && ctx.Err() != nil {
			return a, true, ctx.Err()
		}
	}
	call := history.Label{Kind: history.Kind{Method: e.Ops[last].Method, Outcome: open}, Args: e.Ops[last].Args}
	a.Fits, a.Labels = true, sorted(w.Answers(s, &call))
	a.Open = w.blind || m.Open(&call)
	if !m.told {
		m.told, a.Order, a.State = true, e.Ops[:last], m.Text(s)
	}
	return a, true, cmp.Or(ctx.Err(), w.Err())
}

// next is some operations that come one after the other.
func next(ops []history.Operation) []wgl.Soon {
	soon := make([]wgl.Soon, min(len(ops), mostNext))
	for k := range soon {
		soon[k].After = 1<<k - 1
		if soon[k].Label = &ops[k].Label; ops[k].Outcome == open {
			soon[k].Label = nil
		}
	}
	return soon
}

// mostNext is how many operations a model is told of at most.
const mostNext = 60

// tell adds an order to answers, if none was told yet.
func (m *Model) tell(a *Answers, w *wildcard, e *history.Execution, order []int32) error {
	if m.told {
		return nil
	}
	ops, state, err := wgl.Complete(w, e, order)
	if err == nil {
		m.told, a.Order, a.State = true, ops, m.Text(state)
	}
	return err
}

// oneByOne tries what was not, if several answers may come in one state.
func (m *Model) oneByOne(ctx context.Context, a Answers, w *wildcard, e *history.Execution, last int) (Answers, error) {
	o := &e.Ops[last]
	call := history.Label{Kind: history.Kind{Method: o.Method}, Args: o.Args}
	a.Open = w.blind || m.Open(&call)
	if !w.several {
		return a, nil
	}
	claims, ok := m.All(&call)
	if !ok || len(claims) > mostClaims {
		return a, errMany
	}
	for _, l := range claims {
		if w.knows(&l) {
			continue
		}
		o.Label = l
		r, err := wgl.Check(ctx, m.Searched, e, wgl.Options{})
		if err != nil {
			return a, err
		}
		if r.Linearizable {
			a.Labels = sorted(append(a.Labels, l))
		}
	}
	return a, nil
}

// wildcard is a model in which an operation may answer anything that is not known.
type wildcard struct {
	wgl.Model
	asked   *Model
	known   []history.Label
	several bool // in a state it may answer more than one thing
	blind   bool // in a state it answers something that is not listed
}

// searched is the wildcard as package wgl takes it: a Reader if the model is one.
func (w *wildcard) searched() wgl.Model {
	if r, ok := w.Model.(wgl.Reader); ok {
		return reader{w, r}
	}
	return w
}

type reader struct {
	*wildcard
	of wgl.Reader
}

func (r reader) ReadOnly(l *history.Label) bool { return l.Outcome != open && r.of.ReadOnly(l) }

func (w *wildcard) knows(l *history.Label) bool {
	return slices.ContainsFunc(w.known, func(k history.Label) bool { return k.Kind == l.Kind && slices.Equal(k.Rets, l.Rets) })
}

// Answers lists what a call may answer; that of the wildcard only what is not known.
func (w *wildcard) Answers(s wgl.State, l *history.Label) []history.Label {
	call := *l
	call.Outcome, call.Rets = history.Pending, nil
	all := w.asked.Answers(s, &call)
	if l.Outcome != open {
		return all
	}
	all = slices.DeleteFunc(all, func(l history.Label) bool {
		_, ok := w.Model.Step(s, &l)
		return !ok || w.asked.Lists != nil && !w.asked.Lists(&l)
	})
	w.blind = w.blind || len(all) == 0 && w.asked.Blind
	all = slices.DeleteFunc(all, func(l history.Label) bool { return w.knows(&l) })
	w.several = w.several || len(all) > 1
	return all
}

// Step is the model's, or for the wildcard any that is allowed.
func (w *wildcard) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	return w.StepAhead(s, l, nil)
}

// StepAhead is Step, with calls that will be made soon.
func (w *wildcard) StepAhead(s wgl.State, l *history.Label, ahead func() []wgl.Soon) (wgl.State, bool) {
	if l.Outcome == open {
		for _, l := range w.Answers(s, l) {
			return w.Model.Step(s, &l)
		}
		return nil, false
	}
	a, ok := w.Model.(wgl.Ahead)
	if !ok || ahead == nil {
		return w.Model.Step(s, l)
	}
	return a.StepAhead(s, l, func() []wgl.Soon {
		soon := ahead()
		for i := range soon {
			if soon[i].Label != nil && soon[i].Label.Outcome == open {
				soon[i].Label = nil
			}
		}
		return soon
	})
}

// Branches are those of the model.
func (w *wildcard) Branches(s wgl.State, l *history.Label) []wgl.State {
	if b, ok := w.Model.(wgl.Brancher); ok {
		return b.Branches(s, l)
	}
	if next, ok := w.Model.Step(s, l); ok {
		return []wgl.State{next}
	}
	return nil
}

// Err is the model's, if it may fail.
func (w *wildcard) Err() error {
	if f, ok := w.Model.(wgl.Failing); ok {
		return f.Err()
	}
	return nil
}
