package refusal

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// try leaves out one method at a time until an inference succeeds. If the error
// blames a method, only that one is tried.
func (r *Refusal) try(ctx context.Context, s *survey, impl reference.Implementation, info reference.Info, o Options) error {
	if o.Useful == nil {
		o.Useful = func(_ context.Context, _ reference.Implementation, t *theory.Theory) bool { return says(t) }
	}
	report := o.Progress
	info.Aliases, o.Force = nil, false
	for _, m := range suspects(impl, r.Err) {
		if o.Spent != nil && o.Spent() {
			return nil
		}
		if !s.livesWithout(m) {
			continue
		}
		if report != nil {
			report("trying without " + m)
			o.Progress = func(doing string) { report("trying without " + m + ": " + doing) }
		}
		others := without(impl, m)
		t, err := patterns.Infer(ctx, others, info, o.Options)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && says(t) && o.Useful(ctx, others, t) {
			r.Skip, r.Gives = m, fmt.Sprintf("a theory with %d patterns", len(t.Spec.Patterns))
			return nil
		}
	}
	return nil
}

// suspects are the methods that may be worth leaving out.
func suspects(impl reference.Implementation, err error) (names []string) {
	var foreign *matching.Foreign
	if errors.As(err, &foreign) {
		return []string{foreign.Execution[len(foreign.Execution)-1].Method}
	}
	for _, m := range impl.Methods() {
		names = append(names, m.Name)
	}
	return names
}

// livesWithout reports whether some call of the other methods changes what they
// answer.
func (s *survey) livesWithout(method string) bool {
	_, ok := s.find(func(w word) bool {
		return len(w) > 1 && !s.has(w, method) && s.differ(w, w[1:])
	})
	return ok
}

// says reports whether a theory says something: some pattern has an operation
// that changes the state.
func says(t *theory.Theory) bool {
	for _, p := range t.Spec.Patterns {
		for _, o := range p.History.Ops {
			if !o.ReadOnly {
				return true
			}
		}
	}
	return false
}

// less is a reference without one of its methods. It must not be an Acceptor.
type less struct {
	reference.Implementation
	methods []reference.Method
	index   []int // of each method among the reference's
}

// without is impl without the method of a name.
func without(impl reference.Implementation, method string) reference.Implementation {
	l := &less{Implementation: impl}
	for i, m := range impl.Methods() {
		if m.Name != method {
			l.methods, l.index = append(l.methods, m), append(l.index, i)
		}
	}
	return l
}

func (l *less) Methods() []reference.Method { return l.methods }

func (l *less) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	all := make([][]reference.Call, len(seqs))
	for i, seq := range seqs {
		for _, c := range seq {
			c.Method = l.index[c.Method]
			all[i] = append(all[i], c)
		}
	}
	return l.Implementation.Replay(ctx, all)
}
