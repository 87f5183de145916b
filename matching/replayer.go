package matching

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/reference"
)

// explorer asks a reference which executions it admits.
type explorer interface {
	// extend yields, in a fixed order, the executions that extend one of es by
	// one operation and that the reference admits. Kinds not met before are
	// added to the alphabet.
	extend(ctx context.Context, es [][]enumerate.Label) ([][]enumerate.Label, error)

	// admitted reports of each execution whether the reference admits it. Unless
	// verbatim, arguments may be renamed first, so that executions that differ
	// in names only are run once.
	admitted(ctx context.Context, es [][]enumerate.Label, verbatim bool) ([]bool, error)
}

// Signatures lists, for each method, the sorts of arguments and of returned
// values. A sort is a Go type.
func Signatures(methods []reference.Method) (args []enumerate.Signature, rets [][]int) {
	sorts := map[string]int{}
	sort := func(typ string) int {
		if _, ok := sorts[typ]; !ok {
			sorts[typ] = len(sorts)
		}
		return sorts[typ]
	}
	for _, m := range methods {
		var s enumerate.Signature
		for i, t := range m.Args {
			s.Sorts = append(s.Sorts, sort(t))
			s.Domains = append(s.Domains, m.ArgDomain[i])
		}
		var r []int
		for _, t := range m.Rets {
			r = append(r, sort(t))
		}
		args, rets = append(args, s), append(rets, r)
	}
	return args, rets
}

// replayer explores a deterministic reference by running it.
type replayer struct {
	impl     reference.Implementation
	alphabet *enumerate.Alphabet
	args     []enumerate.Signature
	rets     [][]int

	calls   calls
	labels  []enumerate.Label // by node of calls: the label of its last call
	numbers []int32           // by label: its invocation's number in calls, plus one
}

// Labels of nodes that no call has answered yet, and whose last call never returns.
const (
	unknown = enumerate.Label(-2)
	blocked = enumerate.Label(-1)
)

func newReplayer(impl reference.Implementation, a *enumerate.Alphabet) *replayer {
	args, rets := Signatures(impl.Methods())
	return &replayer{impl: impl, alphabet: a, args: args, rets: rets, calls: calls{Tree: live.NewTree()}}
}

// chunkSize is how many executions are extended at a time: enough to make the
// way to a child process and back cheap, few enough to be interrupted in time.
const chunkSize = 2048

func (r *replayer) extend(ctx context.Context, es [][]enumerate.Label) ([][]enumerate.Label, error) {
	var out [][]enumerate.Label
	for chunk := range slices.Chunk(es, chunkSize) {
		more, err := r.extendChunk(ctx, chunk)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, ctx.Err()
}

func (r *replayer) extendChunk(ctx context.Context, es [][]enumerate.Label) ([][]enumerate.Label, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var runs []live.Node
	var from []int
	var before []enumerate.Invocation
	for i, e := range es {
		at := r.node(e)
		before = before[:0]
		for _, l := range e {
			before = append(before, r.invocation(l))
		}
		enumerate.After(r.args, before, func(c enumerate.Invocation) bool {
			runs, from = append(runs, r.calls.Then(at, r.calls.number(c))), append(from, i)
			return true
		})
	}
	if err := r.run(ctx, runs); err != nil {
		return nil, err
	}
	var out [][]enumerate.Label
	for i, n := range runs {
		if l := r.labels[n]; l != blocked {
			e := es[from[i]]
			longer := make([]enumerate.Label, len(e)+1)
			copy(longer, e)
			longer[len(e)] = l
			out = append(out, longer)
		}
	}
	return out, nil
}

// invocation is a label without its answer.
func (r *replayer) invocation(l enumerate.Label) enumerate.Invocation {
	k := &r.alphabet.Kinds[r.alphabet.KindOf(l)]
	return enumerate.Invocation{Method: k.Method, Args: r.alphabet.Values(l)[:k.Args]}
}

// node is where the calls of an execution lead.
func (r *replayer) node(e []enumerate.Label) live.Node {
	n := live.Root
	for _, l := range e {
		n = r.calls.Then(n, r.number(l))
	}
	return n
}

func (r *replayer) number(l enumerate.Label) int32 {
	if n := r.alphabet.Len() - len(r.numbers); n > 0 {
		r.numbers = append(r.numbers, make([]int32, n)...)
	}
	if r.numbers[l] == 0 {
		r.numbers[l] = r.calls.number(r.invocation(l)) + 1
	}
	return r.numbers[l] - 1
}

func (r *replayer) admitted(ctx context.Context, es [][]enumerate.Label, verbatim bool) ([]bool, error) {
	runs := make([]live.Node, len(es))
	names := make([]renaming, len(es))
	var all renaming // of some executions
	for i, e := range es {
		if verbatim {
			runs[i] = r.node(e)
			continue
		}
		if cap(all)-len(all) < 8*len(e) {
			all = make(renaming, 0, 1024+8*len(e))
		}
		from := len(all)
		all, runs[i] = r.canonical(all, e)
		names[i] = all[from:]
	}
	if err := r.run(ctx, runs); err != nil {
		return nil, err
	}
	ok := make([]bool, len(es))
	for i, e := range es {
		ok[i] = r.agrees(e, runs[i], names[i], verbatim)
	}
	return ok, nil
}

// agrees reports whether the answers to the calls on the way to a node are those of e,
// whose values go by other names there unless verbatim.
func (r *replayer) agrees(e []enumerate.Label, at live.Node, names renaming, verbatim bool) bool {
	for i := len(e) - 1; i >= 0; i-- {
		got := r.labels[at]
		if got == blocked || r.alphabet.KindOf(got) != r.alphabet.KindOf(e[i]) {
			return false
		}
		values := r.alphabet.Values(got)
		for p, v := range r.alphabet.Values(e[i]) {
			if !verbatim {
				v = names.of(v)
			}
			if v != values[p] {
				return false
			}
		}
		at = r.calls.Before(at)
	}
	return true
}

// renaming maps values, a few.
type renaming [][2]enumerate.Value

// of is the name of a value; 0 if it has none.
func (names renaming) of(v enumerate.Value) enumerate.Value {
	for _, n := range names {
		if n[0] == v {
			return n[1]
		}
	}
	return 0
}

// canonical renames the arguments of an execution's calls by first appearance, and
// says where they lead. The names are appended to dst.
func (r *replayer) canonical(dst renaming, e []enumerate.Label) (renaming, live.Node) {
	at, names := live.Root, dst[len(dst):]
	var room [8]enumerate.Value
	for _, l := range e {
		c, same := r.invocation(l), true
		args := room[:0]
		for _, v := range c.Args {
			name := names.of(v)
			if name == 0 {
				count := 1
				for _, n := range names {
					if n[0].Sort() == v.Sort() {
						count++
					}
				}
				name = enumerate.NewValue(v.Sort(), count)
				names = append(names, [2]enumerate.Value{v, name})
			}
			args, same = append(args, name), same && name == v
		}
		if same {
			at = r.calls.Then(at, r.number(l))
		} else {
			at = r.calls.Then(at, r.calls.number(enumerate.Invocation{Method: c.Method, Args: args}))
		}
	}
	return append(dst, names...), at
}

// run makes sure that all calls on the ways to the nodes have labels.
func (r *replayer) run(ctx context.Context, runs []live.Node) error {
	for len(r.labels) < r.calls.Len() {
		r.labels = append(r.labels, unknown)
	}
	var batch []live.Node
	seen := map[live.Node]bool{live.Root: true}
	for _, n := range runs {
		if r.labels[n] == unknown && !seen[n] {
			seen[n] = true
			batch = append(batch, n)
		}
	}
	if len(batch) == 0 {
		return nil
	}
	answers, err := r.replay(ctx, batch)
	if err != nil {
		return err
	}
	for i, n := range batch {
		if err := r.record(r.calls.Way(n), answers[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *replayer) replay(ctx context.Context, batch []live.Node) ([][]reference.Answer, error) {
	seqs := make([][]reference.Call, len(batch))
	for i, n := range batch {
		way := r.calls.Way(n)
		seqs[i] = make([]reference.Call, len(way))
		for j, at := range way {
			c := r.calls.last(at)
			call := reference.Call{Method: c.Method}
			for _, v := range c.Args {
				call.Args = append(call.Args, v.Number())
			}
			seqs[i][j] = call
		}
	}
	return r.impl.Replay(ctx, seqs)
}

// record turns answers into labels and remembers them.
func (r *replayer) record(way []live.Node, answers []reference.Answer) error {
	var e []enumerate.Label
	for i, at := range way {
		if i >= len(answers) || answers[i].Blocked {
			for ; i < len(way); i++ {
				r.labels[way[i]] = blocked
			}
			return nil
		}
		l, err := r.label(r.calls.last(at), answers[i], e)
		if err != nil {
			return err
		}
		r.labels[at] = l
		e = append(e, l)
	}
	return nil
}

// label is the label of a call with its answer; before is what came before it.
func (r *replayer) label(c enumerate.Invocation, a reference.Answer, before []enumerate.Label) (enumerate.Label, error) {
	k := r.kind(c, a)
	values := append([]enumerate.Value(nil), c.Args...)
	for p, text := range a.Rets {
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return 0, r.foreign(c, a, before)
		}
		values = append(values, enumerate.NewValue(r.rets[c.Method][p], n))
	}
	return r.alphabet.Label(k, values), nil
}

// kind finds or adds the kind of an answered call.
func (r *replayer) kind(c enumerate.Invocation, a reference.Answer) int {
	kind := history.Kind{Method: r.impl.Methods()[c.Method].Name, Outcome: a.Outcome}
	if k := r.alphabet.Find(kind); k >= 0 {
		return k
	}
	sorts := append([]int(nil), r.args[c.Method].Sorts...)
	sorts = append(sorts, r.rets[c.Method][:len(a.Rets)]...)
	return addKind(r.alphabet, kind, c.Method, len(c.Args), sorts)
}

func addKind(a *enumerate.Alphabet, kind history.Kind, method, args int, sorts []int) int {
	same := make([]int, len(sorts))
	for p := range same {
		same[p] = p
	}
	a.Kinds = append(a.Kinds, enumerate.Kind{Kind: kind, Method: method, Args: args, Sorts: sorts, Same: same})
	return len(a.Kinds) - 1
}

func (r *replayer) foreign(c enumerate.Invocation, a reference.Answer, before []enumerate.Label) error {
	ls := r.alphabet.Texts(before)
	last := history.Label{Kind: history.Kind{Method: r.impl.Methods()[c.Method].Name, Outcome: a.Outcome}}
	for _, v := range c.Args {
		last.Args = append(last.Args, v.Text())
	}
	other := last
	for i, v := range a.Rets {
		if reference.IsForeign(v) {
			v = v[1 : len(v)-1]
		}
		if _, err := strconv.Atoi(string(v)); err != nil || reference.IsForeign(a.Rets[i]) {
			other.Rets = append(other.Rets, v+"'")
		} else {
			other.Rets = append(other.Rets, v)
		}
		last.Rets = append(last.Rets, v)
	}
	return &Foreign{Execution: append(ls[:len(ls):len(ls)], last), Other: append(ls[:len(ls):len(ls)], other)}
}
