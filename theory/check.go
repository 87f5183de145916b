package theory

import (
	"errors"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// outcomes checks that a method has some, and none twice.
func (d *decoder) outcomes(n *node, m *history.MethodSig) {
	if len(m.Outcomes) == 0 {
		d.fail(n, "a method needs an outcome at least; one without results has the outcome none")
	}
	for i, o := range m.Outcomes {
		if slices.ContainsFunc(m.Outcomes[:i], func(p history.OutcomeSig) bool { return p.Outcome == o.Outcome }) {
			d.fail(valueOf(n.Content[i], "outcome"), "outcome %q is declared twice", o.Outcome)
		}
		if o.Error != "" && !wording.IsError(string(o.Outcome)) || o.Error != "" && o.Outcome == history.Error {
			d.fail(valueOf(n.Content[i], "outcome"), "an outcome with the text of an error has a name of its own that begins with err, such as ErrClosed, not %q", o.Outcome)
		}
		if o.Beside != nil && (o.Rets > 0 || o.Outcome != history.Nil && !wording.IsError(string(o.Outcome))) {
			d.fail(valueOf(n.Content[i], "beside"), "only results in front of false, which is nil, or of an error, which no values come with, may always be the same")
		}
	}
}

// builtin lists the words of the formula language, which name no predicate.
var builtin = []string{
	"forall", "exists", "true", "false", "before", "unmatched", "completed", "readonly", "used",
	"match", "method", "outcome", "arg", "ret",
}

// formula parses a formula and reports its errors where the file shows them.
func (d *decoder) formula(n *node, free ...string) formula.Formula {
	text := d.text(n, "a formula")
	if d.err != nil {
		return formula.Const(false)
	}
	v := d.spec.vocabulary()
	f, err := formula.Parse(strings.TrimRight(text, " \n"), v, free...)
	if err == nil {
		d.parts += formula.Parts(f, v)
	}
	switch {
	case err != nil:
		d.shown(n, err)
	case d.parts > maxParts:
		d.fail(n, "up to here the formulas have more than %d parts, their predicates written out; use fewer formulas, or smaller predicates", maxParts)
	default:
		d.named(n, f)
	}
	return f
}

// compare fails unless the formula is the embedding formula of the drawing, up
// to simplification.
func (d *decoder) compare(n *node, p *Pattern) {
	want := formula.String(formula.Simplify(formula.Embed(&p.History)))
	if formula.String(p.Formula) == want {
		return
	}
	if got := formula.String(formula.Simplify(p.Formula)); got != want {
		g, w := difference(got, want)
		d.fail(n, "the formula is not the one of the drawing: it has %q where the drawing's has %q", g, w)
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

// drawing parses a drawing and checks its operations against the methods.
func (d *decoder) drawing(n *node, p *Pattern) {
	if p.Drawing = d.text(n, "a drawing"); d.err != nil {
		return
	}
	h, labels, err := history.ParseDrawing(p.Drawing)
	switch {
	case err != nil:
		d.shown(n, err)
		return
	case len(h.Ops) == 0:
		d.fail(n, "a drawing has an operation at least")
	case len(h.Ops) > maxDrawn:
		d.fail(n, "a drawing in a theory has at most %d operations, and this one has %d", maxDrawn, len(h.Ops))
	}
	p.History = *h
	for _, l := range labels {
		if msg := d.spec.misuse(l); msg != "" {
			line, col := placeOf(n.Value, l.Method)
			line, col = d.src.position(n, line, col)
			d.failAt(line, col, msg)
		}
	}
}

// shown reports a mistake in the text of a scalar where the file shows it.
func (d *decoder) shown(n *node, err error) {
	var e *history.ParseError
	if !errors.As(err, &e) {
		d.fail(n, "%v", err)
		return
	}
	line, col := d.src.position(n, e.Pos.Line, e.Pos.Col)
	d.failAt(line, col, e.Msg)
}

// misuse says how a drawn label contradicts the declared methods, or "".
func (s *Spec) misuse(l history.Label) string {
	var names, outcomes []string
	for _, m := range s.Methods {
		names = append(names, m.Name)
	}
	i := slices.Index(names, l.Method)
	if i < 0 {
		return "unknown method " + quote(l.Method) + wording.Hint(l.Method, names)
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
	hint := wording.Hint(string(l.Outcome), outcomes)
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
