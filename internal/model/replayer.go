package model

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/alphabet"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// explorer asks a reference which executions it admits.
type explorer interface {
	// extend yields, in a fixed order, the executions that extend one of es by
	// one operation and that the reference admits. Kinds not met before are
	// added to the alphabet.
	extend(ctx context.Context, es [][]alphabet.Label) ([][]alphabet.Label, error)

	// admitted reports of each execution whether the reference admits it. Unless
	// verbatim, arguments may be renamed first, so that executions that differ
	// in names only are run once.
	admitted(ctx context.Context, es [][]alphabet.Label, verbatim bool) ([]bool, error)
}

// Signatures lists, for each method, the sorts of arguments and of returned
// values. A sort is a Go type.
func Signatures(methods []reference.Method) (args []alphabet.Signature, rets [][]int) {
	sorts := map[string]int{}
	sort := func(typ string) int {
		if _, ok := sorts[typ]; !ok {
			sorts[typ] = len(sorts)
		}
		return sorts[typ]
	}
	for _, m := range methods {
		var s alphabet.Signature
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
	alphabet *alphabet.Alphabet
	args     []alphabet.Signature
	rets     [][]int

	memo map[string]alphabet.Label // calls so far and the next one -> its label
}

// blocked marks a call that never returns.
const blocked = alphabet.Label(-1)

func newReplayer(impl reference.Implementation, a *alphabet.Alphabet) *replayer {
	args, rets := Signatures(impl.Methods())
	return &replayer{impl, a, args, rets, map[string]alphabet.Label{}}
}

// chunkSize is how many executions are extended at a time: enough to make the
// way to a child process and back cheap, few enough to be interrupted in time.
const chunkSize = 2048

func (r *replayer) extend(ctx context.Context, es [][]alphabet.Label) ([][]alphabet.Label, error) {
	var out [][]alphabet.Label
	for chunk := range slices.Chunk(es, chunkSize) {
		more, err := r.extendChunk(ctx, chunk)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, ctx.Err()
}

func (r *replayer) extendChunk(ctx context.Context, es [][]alphabet.Label) ([][]alphabet.Label, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var runs [][]alphabet.Invocation
	var from []int
	for i, e := range es {
		prefix := r.calls(e)
		for _, last := range r.next(prefix) {
			runs = append(runs, append(prefix[:len(prefix):len(prefix)], last))
			from = append(from, i)
		}
	}
	if err := r.run(ctx, runs); err != nil {
		return nil, err
	}
	var out [][]alphabet.Label
	for i, calls := range runs {
		if l := r.memo[key(calls)]; l != blocked {
			e := es[from[i]]
			out = append(out, append(e[:len(e):len(e)], l))
		}
	}
	return out, nil
}

// next lists the calls that may follow, once up to renaming of arguments.
func (r *replayer) next(prefix []alphabet.Invocation) []alphabet.Invocation {
	var out []alphabet.Invocation
	n := len(prefix)
	alphabet.Calls(r.args, n+1, func(c []alphabet.Invocation) bool {
		k := len(c) - 1
		return k == n || c[k].Method == prefix[k].Method && slices.Equal(c[k].Args, prefix[k].Args)
	}, func(c []alphabet.Invocation) bool {
		out = append(out, c[n])
		return true
	})
	return out
}

func (r *replayer) admitted(ctx context.Context, es [][]alphabet.Label, verbatim bool) ([]bool, error) {
	runs := make([][]alphabet.Invocation, len(es))
	names := make([]map[alphabet.Value]alphabet.Value, len(es))
	for i, e := range es {
		if runs[i] = r.calls(e); !verbatim {
			runs[i], names[i] = canonical(runs[i])
		}
	}
	if err := r.run(ctx, runs); err != nil {
		return nil, err
	}
	ok := make([]bool, len(es))
	for i, e := range es {
		ok[i] = r.agrees(e, runs[i], names[i])
	}
	return ok, nil
}

// agrees reports whether the answers to the calls are those of e, whose values go
// by other names in the calls unless names is nil.
func (r *replayer) agrees(e []alphabet.Label, calls []alphabet.Invocation, names map[alphabet.Value]alphabet.Value) bool {
	for i, l := range e {
		got := r.memo[key(calls[:i+1])]
		if got == blocked || r.alphabet.KindOf(got) != r.alphabet.KindOf(l) {
			return false
		}
		values := r.alphabet.Values(got)
		for p, v := range r.alphabet.Values(l) {
			if names != nil {
				v = names[v]
			}
			if v != values[p] {
				return false
			}
		}
	}
	return true
}

// calls are an execution's labels without their answers.
func (r *replayer) calls(e []alphabet.Label) []alphabet.Invocation {
	out := make([]alphabet.Invocation, len(e), len(e)+1)
	for i, l := range e {
		k := &r.alphabet.Kinds[r.alphabet.KindOf(l)]
		out[i] = alphabet.Invocation{Method: k.Method, Args: r.alphabet.Values(l)[:k.Args]}
	}
	return out
}

// canonical renames arguments by first appearance.
func canonical(calls []alphabet.Invocation) ([]alphabet.Invocation, map[alphabet.Value]alphabet.Value) {
	names := map[alphabet.Value]alphabet.Value{}
	var counts [256]int
	for i, c := range calls {
		args := make([]alphabet.Value, len(c.Args))
		for p, v := range c.Args {
			if names[v] == 0 {
				counts[v.Sort()]++
				names[v] = alphabet.NewValue(v.Sort(), counts[v.Sort()])
			}
			args[p] = names[v]
		}
		calls[i].Args = args
	}
	return calls, names
}

// key identifies a sequence of calls.
func key(calls []alphabet.Invocation) string {
	var b []byte
	for _, c := range calls {
		b = append(b, byte(c.Method), byte(len(c.Args)))
		for _, v := range c.Args {
			b = append(b, byte(v.Sort()), byte(v.Number()))
		}
	}
	return string(b)
}

// run makes sure that the memo has the answers to all calls of the sequences.
func (r *replayer) run(ctx context.Context, runs [][]alphabet.Invocation) error {
	var batch [][]alphabet.Invocation
	seen := map[string]bool{}
	for _, calls := range runs {
		if len(calls) == 0 {
			continue
		}
		k := key(calls)
		if _, known := r.memo[k]; !known && !seen[k] {
			seen[k] = true
			batch = append(batch, calls)
		}
	}
	if len(batch) == 0 {
		return nil
	}
	answers, err := r.replay(ctx, batch)
	if err != nil {
		return err
	}
	for i, calls := range batch {
		if err := r.record(calls, answers[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *replayer) replay(ctx context.Context, batch [][]alphabet.Invocation) ([][]reference.Answer, error) {
	seqs := make([][]reference.Call, len(batch))
	for i, calls := range batch {
		for _, c := range calls {
			call := reference.Call{Method: c.Method}
			for _, v := range c.Args {
				call.Args = append(call.Args, v.Number())
			}
			seqs[i] = append(seqs[i], call)
		}
	}
	return r.impl.Replay(ctx, seqs)
}

// record turns answers into labels and remembers them.
func (r *replayer) record(calls []alphabet.Invocation, answers []reference.Answer) error {
	var e []alphabet.Label
	for i, c := range calls {
		if i >= len(answers) || answers[i].Blocked {
			for ; i < len(calls); i++ {
				r.memo[key(calls[:i+1])] = blocked
			}
			return nil
		}
		l, err := r.label(c, answers[i], e)
		if err != nil {
			return err
		}
		r.memo[key(calls[:i+1])] = l
		e = append(e, l)
	}
	return nil
}

// label is the label of a call with its answer; before is what came before it.
func (r *replayer) label(c alphabet.Invocation, a reference.Answer, before []alphabet.Label) (alphabet.Label, error) {
	k := r.kind(c, a)
	values := append([]alphabet.Value(nil), c.Args...)
	for p, text := range a.Rets {
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return 0, r.foreign(c, a, before)
		}
		values = append(values, alphabet.NewValue(r.rets[c.Method][p], n))
	}
	return r.alphabet.Label(k, values), nil
}

// kind finds or adds the kind of an answered call.
func (r *replayer) kind(c alphabet.Invocation, a reference.Answer) int {
	kind := history.Kind{Method: r.impl.Methods()[c.Method].Name, Outcome: a.Outcome}
	if k := r.alphabet.Find(kind); k >= 0 {
		return k
	}
	sorts := append([]int(nil), r.args[c.Method].Sorts...)
	sorts = append(sorts, r.rets[c.Method][:len(a.Rets)]...)
	return addKind(r.alphabet, kind, c.Method, len(c.Args), sorts)
}

func addKind(a *alphabet.Alphabet, kind history.Kind, method, args int, sorts []int) int {
	same := make([]int, len(sorts))
	for p := range same {
		same[p] = p
	}
	a.Kinds = append(a.Kinds, alphabet.Kind{Kind: kind, Method: method, Args: args, Sorts: sorts, Same: same})
	return len(a.Kinds) - 1
}

func (r *replayer) foreign(c alphabet.Invocation, a reference.Answer, before []alphabet.Label) error {
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
	return &matching.Foreign{Execution: append(ls[:len(ls):len(ls)], last), Other: append(ls[:len(ls):len(ls)], other)}
}
