package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
)

// unlike says that answers depend on more than which values are equal.
type unlike struct{ why string }

func (u *unlike) Error() string { return u.why }

// refine learns from a word about whose last answer, and no other, the hypothesis is
// wrong. What is only moved is fresh in it. It goes on from the word of a location as from the
// beginning of w until that makes a difference, and has the shape of what
// comes then tell two locations apart ("Inference of finite automata using homing
// sequences", Rivest and Schapire).
func (t *table) refine(ctx context.Context, h *hypothesis, w []step) error {
	answers, err := t.ask(ctx, [][]step{w})
	if err != nil {
		return err
	}
	at := []configuration{h.start()}
	for i, s := range w[:len(w)-1] {
		c := at[len(at)-1]
		e := t.edge(h, c, s)
		if e == nil || e.waits {
			return &unlike{"a call that should wait does not"}
		}
		at = append(at, e.follow(c, s, &answers[0].Labels[i]))
	}
	truth, err := t.after(ctx, configuration{}, nil, w, 0)
	if err != nil {
		return err
	}
	same := func(i int) (bool, error) {
		got, err := t.after(ctx, at[i], h.locations[at[i].at].node, w[i:], i)
		return err == nil && got[len(got)-1] == truth[len(truth)-1], err
	}
	if ok, err := same(0); err != nil {
		return err
	} else if !ok {
		return t.addNew(w, 0)
	}
	low, high := 0, len(w)-1 // it is the same from low, and not from high
	for high-low > 1 {
		mid := (low + high) / 2
		ok, err := same(mid)
		if err != nil {
			return err
		}
		if ok {
			low = mid
		} else {
			high = mid
		}
	}
	n := h.locations[at[low].at].node
	differ := func(rest []item) (bool, error) {
		steps := pack(rest, high)
		one, err := t.after(ctx, at[low], n, append([]step{w[low]}, steps...), low)
		if err != nil {
			return false, err
		}
		two, err := t.after(ctx, at[high], h.locations[at[high].at].node, steps, high)
		return err == nil && !slices.Equal(one[1:], two), err
	}
	var rest []item
	for i := high; i < len(w); i++ {
		rest = append(rest, item{w[i], i})
	}
	rest, err = teacher.Shorten(rest, differ)
	if err != nil {
		return err
	}
	return t.addNew(pack(rest, high), high)
}

// addNew adds a shape, which cannot be known.
func (t *table) addNew(steps []step, base int) error {
	if !t.add(t.shapeOf(steps, base)) {
		return &unlike{"answers depend on more than which values are equal"}
	}
	return nil
}

// after is what the reference answers to steps after the word of a node, in the
// values of a configuration that stands for it. Without a node, it is what it
// answers to the steps. The first of them is at base in the word of the configuration.
func (t *table) after(ctx context.Context, c configuration, n *node, steps []step, base int) ([]string, error) {
	to, back := map[history.Value]history.Value{}, map[history.Value]history.Value{}
	word := steps
	if n != nil {
		word = slices.Clone(n.steps)
		for i, v := range c.registers {
			to[v], back[n.memory[i]] = n.memory[i], v
		}
		fresh := t.fresh(n.values)
		for _, s := range steps {
			args := slices.Clone(s.args)
			for p, v := range args {
				if !t.letters[s.letter].free[p] {
					continue
				}
				if at, r := place(v); at >= base {
					args[p] = symbol(len(n.steps)+at-base, r)
					continue
				}
				if _, ok := to[v]; !ok {
					to[v] = fresh.next(t.sort(s.letter, p))
					back[to[v]] = v
				}
				args[p] = to[v]
			}
			word = append(word, step{s.letter, args})
		}
	}
	answers, err := t.ask(ctx, [][]step{word})
	if err != nil {
		return nil, err
	}
	var texts []string
	for i := range steps {
		at := len(word) - len(steps) + i
		if at >= len(answers[0].Labels) {
			texts = append(texts, "waits")
			continue
		}
		l := &answers[0].Labels[at]
		text := string(l.Outcome)
		for _, v := range l.Rets {
			if b, ok := back[v]; ok {
				v = b
			} else if made, r := place(v); made >= 0 {
				v = symbol(made-len(word)+len(steps)+base, r)
			}
			text += fmt.Sprintf(" %q", v)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// freshBeside are values that neither a word nor the start has.
func (t *table) freshBeside(w []step) *freshValues {
	used := map[history.Value]bool{}
	for _, v := range t.initial {
		used[v] = true
	}
	for _, s := range w {
		for _, v := range s.args {
			used[v] = true
		}
	}
	return t.fresh(used)
}

// unique is a word in which what is only moved is fresh, and what its answers are if
// that is so; then moved is not what it seemed to be unless the reference gives them.
func (t *table) unique(w []step) (u []step, back map[history.Value]history.Value) {
	fresh, back := t.freshBeside(w), map[history.Value]history.Value{}
	for _, s := range w {
		args := slices.Clone(s.args)
		for p, v := range args {
			if t.letters[s.letter].free[p] && !t.compared(s.letter, p) {
				args[p] = fresh.next(t.sort(s.letter, p))
				back[args[p]] = v
			}
		}
		u = append(u, step{s.letter, args})
	}
	return u, back
}

// sameBut reports whether the answers of a word are those of another one with its
// values named otherwise.
func sameBut(a, b teacher.Answers, back map[history.Value]history.Value) bool {
	return a.Blocks == b.Blocks && slices.EqualFunc(a.Labels, b.Labels, func(x, y history.Label) bool {
		return x.Kind == y.Kind && slices.EqualFunc(x.Rets, y.Rets, func(v, u history.Value) bool {
			if o, ok := back[u]; ok {
				u = o
			}
			return u == v
		})
	})
}
