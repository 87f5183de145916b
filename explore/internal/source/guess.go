package source

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
)

// ownsName is what conditions call to ask for ownership.
const ownsName = "owns"

// maxGuesses is how many guesses a policy can have.
const maxGuesses = 10

// guess declares a guess. Directives know it everywhere, Go code nowhere.
func (p *policy) guess(c *comment, a Act) {
	name := a.Name.Text
	if slices.Contains(p.guesses, name) {
		return // in another operation
	}
	hides := p.l.pkg.Scope().Lookup(name) != nil
	for _, o := range p.l.info.Defs {
		v, ok := o.(*types.Var)
		hides = hides || ok && !v.IsField() && v.Name() == name
	}
	switch {
	case hides || name == ownsName:
		p.wrong(c, a.Name.Off, "the package knows another %s: take another name for the guess", name)
	case len(p.guesses) == maxGuesses:
		p.wrong(c, a.Name.Off, "there are more than %d guesses", maxGuesses)
	}
	p.guesses = append(p.guesses, name)
}

// own are the names in an expression that directives have beside Go's, in their order: guesses,
// and owns where it is called.
func (p *policy) own(e ast.Expr) (list []*ast.Ident) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == ownsName && p.l.pkg.Scope().Lookup(ownsName) == nil {
				list = append(list, id)
			}
		case *ast.Ident:
			if slices.Contains(p.guesses, n.Name) {
				list = append(list, n)
			}
		}
		return true
	}
	ast.Inspect(e, visit)
	slices.SortFunc(list, func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return list
}

// prophecies checks that whether a guess turns out, and how, depends on no guess and no state: only
// then each execution has a run in which the guesses are right.
func (p *policy) prophecies() {
	type place struct {
		c *comment
		s *Statement
	}
	var all []place
	from := map[*Statement]string{} // the message that a rule receives
	for _, d := range p.bodies {
		all = append(all, place{&d.comment, &d.Statement})
	}
	for _, d := range p.rules {
		all = append(all, place{&d.comment, &d.Statement})
		from[&d.Statement] = d.Message.Text
	}
	sent := map[string]bool{} // messages that, or whose arguments, depend on a guess or a state
	owned := false            // what is owned does
	for range 2 + len(p.messages) {
		for _, x := range all {
			whether := p.depends(x.s, owned) != "" || sent[from[x.s]]
			for _, a := range x.s.Acts {
				what := slices.ContainsFunc(append([]Piece{a.Expr}, a.Args...), func(e Piece) bool { return p.mentions(e, owned) != "" })
				switch {
				case !whether && !what:
				case a.Kind == Own:
					owned = true
				case a.Kind == Broadcast:
					sent[a.Name.Text] = true
				}
			}
		}
	}
	for _, x := range all {
		for _, a := range x.s.Acts {
			if a.Kind != Assume {
				continue
			}
			switch why := p.depends(x.s, owned); {
			case why != "":
				p.wrong(x.c, a.At, "a guess must turn out whatever was guessed, but this depends on %s", why)
			case sent[from[x.s]]:
				p.wrong(x.c, a.At, "a guess must turn out whatever was guessed, but %s, or whether it is broadcast, depends on a guess or a state", from[x.s])
			case p.mentions(a.Expr, owned) != "":
				p.wrong(x.c, a.Expr.Off, "what a guess turns out to be depends on %s", p.mentions(a.Expr, owned))
			}
		}
	}
}

// depends says on which guess or state it depends whether a statement acts.
func (p *policy) depends(s *Statement, owned bool) string {
	if s.State.Text != "" {
		return "state " + s.State.Text
	}
	return p.mentions(s.Cond, owned)
}

// mentions says what an expression depends on: a guess, or ownership if that depends on one.
func (p *policy) mentions(x Piece, owned bool) string {
	e, err := parser.ParseExpr(x.Text)
	if err != nil {
		return ""
	}
	for _, id := range p.own(e) {
		if id.Name != ownsName {
			return "the guess " + id.Name
		} else if owned {
			return "owns, and that on a guess or a state"
		}
	}
	return ""
}
