package theory

import (
	"errors"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/suggest"
)

// A specDecoder reads a spec. The vocabulary grows as methods and predicates
// are read; formulas come after them.
type specDecoder struct {
	*decoder
	spec  Spec
	seen  map[string]map[string]int // what, name: line of its declaration
	parts int                       // of the formulas so far, their predicates written out
}

func (d *decoder) spec(n *yaml.Node) Spec {
	s := &specDecoder{decoder: d, spec: Spec{Width: 1}, seen: map[string]map[string]int{}}
	s.spec.Matching = Matching{ReadOnly: formula.Const(false)}
	each := func(what string, read func(*yaml.Node)) func(*yaml.Node) {
		return func(n *yaml.Node) { s.list(n, what, read) }
	}
	s.object(n, "spec",
		optional("width", func(n *yaml.Node) { s.spec.Width = s.upTo(n, "width", 1, maxDrawn) }),
		required("methods", each("methods", s.method)),
		optional("predicates", each("predicates", s.predicate)),
		optional("language", each("language", func(n *yaml.Node) {
			s.spec.Language = append(s.spec.Language, s.rule(n, "rule of the language"))
		})),
		optional("beyond", each("beyond", func(n *yaml.Node) {
			s.spec.Beyond = append(s.spec.Beyond, s.rule(n, "statement beyond the language"))
		})),
		optional("matching", s.matching),
		optional("axioms", each("axioms", func(n *yaml.Node) {
			s.spec.Axioms = append(s.spec.Axioms, s.rule(n, "axiom"))
		})),
		optional("patterns", each("patterns", s.pattern)),
	)
	return s.spec
}

// declare checks that a name is new among those of its kind.
func (s *specDecoder) declare(n *yaml.Node, what, name string) {
	if s.seen[what] == nil {
		s.seen[what] = map[string]int{}
	}
	if s.err == nil {
		s.unique(n, s.seen[what], what, name)
	}
}

func (s *specDecoder) method(n *yaml.Node) {
	var m history.MethodSig
	s.object(n, "a method",
		required("name", func(n *yaml.Node) {
			m.Name = s.name(n, "a method's name")
			s.declare(n, "method", m.Name)
		}),
		optional("args", func(n *yaml.Node) { m.Args = s.upTo(n, "args", 0, maxArity) }),
		required("outcomes", func(n *yaml.Node) {
			s.list(n, "outcomes", func(n *yaml.Node) { m.Outcomes = append(m.Outcomes, s.outcomeOf(n, m)) })
			if s.err == nil && len(m.Outcomes) == 0 {
				s.fail(n, "a method needs an outcome at least; one without results has the outcome none")
			}
		}),
		optional("aliases", func(n *yaml.Node) {
			s.list(n, "aliases", func(n *yaml.Node) {
				a := s.name(n, "an alias")
				s.declare(n, "method", a)
				m.Aliases = append(m.Aliases, a)
			})
		}),
	)
	s.spec.Methods = append(s.spec.Methods, m)
}

func (s *specDecoder) outcomeOf(n *yaml.Node, m history.MethodSig) (o history.OutcomeSig) {
	s.object(n, "an outcome",
		required("outcome", func(n *yaml.Node) {
			o.Outcome = s.outcome(n)
			if slices.ContainsFunc(m.Outcomes, func(p history.OutcomeSig) bool { return p.Outcome == o.Outcome }) {
				s.fail(n, "outcome %q is declared twice", o.Outcome)
			}
		}),
		optional("returns", func(n *yaml.Node) { o.Rets = s.upTo(n, "returns", 0, maxArity) }),
	)
	return o
}

func (s *specDecoder) predicate(n *yaml.Node) {
	var p formula.Predicate
	s.object(n, "a predicate",
		required("name", func(n *yaml.Node) {
			p.Name = s.name(n, "a predicate's name")
			s.declare(n, "predicate", p.Name)
			if s.err == nil && slices.Contains(builtin, p.Name) {
				s.fail(n, "%q has a meaning of its own in formulas; choose another name", p.Name)
			}
		}),
		required("params", func(n *yaml.Node) {
			s.list(n, "params", func(n *yaml.Node) {
				x := s.name(n, "a parameter")
				if slices.Contains(p.Params, x) {
					s.fail(n, "parameter %q is declared twice", x)
				}
				p.Params = append(p.Params, x)
			})
		}),
		required("formula", func(n *yaml.Node) { p.Body = s.formula(n, p.Params...) }),
	)
	s.spec.Predicates = append(s.spec.Predicates, p)
}

// builtin lists the words of the formula language, which name no predicate.
var builtin = []string{
	"forall", "exists", "true", "false", "before", "unmatched", "completed", "readonly", "used",
	"match", "method", "outcome", "arg", "ret",
}

func (s *specDecoder) rule(n *yaml.Node, what string) (r Rule) {
	s.object(n, "a "+what,
		required("name", func(n *yaml.Node) {
			r.Name = s.line(n, "a rule's name")
			s.declare(n, what, r.Name)
		}),
		optional("reading", func(n *yaml.Node) { r.Reading = s.line(n, "a reading") }),
		required("formula", func(n *yaml.Node) { r.Formula = s.formula(n) }),
	)
	return r
}

func (s *specDecoder) matching(n *yaml.Node) {
	m := &s.spec.Matching
	s.object(n, "matching",
		optional("mode", func(n *yaml.Node) {
			m.Past = s.word(n, "mode", modes[false], modes[true]) == modes[true]
		}),
		required("target", func(n *yaml.Node) {
			s.list(n, "target", func(n *yaml.Node) { m.Target = append(m.Target, s.formula(n, "x", "y")) })
		}),
		optional("readonly", func(n *yaml.Node) { m.ReadOnly = s.formula(n, "x") }),
	)
}

// formula parses a formula and reports its errors where the file shows them.
func (s *specDecoder) formula(n *yaml.Node, free ...string) formula.Formula {
	text := s.text(n, "a formula")
	if s.err != nil {
		return formula.Const(false)
	}
	v := s.spec.vocabulary()
	f, err := formula.Parse(strings.TrimRight(text, " \n"), v, free...)
	if err == nil {
		s.parts += formula.Parts(f, v)
	}
	switch {
	case err != nil:
		s.shown(n, err)
	case s.parts > maxParts:
		s.fail(n, "up to here the formulas have more than %d parts, their predicates written out; use fewer formulas, or smaller predicates", maxParts)
	}
	return f
}

func (s *specDecoder) pattern(n *yaml.Node) {
	var p Pattern
	var labels []history.Label
	s.object(n, "a pattern",
		required("name", func(n *yaml.Node) {
			p.Name = s.line(n, "a pattern's name")
			s.declare(n, "pattern", p.Name)
		}),
		optional("group", func(n *yaml.Node) { p.Group = s.line(n, "a group") }),
		optional("reading", func(n *yaml.Node) { p.Reading = s.line(n, "a reading") }),
		required("drawing", func(n *yaml.Node) {
			p.Drawing = s.text(n, "a drawing")
			p.History, labels = s.drawing(n, p.Drawing)
			s.declared(n, labels)
		}),
		required("weight", func(n *yaml.Node) {
			p.Weight = s.number(n, "a weight", 0)
			if w := p.History.Weight(); s.err == nil && p.Weight != w {
				s.fail(n, "the drawing's weight is %d, not %d", w, p.Weight)
			}
		}),
		required("formula", func(n *yaml.Node) {
			p.Formula = s.formula(n)
			if s.err == nil {
				s.compare(n, &p)
			}
		}),
	)
	s.spec.Patterns = append(s.spec.Patterns, p)
}

// compare fails unless the formula is the embedding formula of the drawing, up
// to simplification.
func (s *specDecoder) compare(n *yaml.Node, p *Pattern) {
	want := formula.String(formula.Simplify(formula.Embed(&p.History)))
	if formula.String(p.Formula) == want {
		return
	}
	if got := formula.String(formula.Simplify(p.Formula)); got != want {
		g, w := difference(got, want)
		s.fail(n, "the formula is not the one of the drawing: it has %q where the drawing's has %q", g, w)
	}
}

// difference is the first conjunct or so in which two formulas differ.
func difference(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	i = strings.LastIndexAny(a[:i], " (") + 1
	if amp := strings.LastIndex(a[:i], "& "); amp >= 0 && !strings.Contains(a[amp:i], ".") {
		i = amp + 2
	}
	cut := func(s string) string {
		if s == "" {
			return "nothing more"
		}
		part, _, _ := strings.Cut(s, " &")
		return part
	}
	return cut(a[i:]), cut(b[i:])
}

func (s *specDecoder) drawing(n *yaml.Node, text string) (history.History, []history.Label) {
	if s.err != nil {
		return history.History{}, nil
	}
	h, labels, err := history.ParseDrawing(text)
	if err == nil {
		switch {
		case len(h.Ops) == 0:
			s.fail(n, "a drawing has an operation at least")
		case len(h.Ops) > maxDrawn:
			s.fail(n, "a drawing in a theory has at most %d operations, and this one has %d", maxDrawn, len(h.Ops))
		}
		return *h, labels
	}
	s.shown(n, err)
	return history.History{}, nil
}

// shown reports a mistake in the text of a scalar where the file shows it.
func (s *specDecoder) shown(n *yaml.Node, err error) {
	var e *history.ParseError
	if !errors.As(err, &e) {
		s.fail(n, "%v", err)
		return
	}
	line, col := s.src.position(n, e.Pos.Line, e.Pos.Col)
	s.failAt(line, col, e.Msg)
}

// declared checks the operations of a drawing against the methods.
func (s *specDecoder) declared(n *yaml.Node, labels []history.Label) {
	for _, l := range labels {
		if s.err != nil {
			return
		}
		if msg := s.spec.misuse(l); msg != "" {
			line, col := placeOf(n.Value, l.Method)
			line, col = s.src.position(n, line, col)
			s.failAt(line, col, msg)
		}
	}
}

// misuse says how a drawn label contradicts the declared methods, or "".
func (s *Spec) misuse(l history.Label) string {
	var names, outcomes []string
	for _, m := range s.Methods {
		names = append(names, m.Name)
	}
	i := slices.Index(names, l.Method)
	if i < 0 {
		return "unknown method " + quote(l.Method) + suggest.Hint(l.Method, names)
	}
	m := &s.Methods[i]
	if len(l.Args) > 0 && len(l.Args) != m.Args {
		return l.String() + ": " + m.Name + " takes " + counted(m.Args, "argument")
	}
	if l.Outcome == history.Pending {
		return ""
	}
	for _, o := range m.Outcomes {
		if o.Outcome != l.Outcome {
			outcomes = append(outcomes, string(o.Outcome))
			continue
		}
		if len(l.Rets) > 0 && len(l.Rets) != o.Rets {
			return l.String() + ": outcome " + string(o.Outcome) + " of " + m.Name + " returns " + counted(o.Rets, "value")
		}
		return ""
	}
	hint := suggest.Hint(string(l.Outcome), outcomes)
	if hint == "" {
		hint = "; it has " + strings.Join(outcomes, ", ")
	}
	return "method " + quote(m.Name) + " has no outcome " + quote(string(l.Outcome)) + hint
}

// placeOf finds the first operation of a method in a drawing: line and column.
func placeOf(drawing, method string) (line, col int) {
	i := strings.Index(drawing, "] "+method)
	if i < 0 {
		return 1, 1
	}
	before := drawing[:i+2]
	nl := strings.LastIndex(before, "\n")
	return strings.Count(before, "\n") + 1, chars(before[nl+1:]) + 1
}
