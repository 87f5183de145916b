package laws

import (
	"errors"
	"fmt"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// set is what was found, as laws.
func (l *learner) set() *eq.Set {
	s := &eq.Set{Store: l.w.store}
	for o, ob := range l.all {
		e := eq.Observer{Name: ob.name, Params: ob.params, Sort: ob.sort, How: l.how(ob), After: make([]eq.Law, len(l.w.methods))}
		if p := l.derived[o]; p != nil {
			e.Is = p.law
		} else if l.start[o] != nil {
			e.Start = l.start[o].law
			for m := range l.w.methods {
				if p := l.after[[2]int{m, o}]; p != nil {
					e.After[m] = p.law
				}
			}
		}
		s.Observers = append(s.Observers, e)
	}
	for m := range l.w.methods {
		me := eq.Method{Name: l.w.methods[m].Name, Params: l.params[m], Parts: l.w.parts[m], Pure: l.pure[m]}
		for k := range me.Parts {
			me.Answers = append(me.Answers, slices.IndexFunc(l.all, func(o *observer) bool {
				return o.method == m && o.part == k && o.isAnswer()
			}))
		}
		s.Methods = append(s.Methods, me)
	}
	return s
}

func (l *learner) how(o *observer) eq.How {
	if o.counts {
		return eq.How{}
	}
	h := eq.How{Method: l.w.methods[o.method].Name, Part: o.part}
	switch {
	case o.each:
		h.From = &o.last
	case o.news != nil:
		h.New = &o.news.at
		for _, v := range o.news.given {
			h.Given = append(h.Given, l.w.store.Text(v))
		}
	case o.large:
		h.Last = &o.last
	}
	if o.first != nil {
		h.First = l.firstOf(o)
	}
	if o.from != nil {
		h.Least, h.Word = l.params[o.method][o.from.param].Name, l.w.wordOf(o.from.word)
	}
	if o.repeat >= 0 {
		h.Repeat = l.w.methods[o.repeat].Name
	}
	return h
}

// Bounds of a replay.
const (
	replays   = 24 // samples that must be right one after the other
	replaying = 60 // samples, at most
	phases    = 4  // of a sample
)

// replay answers fresh runs from the laws alone. Where an answer is wrong the law that is
// to blame gets an example, and is found again. Why says why the laws do not do.
func (l *learner) replay(s *eq.Set) (answers int, why string, err error) {
	right := 0
	for k := range replaying {
		l.compared()
		sampled := proving
		sampled.seed, sampled.calls, sampled.phases = 1000+uint64(k), 60, phases
		runs, err := l.sampled(sampled)
		if err != nil {
			return 0, "", err
		}
		wrong := map[*problem][]row{}
		for _, r := range runs {
			bad, at, err := l.replayed(eq.NewMachine(s), r)
			if err != nil {
				return 0, err.Error(), nil
			}
			if at < 0 {
				continue
			}
			p, row, err := l.blame(r, at, bad)
			if err != nil {
				return 0, "", err
			}
			if p == nil {
				return 0, fmt.Sprintf("%s is answered otherwise after %d calls", l.w.methods[r.path[at].method].Name, at), nil
			}
			if wrong[p] = append(wrong[p], row); len(wrong[p]) > mostWrong {
				break
			}
		}
		for _, r := range runs {
			answers += len(r.path)
		}
		if len(wrong) == 0 {
			if right++; right == replays {
				return answers, "", nil
			}
			continue
		}
		right, answers = 0, 0
		switch err := l.learnt(wrong); {
		case errors.Is(err, errOpen):
			return 0, open, nil
		case err != nil:
			return 0, "", err
		}
		if *s = *l.set(); !s.Closed() {
			return 0, open, nil
		}
	}
	return 0, "laws were wrong in one sample after the other", nil
}

// replayed is the state in which the laws first give another answer than a run, and which
// call that is; -1: they do not.
func (l *learner) replayed(m *eq.Machine, r *run) (*eq.State, int, error) {
	st := m.Start()
	for i := range r.path {
		t := &r.path[i]
		got, err := m.Answer(st, t.method, t.args)
		if err != nil {
			return nil, 0, err
		}
		if !slices.Equal(got, t.answer) {
			return st, i, nil
		}
		st = m.After(st, t.method, t.args, t.answer)
	}
	return nil, -1, nil
}

// blame finds the first observation that the laws got wrong on the way to a state, and
// the law that it followed from, with what is right as an example. Nil: there is none.
func (l *learner) blame(r *run, at int, st *eq.State) (*problem, row, error) {
	told := l.told(r, at, st)
	want := make([]eq.Value, len(told))
	in := func(call int) int32 {
		if call < 0 {
			return l.w.space.Start()
		}
		return r.path[call].to
	}
	if err := l.w.fill(func() {
		for i, x := range told {
			if want[i] = x.v; !l.all[x.observer].counts {
				want[i], _ = l.w.see(in(x.call), l.all[x.observer], x.args)
			}
		}
	}); err != nil {
		return nil, row{}, err
	}
	for i, x := range told {
		if want[i] == x.v {
			continue
		}
		p := l.derived[x.observer]
		row := row{vars: x.args, state: in(x.call), target: want[i]}
		if x.call >= 0 {
			row.counts = r.path[x.call+1].counts
		}
		switch {
		case p != nil: // what it follows from in the same state may be wrong instead
			if v, known := p.evalLaw(&p.law, &row); !known || v == want[i] {
				continue
			}
		case x.call < 0:
			p = l.start[x.observer]
		default:
			t := &r.path[x.call]
			p = l.after[[2]int{t.method, x.observer}]
			row.vars, row.state, row.counts = slices.Concat(t.args, t.answer, x.args), t.from, t.counts
		}
		if want[i] != eq.Undefined && p != nil {
			return p, row, nil
		}
	}
	return nil, row{}, nil
}

// observation is what laws say of an observer after a call of a run; -1: at first.
type observation struct {
	observer int
	args     []eq.Value
	v        eq.Value
	call     int
}

// told are the observations that a state's answers follow from, from the first on.
func (l *learner) told(r *run, at int, st *eq.State) (all []observation) {
	var calls []int // by the depth of the state that they lead to
	for i := range at {
		if !l.pure[r.path[i].method] {
			calls = append(calls, i)
		}
	}
	depth := map[*eq.State]int{}
	st.Told(func(state *eq.State, o int, args []eq.Value, v eq.Value) {
		d, ok := depth[state]
		if !ok {
			d = state.Depth()
			depth[state] = d
		}
		call := -1
		if d > 0 {
			call = calls[d-1]
		}
		all = append(all, observation{o, args, v, call})
	})
	return all
}

// learnt finds laws again, with more examples.
func (l *learner) learnt(wrong map[*problem][]row) error {
	for o := range l.all {
		if p := l.derived[o]; p != nil && wrong[p] != nil {
			if err := l.redefined(p, o, wrong[p]); err != nil {
				return err
			}
		}
		ps := []*problem{l.start[o]}
		for m := range l.w.methods {
			ps = append(ps, l.after[[2]int{m, o}])
		}
		for _, p := range ps {
			if rows := wrong[p]; p != nil && rows != nil {
				p.rows = append(p.rows, rows...)
				if err := l.solve(p, o); err != nil {
					return err
				}
			}
		}
	}
	return l.found()
}
