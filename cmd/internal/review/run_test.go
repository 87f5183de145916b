package review

import (
	"html"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestRun: a page has a row for each event of a counterexample, with all that its JSON says.
func TestRun(t *testing.T) {
	r, err := explore.Run(t.Context(), explore.Options{Dir: historytest.Root(t) + "/examples/wrong/lostupdate"})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Counterexample
	if c == nil || len(c.Events) < 5 {
		t.Fatalf("%+v", r)
	}
	var b strings.Builder
	if err := Run(&b, r); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	wellFormed(t, page)
	words := strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, " "))), " ")
	if n := strings.Count(page, "<tr class="); n != len(c.Events) {
		t.Errorf("%d rows, want %d", n, len(c.Events))
	}
	texts := []string{r.Sentence(), c.Replay, r.Against}
	for i := range c.Events {
		texts = append(texts, c.Events[i].Text)
	}
	for _, text := range texts {
		if !strings.Contains(words, strings.Join(strings.Fields(text), " ")) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

// TestHostileRun: no text of a program becomes markup, and a run without a counterexample has
// a page.
func TestHostileRun(t *testing.T) {
	for _, text := range []string{"</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "a\u202eb", strings.Repeat("x", 10_000)} {
		for _, c := range []*explore.Counterexample{nil, {What: text, Replay: text, NoTest: text, Events: []explore.Event{{Step: 1, Goroutine: 2, Event: "write",
			File: text, Line: 3, Object: text, Field: text, Before: text, After: "b", Text: text}}}} {
			r := &explore.Result{Package: text, Type: text, Against: text, Verdict: explore.Incomplete, Why: text, NotModelled: []string{text}, Notes: []string{text}, Counterexample: c}
			var b strings.Builder
			if err := Run(&b, r); err != nil {
				t.Fatal(err)
			}
			if page := b.String(); strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") {
				t.Errorf("%.40q is markup", text)
			}
		}
	}
}
