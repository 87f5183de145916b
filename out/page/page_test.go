package page

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// hostile are texts that a log may hold.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\u202eb", "<!--", `'&"`, strings.Repeat("x", 10_000), "",
}

// TestWrite: no text becomes markup, and the policy names style and script of the page.
func TestWrite(t *testing.T) {
	for _, text := range hostile {
		lanes := []Lane{{Name: text, Spans: []Span{{ID: "op-1", Text: text, Start: 0, End: 1, Blamed: true}, {Text: text, Start: 2}}}}
		var b strings.Builder
		err := Write(&b, &Page{Title: text, Summary: text, Script: "1 < 2", Data: []string{text},
			Sections: []Section{{ID: "a", Title: text, Body: Lanes(lanes)}, {ID: "b", Title: text}}})
		if err != nil {
			t.Fatal(err)
		}
		page := b.String()
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") {
			t.Errorf("%q is markup in\n%s", text, page)
		}
		if !strings.Contains(page, "1 < 2") || strings.Count(page, "<script") != 2 {
			t.Errorf("%q: scripts\n%s", text, page)
		}
	}
}

// TestLanes: a drawing is well-formed, and each text fits into its span.
func TestLanes(t *testing.T) {
	for _, text := range hostile {
		lanes := []Lane{
			{Name: "p1", Spans: []Span{{Text: text, Start: 0, End: 2}, {Text: "b", Start: 3}}},
			{Name: text, Spans: []Span{{Text: "read => 7", Start: 1, End: 2}}},
		}
		d := xml.NewDecoder(strings.NewReader(string(Lanes(lanes))))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		at := columns(lanes)
		for _, l := range lanes {
			for _, s := range l.Spans {
				if w := at[max(s.End, s.Start+1)] - at[s.Start]; w < len([]rune(short(s.Text)))*charWidth {
					t.Errorf("%q has %d pixels", s.Text, w)
				}
			}
		}
	}
}
