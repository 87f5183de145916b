package laws

import (
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
		} else {
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
				return o.method == m && o.part == k && o.first < 0 && o.repeat < 0 && !o.large
			}))
		}
		s.Methods = append(s.Methods, me)
	}
	return s
}

func (l *learner) how(o *observer) eq.How {
	h := eq.How{Method: l.w.methods[o.method].Name, Part: o.part, Large: o.large}
	if o.first >= 0 {
		h.First = l.w.methods[o.first].Name
	}
	if o.repeat >= 0 {
		h.Repeat = l.w.methods[o.repeat].Name
	}
	return h
}

// Bounds of a replay.
const (
	replays   = 12 // samples that must be right one after the other
	replaying = 30 // samples, at most
)

// replay answers fresh runs from the laws alone. Where an answer is wrong the law that is
// to blame gets an example, and is found again. Why says why the laws do not do.
func (l *learner) replay(s *eq.Set) (why string, err error) {
	right := 0
	for k := range replaying {
		sampled := proving
		sampled.seed, sampled.calls = 1000+uint64(k), 60
		runs, err := l.w.sample(sampled)
		if err != nil {
			return "", err
		}
		wrong := false
		for _, r := range runs {
			m := eq.NewMachine(s)
			bad, at, err := l.replayed(m, r)
			if err != nil {
				return err.Error(), nil
			}
			if at < 0 {
				continue
			}
			wrong = true
			mended, err := l.blame(s, r, at, bad)
			if err != nil {
				return "", err
			}
			if !mended {
				return fmt.Sprintf("%s is answered otherwise after %d calls", l.w.methods[r.path[at].method].Name, at), nil
			}
			*s = *l.set()
			if !s.Closed() {
				return "some answers do not follow from what was seen before", nil
			}
		}
		if wrong {
			right = 0
		} else if right++; right == replays {
			return "", nil
		}
	}
	return "laws were wrong in one sample after the other", nil
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
// mends the law that it followed from.
func (l *learner) blame(s *eq.Set, r *run, at int, st *eq.State) (mended bool, err error) {
	type seen struct {
		observer int
		args     []eq.Value
		v        eq.Value
		call     int // after which; -1: at first
	}
	var all []seen
	place := map[*eq.State]int{}
	n := -1
	calls := []int{}
	for i := 0; i < at; i++ {
		if !l.pure[r.path[i].method] {
			calls = append(calls, i)
		}
	}
	st.Told(func(state *eq.State, o int, args []eq.Value, v eq.Value) {
		if _, ok := place[state]; !ok {
			n = state.Depth()
			place[state] = n
		}
		call := -1
		if d := place[state]; d > 0 {
			call = calls[d-1]
		}
		all = append(all, seen{o, args, v, call})
	})
	want := make([]eq.Value, len(all))
	in := func(call int) int32 {
		if call < 0 {
			return l.w.space.Start()
		}
		return r.path[call].to
	}
	if err := l.w.fill(func() {
		for i, x := range all {
			want[i], _ = l.w.see(in(x.call), x.observer, l.all[x.observer], x.args)
		}
	}); err != nil {
		return false, err
	}
	for i := range all {
		x := &all[i]
		if want[i] == x.v {
			continue
		}
		if l.derived[x.observer] != nil { // what it follows from in the same state may be wrong
			p := l.derived[x.observer]
			row := row{vars: x.args, state: in(x.call), target: want[i]}
			if v, known := p.evalLaw(&p.law, &row); known && v != want[i] {
				return l.learnt(p, row)
			}
			continue
		}
		if want[i] == eq.Undefined {
			continue
		}
		p := l.start[x.observer]
		row := row{vars: x.args, state: in(x.call), target: want[i]}
		if x.call >= 0 {
			t := &r.path[x.call]
			p = l.after[[2]int{t.method, x.observer}]
			row.vars, row.state = slices.Concat(t.args, t.answer, x.args), t.from
		}
		return l.learnt(p, row)
	}
	return false, nil
}

// learnt finds a law again, with one more example.
func (l *learner) learnt(p *problem, r row) (bool, error) {
	p.rows = append(p.rows, r)
	if err := p.find(); err != nil {
		return false, err
	}
	return p.law.Total(), nil
}
