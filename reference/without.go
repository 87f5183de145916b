package reference

import (
	"context"
	"slices"
)

// Without is impl without some of its methods, by the names that theories use.
// It must not be an Acceptor. Close closes impl.
func Without(impl Implementation, methods ...string) Implementation {
	w := &without{Implementation: impl}
	for i, m := range impl.Methods() {
		if !slices.Contains(methods, m.Name) {
			w.methods, w.index = append(w.methods, m), append(w.index, i)
		}
	}
	return w
}

type without struct {
	Implementation
	methods []Method
	index   []int // of each method among impl's
}

func (w *without) Methods() []Method { return w.methods }

func (w *without) Replay(ctx context.Context, seqs [][]Call) ([][]Answer, error) {
	out := make([][]Call, len(seqs))
	for i, seq := range seqs {
		for _, c := range seq {
			c.Method = w.index[c.Method]
			out[i] = append(out[i], c)
		}
	}
	return w.Implementation.Replay(ctx, out)
}
