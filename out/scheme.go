package out

import (
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// Scheme prints a theory's language and matching for a terminal, and how they
// were found if r is not nil.
func Scheme(w io.Writer, t *theory.Theory, r *matching.Result, style Style) error {
	p := &printer{style: style}
	p.line(p.bold(t.Name + ": matching scheme"))
	p.line("")
	p.scheme(&t.Spec)
	if r != nil {
		p.others(r.Others)
	}
	clauses := faithfulAndNormal(&t.Status)
	if c := synthesized(&t.Status); c != "" {
		clauses = append([]string{c}, clauses...)
	}
	p.list("checked:", clauses)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// scheme prints language, match targets and read-only operations.
func (p *printer) scheme(s *theory.Spec) {
	p.line("language: the executions in which")
	for _, r := range s.Language {
		p.wrapped("  ", "  ", r.Reading)
		p.line("    " + formula.String(r.Formula))
	}
	if len(s.Language) == 0 {
		p.line("  anything may happen")
	}
	p.line("")
	p.line("the match target of x is the y of the first line that some y satisfies:")
	for _, f := range s.Matching.Target {
		p.line("  " + formula.String(f))
	}
	p.line("")
	p.line("x is read-only if")
	p.line("  " + formula.String(s.Matching.ReadOnly))
	p.line("")
}

func (p *printer) others(others []matching.Other) {
	for i, o := range others {
		p.line(fmt.Sprintf("another model (%d of %d), not verified:", i+1, len(others)))
		for _, f := range o.Matching.Target {
			p.line("  " + formula.String(f))
		}
		p.wrapped("  in it ", "  ", strings.Join(o.Differs, "; "))
		p.line("")
	}
}

type jsonScheme struct {
	Name      string            `json:"name"`
	Language  []jsonRule        `json:"language"`
	Target    []string          `json:"target"`
	ReadOnly  string            `json:"readonly"`
	Synthesis *theory.Synthesis `json:"synthesis,omitempty"`
	Others    []jsonOther       `json:"others,omitempty"`
	Faithful  theory.Check      `json:"faithful"`
	Normal    theory.Check      `json:"normal"`
}

type jsonRule struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
	Reading string `json:"reading"`
}

type jsonOther struct {
	Target  []string `json:"target"`
	Differs []string `json:"differs"`
}

// SchemeJSON writes what Scheme prints as one indented object.
func SchemeJSON(w io.Writer, t *theory.Theory, r *matching.Result) error {
	j := jsonScheme{
		Name: t.Name, Language: []jsonRule{}, Target: texts(t.Spec.Matching.Target), ReadOnly: formula.String(t.Spec.Matching.ReadOnly),
		Faithful: t.Status.Faithful, Normal: t.Status.Normal, Synthesis: t.Status.Synthesis,
	}
	for _, l := range t.Spec.Language {
		j.Language = append(j.Language, jsonRule{l.Name, formula.String(l.Formula), l.Reading})
	}
	if r != nil {
		for _, o := range r.Others {
			j.Others = append(j.Others, jsonOther{texts(o.Matching.Target), o.Differs})
		}
	}
	return writeJSON(w, j, "  ")
}

func texts(fs []formula.Formula) []string {
	var out []string
	for _, f := range fs {
		out = append(out, formula.String(f))
	}
	return out
}
