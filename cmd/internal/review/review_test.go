package review

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
)

func written(t *testing.T, th *theory.Theory) string {
	t.Helper()
	var b strings.Builder
	if err := Theory(&b, th); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	svgs = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	tags = regexp.MustCompile(`<[^>]*>`)
)

// wellFormed checks the drawings of a page.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	for _, svg := range svgs.FindAllString(page, -1) {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, svg)
			}
		}
	}
}

// TestTheory: a page shows the patterns that the JSON has, each with its sentence, its
// operations in lanes and a box to tick; and what was checked.
func TestTheory(t *testing.T) {
	for name, drawings := range map[string]int{"queue": 7, "stack": 7, "register": 4, "lock": 14, "mutex": 1, "kv": 1, "casregister": 1, "counter": 1, "boundedqueue": 6} {
		th := historytest.Example(t, name)
		page := written(t, th)
		wellFormed(t, page)
		if n := strings.Count(page, "<figure"); n < drawings || strings.Count(page, `<input type="checkbox">`) != n {
			t.Errorf("%s: %d drawings, want %d, and a box for each", name, n, drawings)
		}
		var j struct {
			Patterns   []struct{ Name, Reading string }
			NotCovered []string
		}
		var text strings.Builder
		if err := out.JSON(&text, th); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text.String()), &j); err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, " "))), " ")
		for _, p := range j.Patterns {
			if !strings.Contains(page, `id="pattern-`+p.Name+`"`) || !strings.Contains(words, p.Reading) {
				t.Errorf("%s: the page lacks %s: %s", name, p.Name, p.Reading)
			}
		}
		for _, c := range j.NotCovered {
			if !strings.Contains(words, strings.Join(strings.Fields(c), " ")) {
				t.Errorf("%s: the page lacks %q", name, c)
			}
		}
	}
}

// TestHostile: no name becomes markup.
func TestHostile(t *testing.T) {
	for _, name := range []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "a\u202eb", "</details></main>", "`x` **y** [z](javascript:1)", strings.Repeat("x", 10_000)} {
		th := historytest.Example(t, "queue")
		th.Name = name
		for i := range th.Spec.Patterns {
			th.Spec.Patterns[i].Name, th.Spec.Patterns[i].Reading = name, name
		}
		th.Status.NotCovered = []string{name}
		page := written(t, th)
		wellFormed(t, page)
		if strings.Contains(page, "<script") || strings.Contains(page, "<img") || strings.Contains(page, `href="javascript`) || strings.Count(page, "</main>") != 1 {
			t.Errorf("%.40q is markup", name)
		}
	}
}

// TestDocument: markup is left out, headings begin sections, and code that has a figure is
// drawn.
func TestDocument(t *testing.T) {
	p, err := Document([]byte("# A & `b`\n\n<b>bold</b> [text](to)\n\n<script>x</script>\n\n## One\n\n```\ncode <x>\n```\n\n## Two\n\n```\ndrawn\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
		map[string]template.HTML{"drawn": "<figure>"}, strings.ToUpper)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Title
	for _, s := range p.Sections {
		got += "\n" + s.ID + " " + s.Title + ": " + strings.Join(strings.Fields(string(s.Body)), " ")
	}
	want := "A & b\nabout About: <p>bold <a href=\"TO\">text</a></p>\none One: <pre tabindex=\"0\"><code>code &lt;x&gt; </code></pre>\n" +
		"two Two: <figure><table> <thead> <tr> <th>a</th> <th>b</th> </tr> </thead> <tbody> <tr> <td>1</td> <td>2</td> </tr> </tbody> </table>"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
