package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"sync"
)

// Page is what a file shows.
type Page struct {
	Title    string
	Summary  string // a sentence below the title
	Sections []Section

	Style  string // more CSS, behind what all pages have
	Script string // JavaScript; empty: nothing moves
	Data   any    // as JSON in the element "data", for the script; nil: none

	opens int // how many sections come before the contents; the first of these then has no heading that is seen
}

// Section is a part of a page.
type Section struct {
	ID    string // the anchor
	Title string
	Body  template.HTML
}

//go:embed style.css
var style string

//go:embed page.html
var layout string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"inc": func(i int) int { return i + 1 }}).Parse(layout))
})

// Write writes a page. Errors are those of the writer, and of data that JSON cannot
// hold.
func Write(w io.Writer, p *Page) error {
	var data template.JS
	if p.Data != nil {
		text, err := json.Marshal(p.Data) // it escapes <, > and &, so that no text ends the element
		if err != nil {
			return err
		}
		data = template.JS(text)
	}
	style := style + p.Style
	return pageTemplate().Execute(w, map[string]any{
		"Page": p, "Opens": p.opens, "Policy": policy(style, p.Script), "Style": template.CSS(style),
		"Script": template.JS(p.Script), "Data": data,
	})
}

// policy allows one style and one script, by their hashes, and nothing else.
func policy(style, script string) string {
	p := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + hash(style) + "'"
	if script != "" {
		p += "; script-src '" + hash(script) + "'"
	}
	return p
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
