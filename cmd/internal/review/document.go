package review

import (
	"bytes"
	"html"
	"html/template"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document makes a page of a Markdown document: its first heading is the title, and those
// below it begin sections, as does what folds. Code that figures have is drawn by them, and
// links lead to what link makes of them, as do pictures, which become links; nil: they are kept.
// Markup in the document is left out, but for what folds.
func Document(text []byte, figures map[string]template.HTML, link func(to string) string) (*page.Page, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	markdown.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(&figured{figures}, 1)))
	p := &page.Page{Sections: []page.Section{{ID: "about", Title: "About"}}}
	var body bytes.Buffer
	done := func() {
		p.Sections[len(p.Sections)-1].Body = template.HTML(body.String())
		body.Reset()
	}
	root := markdown.Parser().Parse(gmtext.NewReader(text))
	if err := relink(root, link); err != nil {
		return nil, err
	}
	begin := func(id, title string) {
		done()
		p.Sections = append(p.Sections, page.Section{ID: id, Title: title})
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, is := n.(*ast.Heading)
		title, folds := folded(n, text)
		switch {
		case folds && title != formulaFold:
			begin(anchor(title), title)
			_ = markdown.Renderer().Render(&body, text, n)
		case is && h.Level == 1 && p.Title == "":
			p.Title = heading(h, text)
		case is && h.Level == 2:
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			begin(string(name), heading(h, text))
		default:
			if err := markdown.Renderer().Render(&body, text, n); err != nil {
				return nil, err
			}
		}
	}
	done()
	if p.Sections[0].Body == "" {
		p.Sections = p.Sections[1:]
	}
	return p, nil
}

// relink changes where links lead.
func relink(root ast.Node, link func(to string) string) error {
	var pictures []*ast.Image
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch l := n.(type) {
		case *ast.Link:
			if entering && link != nil {
				l.Destination = []byte(link(string(l.Destination)))
			}
		case *ast.Image:
			if entering && link != nil {
				pictures = append(pictures, l)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, p := range pictures { // a page loads nothing from elsewhere
		to := ast.NewLink()
		to.Destination = []byte(link(string(p.Destination)))
		p.Parent().ReplaceChild(p.Parent(), p, to)
		for c := p.FirstChild(); c != nil; c = p.FirstChild() {
			to.AppendChild(to, c)
		}
	}
	return err
}

// heading is the text of a heading.
func heading(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(t.Segment.Value(source)))))
			}
		case *ast.String:
			if entering {
				b.Write(t.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// figured draws code that has a figure.
type figured struct{ figures map[string]template.HTML }

// RegisterFuncs implements renderer.NodeRenderer.
func (f *figured) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, f.code)
	r.Register(ast.KindHTMLBlock, f.markup)
	r.Register(ast.KindRawHTML, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	})
}

func (f *figured) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(source))
	if figure, ok := f.figures[strings.TrimRight(text, "\n")]; ok {
		_, _ = w.WriteString(string(figure))
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code>` + template.HTMLEscapeString(text) + "</code></pre>\n")
	return ast.WalkContinue, nil
}

// formulaFold is the title of what folds inside a section.
const formulaFold = "Formula"

var summaries = wording.Regexp(`^<details><summary>([^<>]*)</summary>$`)

// folded is the title of what folds from a block on.
func folded(n ast.Node, source []byte) (title string, is bool) {
	if n.Kind() != ast.KindHTMLBlock {
		return "", false
	}
	m := summaries().FindStringSubmatch(strings.TrimSpace(string(n.Lines().Value(source))))
	if m == nil {
		return "", false
	}
	return html.UnescapeString(m[1]), true
}

// anchor is the name of a section that folds.
func anchor(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

// markup keeps what folds.
func (f *figured) markup(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if title, is := folded(n, source); is {
		_, _ = w.WriteString("<details><summary>" + html.EscapeString(title) + "</summary>\n")
	} else if strings.TrimSpace(string(n.Lines().Value(source))) == "</details>" {
		_, _ = w.WriteString("</details>\n")
	}
	return ast.WalkContinue, nil
}
