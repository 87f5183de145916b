package laws

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/reference"
)

// world is the states of a reference that were met, and what can be seen of them.
//
// What is not known yet is asked for all at once: who looks gets ok = false, and what
// was missing is in want; fill asks and looks again.
type world struct {
	ctx     context.Context
	space   states.Space
	methods []reference.Method
	sigs    []history.MethodSig // the same
	parts   [][]eq.Part         // of each method's answers
	store   *eq.Store

	calls   map[string]int32 // by method and arguments
	steps   map[uint64]step
	want    []states.Pair
	texts   map[eq.Value]string // of values that are arguments, as logs have them
	told    map[uint64][]eq.Value
	seen    map[sight]eq.Value
	numbers map[string]int32 // of observers
	near    []int64          // numbers that laws compare with: those around them tell whether that is right

	literals origin.Literals // of the reference
	apartBy  []int64         // numbers of it by which arguments differ, where thresholds are looked for
	places   bool            // lists are changed at places

	kinds []kind // of calls that runs count
	key   []byte
	work  int // of the search, in cells of tables, about
	most  int // of it

	results map[string]map[[2]eq.Value]eq.Value // of operators of a list and another value
}

// mostResults bounds what is remembered of an operator.
const mostResults = 1 << 16

// applied are the results of an operator that are known; nil: they are not remembered. The
// lists of one law are those of another, and to make a list takes longer than to find it.
func (w *world) applied(op string, args []*column) map[[2]eq.Value]eq.Value {
	if len(args) != 2 || !args[0].sort.IsList() {
		return nil
	}
	known := w.results[op]
	if known == nil || len(known) > mostResults {
		known = map[[2]eq.Value]eq.Value{}
		w.results[op] = known
	}
	return known
}

// applying is an operator on arguments from some columns.
func (w *world) applying(op string, args []*column) func(vs []eq.Value) eq.Value {
	apply, known := w.store.Applied(op), w.applied(op, args)
	if known == nil {
		return apply
	}
	return func(vs []eq.Value) eq.Value {
		v, ok := known[[2]eq.Value(vs)]
		if !ok {
			v = apply(vs)
			known[[2]eq.Value(vs)] = v
		}
		return v
	}
}

// step is where a call leads and what it answers, by the number of the answer.
type step struct{ next, answer int32 }

// errNotKept is the error of a reference whose states are not told apart.
var errNotKept = errors.New("its states cannot be told apart, so that nobody knows what changes them")

func newWorld(ctx context.Context, impl reference.Implementation) (*world, error) {
	if p, ok := impl.(*reference.Package); ok {
		impl = p.Implementation
	}
	k, ok := impl.(states.Keeper)
	if !ok {
		return nil, errNotKept
	}
	space, err := k.States(ctx)
	if err != nil {
		return nil, err
	}
	if kept := space.Kept(); !kept.Copied || !kept.Interned {
		space.Close()
		return nil, errNotKept
	}
	w := &world{most: mostWork, ctx: ctx, space: space, methods: impl.Methods(), store: eq.NewStore(),
		calls: map[string]int32{}, steps: map[uint64]step{}, texts: map[eq.Value]string{}, told: map[uint64][]eq.Value{}, seen: map[sight]eq.Value{}, numbers: map[string]int32{}, results: map[string]map[[2]eq.Value]eq.Value{}}
	for i := range w.methods {
		m := &w.methods[i]
		sig := history.MethodSig{Name: m.Name, Args: len(m.Args), Params: m.Params, Results: m.Results}
		for _, o := range m.Outcomes {
			sig.Outcomes = append(sig.Outcomes, o.OutcomeSig)
		}
		w.sigs, w.parts = append(w.sigs, sig), append(w.parts, partsOf(m))
	}
	return w, nil
}

// partsOf says which parts laws see an answer in. One value that comes with one outcome
// alone is the answer, or else the word for the outcome.
func partsOf(m *reference.Method) (parts []eq.Part) {
	most, carry := 0, 0
	for _, o := range m.Outcomes {
		if most = max(most, o.Rets); o.Rets > 0 {
			carry++
		}
	}
	if most == 1 && carry == 1 {
		return []eq.Part{{Name: "answer", Sort: eq.SortOf(&m.Results[0]), Ret: 0}}
	}
	if len(m.Outcomes) > 1 || most == 0 {
		name := "outcome"
		if most == 0 {
			name = "answer"
		}
		parts = append(parts, eq.Part{Name: name, Sort: eq.Words, Ret: -1})
	}
	for i := range most {
		name := "answer" + strconv.Itoa(i+1)
		if most == 1 {
			name = "answer"
		}
		parts = append(parts, eq.Part{Name: name, Sort: eq.SortOf(&m.Results[i]), Ret: i})
	}
	return parts
}

// call numbers a call; false: it has an argument that no log could have.
func (w *world) call(method int, args []eq.Value) (int32, bool) {
	b := append(w.key[:0], byte(method))
	for _, a := range args {
		b = binary.LittleEndian.AppendUint64(b, uint64(a))
	}
	w.key = b
	if n, ok := w.calls[string(b)]; ok {
		return n, n >= 0
	}
	key := string(b)
	m := &w.methods[method]
	l := history.Label{Kind: history.Kind{Method: m.Name}}
	for i, a := range args {
		text, ok := w.textOf(a)
		if ok = ok && w.store.Is(a, eq.Word) == (eq.SortOf(&m.Params[i]) == eq.Words); ok {
			_, ok = m.Params[i].Text(text)
		}
		if !ok {
			w.calls[key] = -1
			return -1, false
		}
		l.Args = append(l.Args, history.Value(text))
	}
	n, err := w.space.Call(&l)
	if err != nil {
		n = -1
	}
	w.calls[key] = n
	return n, n >= 0
}

// textOf is a value as logs have it; false: it was made of parts, and is not known.
func (w *world) textOf(v eq.Value) (string, bool) {
	if t, ok := w.texts[v]; ok {
		return t, true
	}
	switch {
	case v == eq.Undefined:
		return "", false
	case v.IsInt():
		return strconv.FormatInt(v.Int(), 10), true
	case w.store.Is(v, eq.Text), w.store.Is(v, eq.Word):
		return w.store.TextOf(v), true
	}
	return "", false
}

// value is what an argument of a log stands for.
func (w *world) value(b *values.Basic, text string) eq.Value {
	v := w.store.Read(b, text)
	w.note(v, text)
	return v
}

// note remembers how logs write a value that may become an argument.
func (w *world) note(v eq.Value, text string) {
	if _, ok := w.texts[v]; !ok && v != eq.Undefined && !v.IsInt() && !w.store.Is(v, eq.Word) {
		w.texts[v] = text
	}
}

// step is where a call leads from a state.
func (w *world) step(state, call int32) (step, bool) {
	s, ok := w.steps[uint64(state)<<32|uint64(call)]
	if !ok {
		w.want = append(w.want, states.Pair{State: state, Call: call})
	}
	return s, ok
}

// fill runs a function until it misses nothing.
func (w *world) fill(look func()) error {
	for {
		w.want = w.want[:0]
		look()
		if len(w.want) == 0 {
			return nil
		}
		if err := w.ask(); err != nil {
			return err
		}
	}
}

// askedAtOnce is how many steps are asked for at once.
const askedAtOnce = 4096

func (w *world) ask() error {
	slices.SortFunc(w.want, func(a, b states.Pair) int {
		if a.State != b.State {
			return int(a.State) - int(b.State)
		}
		return int(a.Call) - int(b.Call)
	})
	for some := range slices.Chunk(slices.Compact(w.want), askedAtOnce) {
		if err := w.space.Walk(w.ctx, some); err != nil {
			return err
		}
		for _, p := range some {
			next, answer, err := w.space.Step(w.ctx, p.State, p.Call, nil)
			if err != nil {
				return err
			}
			w.steps[uint64(p.State)<<32|uint64(p.Call)] = step{next, answer}
		}
	}
	return nil
}

// answer is an answer of a method, part by part.
func (w *world) answer(method int, n int32) []eq.Value {
	key := uint64(method)<<32 | uint64(n)
	if v, ok := w.told[key]; ok {
		return v
	}
	a, m, parts := w.space.Answer(n), &w.sigs[method], w.parts[method]
	out := w.store.Answer(m, parts, a.Outcome, a.Rets)
	for i, p := range parts {
		switch {
		case a.Blocked:
			out[i] = w.store.Plain(eq.Word, "waits")
		case p.Ret >= 0 && p.Ret < len(a.Rets):
			text := string(a.Rets[p.Ret])
			if w.store.Read(&m.Results[p.Ret], text) == out[i] {
				w.note(out[i], text)
			}
		}
	}
	w.told[key] = out
	return out
}

// Longest is how many answers a repeated call gives at most.
const longest = 100

// made makes a call in a state. Not made: it has an argument that no log could have. Not known: where it leads
// is to be asked for.
func (w *world) made(state int32, method int, args []eq.Value) (s step, made, known bool) {
	c, ok := w.call(method, args)
	if !ok {
		return step{}, false, true
	}
	s, known = w.step(state, c)
	return s, true, known
}

// see is what an observer is in a state; false: it is not known yet.
func (w *world) see(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	at := sight{state: state, observer: w.number(o)}
	if n := copy(at.args[:], args); n < len(args) {
		var b []byte
		for _, a := range args[n:] {
			b = binary.LittleEndian.AppendUint64(b, uint64(a))
		}
		at.more = string(b)
	}
	if v, ok := w.seen[at]; ok {
		return v, true
	}
	v, ok := w.look(state, o, args)
	if ok {
		w.seen[at] = v
	}
	return v, ok
}

// sight is an observer of some arguments in a state.
type sight struct {
	state, observer int32
	args            [2]eq.Value
	more            string // arguments, as bytes
}

// number numbers an observer, as what it sees is known by.
func (w *world) number(o *observer) int32 {
	if o.number > 0 {
		return o.number
	}
	w.key = o.key(w.key[:0])
	n, ok := w.numbers[string(w.key)]
	if !ok {
		n = int32(len(w.numbers)) + 1
		w.numbers[string(w.key)] = n
	}
	return n
}

func (w *world) look(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	switch {
	case o.first != nil:
		return w.came(state, o, args)
	case o.from != nil:
		return w.least(state, o, args)
	case o.each:
		return w.listed(state, o, args)
	case o.news != nil:
		return w.handed(state, o, args)
	}
	again := int32(-1)
	if o.repeat >= 0 && o.repeat != o.method {
		n := len(w.methods[o.repeat].Params)
		c, ok := w.call(o.repeat, args[:n])
		if !ok {
			return eq.Undefined, true
		}
		again, args = c, args[n:]
	}
	if o.large {
		args = append(slices.Clone(args), eq.IntOf(o.last))
	}
	c, ok := w.call(o.method, args)
	if !ok {
		return eq.Undefined, true
	}
	var all []eq.Value
	for {
		s, ok := w.step(state, c)
		if !ok {
			return eq.Undefined, false
		}
		v := w.answer(o.method, s.answer)[o.part]
		if o.repeat < 0 {
			return v, true
		}
		if again >= 0 {
			if s, ok = w.step(state, again); !ok {
				return eq.Undefined, false
			}
		}
		if again >= 0 || s.next != state {
			all = append(all, v)
		}
		if s.next == state {
			return w.store.Compound(eq.List, all), true
		}
		if state = s.next; len(all) > longest {
			return eq.Undefined, true
		}
	}
}

// kind is calls of a method that answered with a word, or with a value.
type kind struct {
	method int
	word   eq.Value // Undefined: any value
}

// kindOf numbers the kind of a call; -1: it answered with nothing.
func (w *world) kindOf(method int, answer []eq.Value) int {
	if len(answer) == 0 {
		return -1
	}
	k := kind{method, eq.Undefined}
	if w.store.Is(answer[0], eq.Word) {
		k.word = answer[0]
	}
	i := slices.Index(w.kinds, k)
	if i < 0 {
		i, w.kinds = len(w.kinds), append(w.kinds, k)
	}
	return i
}

// states counts the states that were met.
func (w *world) states() int {
	all := map[int32]bool{}
	for _, s := range w.steps {
		all[s.next] = true
	}
	return len(all)
}
