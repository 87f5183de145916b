package out

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// Style says how text looks.
type Style int

const (
	Plain  Style = iota // nothing but characters
	Colour              // ANSI escape sequences for terminals
)

// textWidth is the number of columns that sentences take at most.
const textWidth = 80

// Text prints for a terminal what a theory means, on one page; automata, and at the end
// what was checked and to which bound.
func Text(w io.Writer, t *theory.Theory, style Style) error {
	p := &printer{style: style}
	clauses := checked(&t.Status)
	f := firstOf(t)
	p.first(f)
	switch t.Spec.Headline() {
	case theory.ByModel:
		p.model(t, f.laws)
		clauses = tried(t)
	case theory.ByPatterns:
		p.patterns(t.Spec.Patterns)
		p.described(&t.Spec)
	default:
		p.described(&t.Spec)
	}
	if t.Status.Synthesis != nil {
		p.line("The reference declares no matching scheme; this one was found.")
		p.scheme(&t.Spec)
	}
	p.line("checked:")
	for i, c := range clauses {
		if i < len(clauses)-1 {
			c += ";"
		}
		p.wrapped("  ", "    ", c)
	}
	p.list("also tried:", t.Status.Tried)
	p.list("not covered:", notCovered(t))
	if d := decides(t); d != "" {
		p.wrapped("", "", d)
	}
	_, err := io.WriteString(w, led(p.b.String(), left(t), func(s string) string {
		q := &printer{style: style}
		q.wrapped("", "  ", s)
		return q.b.String()
	}))
	return err
}

// led is a text with sentences after its first paragraph.
func led(text string, first []string, write func(string) string) string {
	if len(first) == 0 {
		return text
	}
	title, rest, _ := strings.Cut(text, "\n\n")
	title += "\n\n"
	for _, s := range first {
		title += write(s)
	}
	return title + "\n" + rest
}

type printer struct {
	b     strings.Builder
	style Style
}

// patterns says where the patterns are.
func (p *printer) patterns(ps []theory.Pattern) {
	if len(ps) > 0 {
		p.wrapped("", "  ", p.dim(wording.Count(len(ps), "violation pattern")+", with drawings and formulas: --format markdown"))
		p.line("")
	}
}

// secondValues reports whether some operation is drawn with two values of its
// own, such as a key and what is put under it.
func secondValues(ps []theory.Pattern) bool {
	return slices.ContainsFunc(ps, func(p theory.Pattern) bool { return secondValue().MatchString(p.Drawing) })
}

var secondValue = wording.Regexp(`\bv\d+b\b`)

// list prints clauses below a title.
func (p *printer) list(title string, clauses []string) {
	if len(clauses) == 0 {
		return
	}
	p.line(title)
	for _, c := range clauses {
		p.wrapped("  ", "    ", c)
	}
}

func (p *printer) line(s string) { p.b.WriteString(s + "\n") }

// wrapped prints a sentence, broken at blanks.
func (p *printer) wrapped(first, rest, sentence string) {
	line, width := first, utf8.RuneCountInString(first)
	empty := true
	for _, w := range strings.Fields(sentence) {
		n := visible(w)
		if !empty && width+1+n > textWidth {
			p.line(line)
			line, width, empty = rest, utf8.RuneCountInString(rest), true
		}
		if !empty {
			line, width = line+" ", width+1
		}
		line, width, empty = line+w, width+n, false
	}
	p.line(line)
}

// visible is the number of columns a word takes: escape sequences take none.
func visible(w string) int {
	for _, esc := range []string{escBold, escDim, escOff} {
		w = strings.ReplaceAll(w, esc, "")
	}
	return utf8.RuneCountInString(w)
}

const (
	escBold = "\x1b[1m"
	escDim  = "\x1b[2m"
	escOff  = "\x1b[0m"
)

func (p *printer) bold(s string) string { return p.escaped(escBold, s) }
func (p *printer) dim(s string) string  { return p.escaped(escDim, s) }

func (p *printer) escaped(esc, s string) string {
	if p.style != Colour {
		return s
	}
	return esc + s + escOff
}

// A group is patterns that are one reason at different stages.
type group struct {
	name     string
	patterns []*theory.Pattern
}

// grouped puts the patterns of a group together, at the place of its first one.
// A pattern without a group is a group of its own.
func grouped(ps []theory.Pattern) []group {
	var gs []group
	at := map[string]int{}
	for i := range ps {
		p := &ps[i]
		n, ok := at[p.Group]
		if !ok || p.Group == "" {
			n = len(gs)
			gs = append(gs, group{name: p.Name})
			at[p.Group] = n
			if p.Group != "" {
				gs[n].name = p.Group
			}
		}
		gs[n].patterns = append(gs[n].patterns, p)
	}
	return gs
}
