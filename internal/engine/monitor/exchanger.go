package monitor

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// exchanging are the formulas of an exchanger, in which SOME and NONE stand for its
// outcomes.
var exchanging = struct{ language, target, readOnly, axioms []string }{
	[]string{"forall x:Op, y:Op. arg(x) = arg(y) -> x = y"},
	[]string{"arg(y) = ret(x)"},
	[]string{"outcome(x) = NONE"},
	[]string{
		"forall x:Op. outcome(x) = SOME -> exists y:Op. x != y & match(x) = y",
		"forall x:Op, y:Op. match(x) = match(y) -> x = y",
		"forall x:Op, y:Op. match(x) = y -> match(y) = x",
		"forall x:Op, y:Op. match(x) = y -> !before(x, y) & !before(y, x)",
	},
}

// byExchange selects the procedure for exchangers if the formulas of a theory are
// those of one, up to the names of method, outcomes and variables. Pairs overlap, so
// that sequences say nothing of it: it is compared with the theory on random
// executions only.
func byExchange(ctx context.Context, t *theory.Theory, judge Judge) (*Procedure, bool, error) {
	s := &t.Spec
	if len(s.Methods) != 1 || s.Methods[0].Args != 1 || len(s.Methods[0].Outcomes) != 2 || len(s.Patterns)+len(s.MayFail)+len(s.Beyond) > 0 || s.Matching.Past || s.Width != 2 {
		return nil, false, nil
	}
	m := s.Methods[0]
	some, none := m.Outcomes[0], m.Outcomes[1]
	if some.Rets == 0 {
		some, none = none, some
	}
	if some.Rets != 1 || none.Rets != 0 {
		return nil, false, nil
	}
	own := func(rules []theory.Rule) (fs []formula.Formula) {
		for _, r := range rules {
			fs = append(fs, r.Formula)
		}
		return fs
	}
	v, names := t.Vocabulary(), strings.NewReplacer("SOME", string(some.Outcome), "NONE", string(none.Outcome))
	for _, part := range []struct {
		texts []string
		own   []formula.Formula
	}{
		{exchanging.language, own(s.Language)}, {exchanging.axioms, own(s.Axioms)},
		{exchanging.target, s.Matching.Target}, {exchanging.readOnly, []formula.Formula{s.Matching.ReadOnly}},
	} {
		if !sameFormulas(part.own, part.texts, names, v) {
			return nil, false, nil
		}
	}
	x := &batch.Method{Args: 1, Open: batch.MaybeRemove, Unique: true, Outcomes: []batch.Outcome{
		{Outcome: some.Outcome, Rets: 1, Role: batch.Remove, Unique: true}, {Outcome: none.Outcome, Role: batch.Empty, Unique: true}}}
	r := &batch.Reader{Methods: map[string]*batch.Method{m.Name: x}}
	for _, a := range m.Aliases {
		r.Methods[a] = x
	}
	l := shape{Name: "exchanger", Whole: true, about: "each takes what another one offered that runs at the same time", New: func() batch.Algorithm { return new(batch.Exchanger) }}
	found := &Procedure{theory: t.Name, why: "the axioms of theory " + t.Name + " are those of an exchanger: " + l.about, shape: l, reader: r}
	if err := found.concurrently(ctx, found.shape.New(), rand.New(rand.NewPCG(1, 2)), found.labels(t, 3), judge); err != nil {
		return nil, false, ctx.Err()
	}
	return found, true, nil
}

var (
	variable = wording.Regexp(`(\w+):Op`)
	word     = wording.Regexp(`\w+`)
)

// canonical is a text that formulas share only if they are the same up to the names
// of bound variables.
func canonical(f formula.Formula, v *formula.Vocabulary) string {
	text := formula.String(formula.Expand(f, v))
	var bound []string
	for _, m := range variable().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(bound, m[1]) {
			bound = append(bound, m[1])
		}
	}
	return word().ReplaceAllStringFunc(text, func(word string) string {
		if i := slices.Index(bound, word); i >= 0 {
			return "variable " + string(rune('a'+i))
		}
		return word
	})
}

// sameFormulas reports whether formulas are those of some texts, in any order.
func sameFormulas(fs []formula.Formula, texts []string, names *strings.Replacer, v *formula.Vocabulary) bool {
	var own, want []string
	for _, f := range fs {
		if f == nil {
			return false
		}
		own = append(own, canonical(f, v))
	}
	for _, text := range texts {
		var free []string
		if !strings.HasPrefix(text, "forall") {
			free = []string{"x", "y"}
		}
		f, err := formula.Parse(names.Replace(text), v, free...)
		if err != nil {
			return false
		}
		want = append(want, canonical(f, v))
	}
	slices.Sort(own)
	slices.Sort(want)
	return slices.Equal(own, want)
}
