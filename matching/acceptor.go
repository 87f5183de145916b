package matching

import (
	"context"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// acceptor explores a nondeterministic reference: it proposes every label and
// asks which are allowed.
type acceptor struct {
	impl     reference.Acceptor
	alphabet *enumerate.Alphabet
	all      *enumerate.Alphabet // every kind the signatures allow
	memo     map[string]bool
}

func newAcceptor(impl reference.Acceptor, a *enumerate.Alphabet) *acceptor {
	args, rets := Signatures(impl.Methods())
	all := enumerate.NewAlphabet(nil)
	for m, method := range impl.Methods() {
		for _, o := range method.Outcomes {
			sorts := append(append([]int(nil), args[m].Sorts...), rets[m][:o.Rets]...)
			addKind(all, history.Kind{Method: method.Name, Outcome: o.Outcome}, m, len(args[m].Sorts), sorts)
		}
	}
	return &acceptor{impl, a, all, map[string]bool{}}
}

func (c *acceptor) extend(ctx context.Context, es [][]enumerate.Label) ([][]enumerate.Label, error) {
	var proposals [][]enumerate.Label // over c.all
	for _, e := range es {
		prefix := c.translate(c.all, c.alphabet, e)
		n := len(prefix)
		c.all.Executions(n+1, func(p []enumerate.Label) bool {
			return len(p) > n || p[len(p)-1] == prefix[len(p)-1]
		}, func(p []enumerate.Label) bool {
			proposals = append(proposals, append([]enumerate.Label(nil), p...))
			return true
		})
	}
	ok, err := c.ask(ctx, c.all, proposals)
	if err != nil {
		return nil, err
	}
	var out [][]enumerate.Label
	for i, p := range proposals {
		if ok[i] {
			out = append(out, c.translate(c.alphabet, c.all, p))
		}
	}
	return out, nil
}

// translate moves an execution to another alphabet, adding kinds as needed.
func (c *acceptor) translate(to, from *enumerate.Alphabet, e []enumerate.Label) []enumerate.Label {
	out := make([]enumerate.Label, len(e))
	for i, l := range e {
		kind := from.Kinds[from.KindOf(l)]
		k := to.Find(kind.Kind)
		if k < 0 {
			k = addKind(to, kind.Kind, kind.Method, kind.Args, kind.Sorts)
		}
		out[i] = to.Label(k, from.Values(l))
	}
	return out
}

func (c *acceptor) admitted(ctx context.Context, es [][]enumerate.Label, _ bool) ([]bool, error) {
	return c.ask(ctx, c.alphabet, es)
}

// ask decides executions over the given alphabet.
func (c *acceptor) ask(ctx context.Context, a *enumerate.Alphabet, es [][]enumerate.Label) ([]bool, error) {
	keys := make([]string, len(es))
	var seqs [][]history.Label
	var asked []int
	for i, e := range es {
		keys[i] = history.Sequential(a.Texts(e)...).String()
		if _, known := c.memo[keys[i]]; !known {
			seqs, asked = append(seqs, a.Texts(e)), append(asked, i)
		}
	}
	if len(seqs) > 0 {
		lengths, err := c.impl.Accepts(ctx, seqs)
		if err != nil {
			return nil, err
		}
		for j, i := range asked {
			c.memo[keys[i]] = lengths[j] == len(seqs[j])
		}
	}
	ok := make([]bool, len(es))
	for i := range es {
		ok[i] = c.memo[keys[i]]
	}
	return ok, nil
}
