package conform

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/states"
	"github.com/adtinfer/adtinfer/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of a closure.
const (
	mostStates  = 20_000  // of reference and automaton together
	mostCounted = 2_000   // if the automaton has counters
	mostCalls   = 3_000   // in a state
	mostPairs   = 4_096   // of states and calls at a time
	mostCopies  = 64      // states that are reached again with other values
	mostItems   = 1 << 24 // of all objects looked at
	atOnce      = 1 << 14 // of objects at a time
)

// closure explores the states that reference and automaton have together, up to
// renaming of values. In each state it makes all calls whose arguments are values
// that reference or automaton hold, that the automaton names, or new ones. So what
// it has seen in the end is all there is, provided that the reference only compares
// values for equality.
type closure struct {
	*comparison
	*atoms
	space states.Space
	all   []together
	known map[string]int
	extra []int // by state, values that only the reference holds
	size  int   // items of the largest object so far
	items int   // of all objects looked at
}

// together is a state of both.
type together struct {
	object int32
	s      automata.State
	from   int // the state it was first reached from; -1: none
	call   teacher.Call
	live   []atom
	used   [2]int // by class, the last atom that occurs on the way there
	depth  int
}

// errOpen says why there is no closure.
type errOpen struct{ why string }

func (e *errOpen) Error() string { return e.why }

func open(format string, args ...any) error { return &errOpen{fmt.Sprintf(format, args...)} }

// closed explores all states. It returns a difference, if there is one; otherwise
// extent says how many states there are, or why they are not all.
func (c *comparison) closed(ctx context.Context) (*difference, error) {
	d, err := c.close(ctx)
	var o *errOpen
	if errors.As(err, &o) {
		c.extent.Why = o.why
		return nil, nil
	}
	return d, err
}

func (c *comparison) close(ctx context.Context) (*difference, error) {
	keeper, ok := c.impl.(states.Keeper)
	if !ok {
		return nil, open("the reference's states cannot be kept")
	}
	a, err := newAtoms(c.methods)
	if err != nil {
		return nil, open("%v", err)
	}
	space, err := keeper.States(ctx)
	if err != nil {
		return nil, refused(ctx, err)
	}
	defer space.Close()
	if k := space.Kept(); !k.Interned {
		return nil, open("the reference's states cannot be compared: %s", strings.Join(k.Why, "; "))
	}
	x := &closure{comparison: c, atoms: a, space: space, known: map[string]int{}, size: atOnce / 256}
	start := together{from: -1, s: c.a.Start(), used: [2]int{firstAtom - 1, firstAtom - 1}}
	if err := x.arrive(ctx, []together{start}); err != nil {
		return nil, err
	}
	for from := 0; from < len(x.all); {
		to, d, err := x.step(ctx, from)
		if d != nil || err != nil {
			return d, err
		}
		if from = to; len(x.all) > mostStates || len(c.a.Counters) > 0 && len(x.all) > mostCounted {
			if err := x.again(ctx); err != nil {
				return nil, err
			}
			return nil, open("%s", x.grows())
		}
	}
	if err := x.again(ctx); err != nil {
		return nil, err
	}
	c.extent.States = len(x.all)
	return nil, nil
}

// refused is an error of the reference as the reason why there is no closure, unless
// the context ended.
func refused(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return open("%v", err)
}

// arrive adds states that are new.
func (x *closure) arrive(ctx context.Context, all []together) error {
	forms := map[int32]*states.Form{}
	for i := range all {
		if forms[all[i].object] == nil {
			if err := x.fetch(ctx, all[i:], forms); err != nil {
				return err
			}
		}
		key, live, extra := x.key(forms[all[i].object], &all[i].s)
		if _, known := x.known[key]; known {
			continue
		}
		x.known[key] = len(x.all)
		all[i].live = live
		x.all, x.extra = append(x.all, all[i]), append(x.extra, extra)
	}
	return nil
}

// fetch gets the forms of the next objects, fewer at a time the larger they are.
func (x *closure) fetch(ctx context.Context, all []together, forms map[int32]*states.Form) error {
	clear(forms)
	var next []int32
	for i := 0; i < len(all) && len(next) < max(1, atOnce/x.size); i++ {
		if n := all[i].object; !slices.Contains(next, n) {
			next = append(next, n)
		}
	}
	got, err := x.space.Forms(ctx, next)
	if err != nil {
		return refused(ctx, err)
	}
	for i := range got {
		size := len(got[i].Items)
		for _, part := range got[i].Parts {
			size += len(part)
		}
		x.size, x.items = max(x.size, size), x.items+size
		forms[next[i]] = &got[i]
	}
	if x.items > mostItems {
		return open("the reference's objects are too large to compare all states")
	}
	return nil
}

// key is the text of a state of both, in which values have names by first
// appearance, the automaton's first; with the values, and how many of them only
// the reference holds.
func (x *closure) key(f *states.Form, s *automata.State) (key string, live []atom, extra int) {
	n := x.naming()
	fmt.Fprintf(&n.b, "%d:", s.Location)
	for _, v := range s.Registers {
		n.value(v)
	}
	for i, k := range s.Counters {
		if x.a.Counters[i].Keyed {
			entries := make([][2][]states.Item, 0, len(s.Keyed[i]))
			for v, k := range s.Keyed[i] {
				entries = append(entries, [2][]states.Item{{n.itemOf(v)}, {{Kind: states.Number, Number: int(k)}}})
			}
			slices.SortFunc(entries, func(a, b [2][]states.Item) int { return strings.Compare(a[0][0].Text, b[0][0].Text) })
			n.b.WriteString(n.entries(entries, true))
			continue
		}
		fmt.Fprintf(&n.b, "%d,", k)
	}
	held := len(n.order)
	n.form(f)
	return n.b.String(), n.order, len(n.order) - held
}

// itemOf is a value as an item.
func (n *naming) itemOf(v history.Value) states.Item {
	if _, ok := n.texts["i"+string(v)]; ok {
		return states.Item{Kind: states.Integer, Text: string(v)}
	}
	return states.Item{Kind: states.Text, Text: string(v)}
}

// step makes the calls of some states, from number from on.
func (x *closure) step(ctx context.Context, from int) (to int, d *difference, err error) {
	type move struct {
		of   int
		call teacher.Call
		pair states.Pair
		used [2]int
	}
	var moves []move
	for to = from; to < len(x.all) && len(moves) < mostPairs; to++ {
		at := &x.all[to]
		calls, used := x.calls(at)
		if len(calls) > mostCalls {
			return 0, nil, open("its methods have too many arguments to try all calls")
		}
		for i, call := range calls {
			n, err := x.space.Call(x.pending(call))
			if err != nil {
				return 0, nil, err
			}
			moves = append(moves, move{to, call, states.Pair{State: at.object, Call: n}, used[i]})
		}
	}
	pairs := make([]states.Pair, len(moves))
	for i, m := range moves {
		pairs[i] = m.pair
	}
	if err := x.space.Walk(ctx, pairs); err != nil {
		return 0, nil, refused(ctx, err)
	}
	var reached []together
	for _, m := range moves {
		at := &x.all[m.of]
		object, n, err := x.space.Step(ctx, m.pair.State, m.pair.Call, nil)
		if err != nil {
			return 0, nil, refused(ctx, err)
		}
		answer := x.space.Answer(n)
		l := x.pending(m.call)
		if answer.Blocked {
			if _, ok := x.a.Step(at.s, l); ok {
				return 0, x.difference(m.of, m.call), nil
			}
			continue
		}
		l.Outcome, l.Rets = answer.Outcome, answer.Rets
		s, ok := x.a.Step(at.s, l)
		if !ok {
			return 0, x.difference(m.of, m.call), nil
		}
		reached = append(reached, together{object: object, s: s, from: m.of, call: m.call, used: m.used, depth: at.depth + 1})
	}
	return to, nil, x.arrive(ctx, reached)
}

// calls are the calls to make in a state, with the last atoms on the way there and
// in the call.
func (x *closure) calls(at *together) (calls []teacher.Call, used [][2]int) {
	for m := range x.methods() {
		var extend func(args []history.Value, last [2]int)
		extend = func(args []history.Value, last [2]int) {
			p := len(args)
			if p == len(x.methods()[m].Args) {
				calls, used = append(calls, teacher.Call{Method: m, Args: args}), append(used, last)
				return
			}
			if len(calls) > mostCalls {
				return
			}
			for _, v := range x.old(at, m, p) {
				extend(append(slices.Clip(args), v), last)
			}
			class := x.params[m][p]
			if class < 0 {
				return
			}
			for k := at.used[class] + 1; k <= last[class]+1; k++ {
				next := last
				next[class] = max(next[class], k)
				x.upTo(class, k)
				extend(append(slices.Clip(args), x.atoms.value(m, p, k)), next)
			}
		}
		extend(nil, at.used)
	}
	return calls, used
}

// old are the values for an argument that are not new: those that are held, and
// those that the automaton names; or all that there are.
func (x *closure) old(at *together, method, param int) (all []history.Value) {
	class, p := x.params[method][param], &x.methods()[method].Params[param]
	if class < 0 {
		for k := range max(x.methods()[method].ArgDomain[param], 1) {
			all = append(all, x.atoms.value(method, param, k+1))
		}
		return all
	}
	for _, a := range at.live {
		if a.class == class {
			all = append(all, x.atoms.value(method, param, a.number))
		}
	}
	for _, v := range slices.Concat(x.named, at.s.Registers) {
		_, fits := p.Text(string(v))
		if _, is := x.values[v]; fits && !is && !slices.Contains(all, v) && (p.Kind != values.KindString || v != "0") {
			all = append(all, v)
		}
	}
	return all
}

func (x *closure) methods() []reference.Method { return x.comparison.methods }

// way is the calls that lead to a state, with one more, if there is one.
func (x *closure) way(state int, more ...teacher.Call) []teacher.Call {
	for ; x.all[state].from >= 0; state = x.all[state].from {
		more = append(more, x.all[state].call)
	}
	slices.Reverse(more)
	return more
}

// difference is the way to a state and a call there, with the first values there
// are.
func (x *closure) difference(state int, call teacher.Call) *difference {
	n := x.naming()
	w := x.renamed(x.way(state, call), func(a atom) int {
		n.name(a, true)
		return n.names[a] + 1
	})
	return &difference{word: w, at: len(w) - 1}
}

// renamed has other atoms.
func (x *closure) renamed(w []teacher.Call, number func(atom) int) []teacher.Call {
	w = slices.Clone(w)
	for i := range w {
		w[i].Args = slices.Clone(w[i].Args)
		for p, v := range w[i].Args {
			if a, ok := x.values[v]; ok {
				w[i].Args[p] = x.atoms.value(w[i].Method, p, number(a))
			}
		}
	}
	return w
}

// again reaches some states with other values. If the same calls with other values
// do not lead to the same state with other names, the reference keeps values in a
// form in which they are not found.
func (x *closure) again(ctx context.Context) error {
	gap := max(1, len(x.all)/mostCopies)
	last := [2]int{x.atoms.known[0], x.atoms.known[1]}
	for i := len(x.all) - 1; i > 0; i -= gap {
		w := x.renamed(x.way(i), func(a atom) int {
			x.upTo(a.class, a.number+last[a.class])
			return a.number + last[a.class]
		})
		object, s := x.space.Start(), x.a.Start()
		for _, call := range w {
			l := x.pending(call)
			n, err := x.space.Call(l)
			if err != nil {
				return err
			}
			next, answer, err := x.space.Step(ctx, object, n, nil)
			if err != nil {
				return refused(ctx, err)
			}
			a := x.space.Answer(answer)
			l.Outcome, l.Rets = a.Outcome, a.Rets
			var ok bool
			if s, ok = x.a.Step(s, l); !ok {
				return open("the reference tells values from one another otherwise than by equality")
			}
			object = next
		}
		forms, err := x.space.Forms(ctx, []int32{object})
		if err != nil {
			return refused(ctx, err)
		}
		if key, _, _ := x.key(&forms[0], &s); x.known[key] != i {
			return open("the reference keeps values in a form of its own")
		}
	}
	return nil
}

// grows says why there is no end of states: either there is no end of values, or of
// what the states are like without them.
func (x *closure) grows() string {
	half, shapes := len(x.extra)/2, map[string]bool{}
	for key := range x.known {
		shapes[names.ReplaceAllLiteralString(key, "$")] = true
	}
	why := "the reference's numbers or indices grow"
	switch {
	case len(x.a.Counters) > 0:
		why = "the automaton's counters grow"
	case slices.Max(x.extra[half:]) > slices.Max(x.extra[:half]) || len(shapes) < len(x.all)/8:
		why = "the reference keeps values that the automaton forgot"
	}
	return fmt.Sprintf("%s (after %d states)", why, len(x.all))
}

var names = regexp.MustCompile(`\$[0-9]+`)
