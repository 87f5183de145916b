package judge

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// nilWords is how many words Nils looks at, for each argument that may be nil.
const nilWords = 100

// argument is a method and one of its parameters, by number.
type argument struct{ method, param int }

// Nils has a theory say which arguments must not be nil, so that logs in which one is are
// no business of it: those with which the reference answers otherwise than a theory says
// to which nil is one more value. Of nil that no log can have nothing is known.
func Nils(ctx context.Context, impl reference.Implementation, t *theory.Theory) error {
	methods := impl.Methods()
	var nilable, passed []argument
	refused := map[argument]bool{}
	for m := range methods {
		for p, b := range methods[m].Params {
			switch text, ok := b.Nilable(); {
			case ok && text == "":
				refused[argument{m, p}] = true
			case ok:
				nilable = append(nilable, argument{m, p})
			}
		}
	}
	if len(nilable)+len(refused) == 0 || t.Spec.Headline() == theory.ByModel || t.Spec.Matching.Past {
		return nil
	}
	oracles, err := allOracles(t)
	if err != nil {
		return err
	}
	for _, a := range nilable {
		right, err := rightAbout(ctx, impl, oracles, a)
		if err != nil {
			return err
		}
		if refused[a] = !right; right {
			passed = append(passed, a)
		}
	}
	if len(passed) > 1 {
		right, err := rightAbout(ctx, impl, oracles, passed...)
		if err != nil {
			return err
		}
		for _, a := range passed {
			refused[a] = !right
		}
	}
	for i := range t.Spec.Methods {
		sig := &t.Spec.Methods[i]
		for m := range methods {
			for p := range methods[m].Params {
				if methods[m].Name == sig.Name && refused[argument{m, p}] {
					sig.NotNil = append(sig.NotNil, p+1)
				}
			}
		}
	}
	return nil
}

// allOracles are those of each of a theory's descriptions, without the reference.
func allOracles(t *theory.Theory) (all []*oracle, err error) {
	w, err := wholeOf(t)
	if err != nil {
		return nil, err
	}
	if w != nil {
		all = append(all, &oracle{whole: w})
	}
	if t.Spec.Headline() == theory.ByPatterns && t.Spec.Control == nil {
		p, err := ofPatterns(t.Formulas())
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// rightAbout reports whether a theory admits what the reference answers where some
// arguments are nil.
func rightAbout(ctx context.Context, impl reference.Implementation, oracles []*oracle, args ...argument) (bool, error) {
	var all [][]teacher.Call
	for i := range nilWords {
		all = append(all, teacher.Nil(impl.Methods(), i, func(m, p int) bool { return slices.Contains(args, argument{m, p}) }))
	}
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return false, nil
	}
	answers, err := teacher.New(impl).Ask(ctx, all)
	if brokeDown(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, o := range oracles {
		for _, a := range answers {
			v, _, err := o.says(ctx, a.Labels)
			if err != nil || v == violation || v == unknown {
				return false, err
			}
		}
	}
	return true, nil
}
