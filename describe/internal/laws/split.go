package laws

import (
	"cmp"
	"encoding/binary"
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Bounds of the states that observers are to tell apart.
const (
	mostReached   = 1000 // from the first on
	mostPrefixes  = 60   // of sampled runs
	shortPrefix   = 8    // calls of a run that lead there
	mostUniverse  = 3    // values of a parameter
	mostCallsEach = 12   // arguments of a method
)

// split finds the observers with an earlier call that tell states apart.
func (l *learner) split() error {
	u := l.universe()
	states, err := l.reached(u)
	if err != nil {
		return err
	}
	c := &classes{w: l.w, args: func(o *observer) [][]eq.Value { return l.product(u, o) }, all: [][]int32{states}}
	for _, o := range l.unnamed(answers) {
		if _, err := c.refine(o); err != nil {
			return err
		}
	}
	for _, o := range l.candidates() {
		if len(c.all) == 0 || len(l.listed) == mostFirsts {
			break
		}
		some, err := c.refine(o)
		if err != nil {
			return err
		}
		if some {
			l.listed = append(l.listed, o)
		}
	}
	return nil
}

// classes are states that are alike to all observers so far. A state that is like no other
// is left out.
type classes struct {
	w    *world
	args func(*observer) [][]eq.Value
	all  [][]int32
}

// refine splits classes by what an observer is in their states, of some arguments; false:
// it is the same in all states of each.
func (c *classes) refine(o *observer) (some bool, err error) {
	args := c.args(o)
	var keys [][]string
	err = c.w.fill(func() {
		keys = keys[:0]
		for _, states := range c.all {
			own := make([]string, len(states))
			for i, s := range states {
				var b []byte
				for _, a := range args {
					v, _ := c.w.see(s, o, a)
					b = binary.LittleEndian.AppendUint64(b, uint64(v))
				}
				own[i] = string(b)
			}
			keys = append(keys, own)
		}
	})
	var next [][]int32
	for k, states := range c.all {
		parts, order := map[string][]int32{}, []string(nil)
		for i, s := range states {
			key := keys[k][i]
			if parts[key] == nil {
				order = append(order, key)
			}
			parts[key] = append(parts[key], s)
		}
		some = some || len(order) > 1
		for _, key := range order {
			if len(parts[key]) > 1 {
				next = append(next, parts[key])
			}
		}
	}
	c.all = next
	return some, err
}

// universe are some values of each parameter: those that were arguments most often, of all
// parameters of its sort; words of its own.
func (l *learner) universe() [][][]eq.Value {
	type place struct {
		sort   eq.Sort
		method int
		param  int
	}
	at := func(m, i int) place {
		if s := l.params[m][i].Sort; s != eq.Words {
			return place{s, 0, 0}
		}
		return place{eq.Words, m, i}
	}
	count := map[place]map[eq.Value]int{}
	for _, t := range l.first {
		for i, v := range t.args {
			p := at(t.method, i)
			if count[p] == nil {
				count[p] = map[eq.Value]int{}
			}
			count[p][v]++
		}
	}
	all := make([][][]eq.Value, len(l.params))
	for m := range l.params {
		for i := range l.params[m] {
			var vs []eq.Value
			of := count[at(m, i)]
			for v := range of {
				vs = append(vs, v)
			}
			slices.SortFunc(vs, func(a, b eq.Value) int {
				return cmp.Or(of[b]-of[a], l.w.store.Compare(a, b))
			})
			all[m] = append(all[m], vs[:min(len(vs), mostUniverse)])
		}
	}
	return all
}

// product are the arguments of an observer in a universe.
func (l *learner) product(u [][][]eq.Value, o *observer) [][]eq.Value {
	all := [][]eq.Value{nil}
	for i := range o.params {
		m, at := l.paramOf(o, i)
		all = times(all, u[m][at])
	}
	return all
}

func times(all [][]eq.Value, vs []eq.Value) (out [][]eq.Value) {
	for _, args := range all {
		for _, v := range vs {
			out = append(out, append(slices.Clip(args), v))
		}
	}
	return out
}

// reached are states that few calls lead to: all, breadth first, and some of the sample.
func (l *learner) reached(u [][][]eq.Value) ([]int32, error) {
	w := l.w
	var calls []int32
	for m := range w.methods {
		args := [][]eq.Value{nil}
		for i := range l.params[m] {
			args = times(args, u[m][i][:min(len(u[m][i]), 2)])
		}
		if l.pure[m] {
			continue
		}
		for i := 0; i < len(args); i += 1 + len(args)/mostCallsEach {
			if c, ok := w.call(m, args[i]); ok {
				calls = append(calls, c)
			}
		}
	}
	have := map[int32]bool{w.space.Start(): true}
	states := []int32{w.space.Start()}
	add := func(s int32, most int) {
		if !have[s] && len(states) < most {
			have[s] = true
			states = append(states, s)
		}
	}
	for from := 0; from < len(states) && len(states) < mostReached; {
		front := states[from:]
		from = len(states)
		err := w.fill(func() {
			for _, s := range front {
				for _, c := range calls {
					w.step(s, c)
				}
			}
		})
		if err != nil {
			return nil, err
		}
		for _, s := range front {
			for _, c := range calls {
				add(w.steps[uint64(s)<<32|uint64(c)].next, mostReached)
			}
		}
	}
	for _, t := range l.first {
		path := t.run.path
		for i := range path[:min(len(path), shortPrefix)] {
			add(path[i].to, mostReached+mostPrefixes)
		}
	}
	return states, nil
}
