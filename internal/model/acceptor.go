package model

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/alphabet"
	"github.com/adtinfer/adtinfer/reference"
)

// acceptor explores a nondeterministic reference: it proposes every label and
// asks which are allowed.
type acceptor struct {
	impl     reference.Acceptor
	alphabet *alphabet.Alphabet
	all      *alphabet.Alphabet // every kind the signatures allow
	memo     map[string]bool
}

func newAcceptor(impl reference.Acceptor, a *alphabet.Alphabet) *acceptor {
	args, rets := Signatures(impl.Methods())
	all := alphabet.NewAlphabet(nil)
	for m, method := range impl.Methods() {
		for _, o := range method.Outcomes {
			sorts := append(append([]int(nil), args[m].Sorts...), rets[m][:o.Rets]...)
			addKind(all, history.Kind{Method: method.Name, Outcome: o.Outcome}, m, len(args[m].Sorts), sorts)
		}
	}
	return &acceptor{impl, a, all, map[string]bool{}}
}

func (c *acceptor) extend(ctx context.Context, es [][]alphabet.Label) ([][]alphabet.Label, error) {
	var proposals [][]alphabet.Label // over c.all
	for _, e := range es {
		prefix := c.translate(c.all, c.alphabet, e)
		n := len(prefix)
		c.all.Executions(n+1, func(p []alphabet.Label) bool {
			return len(p) > n || p[len(p)-1] == prefix[len(p)-1]
		}, func(p []alphabet.Label) bool {
			proposals = append(proposals, append([]alphabet.Label(nil), p...))
			return true
		})
	}
	ok, err := c.ask(ctx, c.all, proposals)
	if err != nil {
		return nil, err
	}
	var out [][]alphabet.Label
	for i, p := range proposals {
		if ok[i] {
			out = append(out, c.translate(c.alphabet, c.all, p))
		}
	}
	return out, nil
}

// translate moves an execution to another alphabet, adding kinds as needed.
func (c *acceptor) translate(to, from *alphabet.Alphabet, e []alphabet.Label) []alphabet.Label {
	out := make([]alphabet.Label, len(e))
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

func (c *acceptor) admitted(ctx context.Context, es [][]alphabet.Label, _ bool) ([]bool, error) {
	return c.ask(ctx, c.alphabet, es)
}

// ask decides executions over the given alphabet.
func (c *acceptor) ask(ctx context.Context, a *alphabet.Alphabet, es [][]alphabet.Label) ([]bool, error) {
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
