package browser

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// TestTheory: pages of specifications can be read in both themes, on wide and narrow
// screens, and ticked by keyboard where they unfold; their drawings have room.
func TestTheory(t *testing.T) {
	for _, name := range []string{"queue", "kv", "mutex", "boundedqueue"} {
		var written bytes.Buffer
		if err := review.Theory(&written, historytest.Example(t, name)); err != nil {
			t.Fatal(err)
		}
		b := open(t)
		for _, theme := range []string{"light", "dark"} {
			b.do(scheme(theme))
			for _, width := range []int64{1280, 400} {
				b.do(emulation.SetDeviceMetricsOverride(width, 900, 1, false))
				b.visit(file(t, written.Bytes()), "")
				b.contrasts()
				b.expect(`String(document.documentElement.scrollWidth <= innerWidth)`, "true")
			}
			b.shot("theory-" + name + "-" + theme)
		}
		b.expect(`String(document.querySelectorAll("figure svg").length > 0)`, "true")
		b.expect(`(document.querySelector(".tick").closest("details:not([open])")?.querySelector("summary") ?? document.body).click(), String(document.querySelector(".tick input").checkVisibility())`, "true")
		b.do(chromedp.Focus(`.tick input`, chromedp.ByQuery), chromedp.KeyEvent(" "))
		b.expect(`String(document.querySelector(".tick input").checked)`, "true")
		b.good()
	}
}

// TestTheorySheets: a specification prints on two sheets of paper; two drawings of a queue's patterns stand side by side.
func TestTheorySheets(t *testing.T) {
	for name, most := range map[string]int{"queue": 2, "stack": 2, "set": 4, "mutex": 2, "kv": 2, "boundedqueue": 4, "casregister": 2, "counter": 2} {
		var written bytes.Buffer
		if err := review.Theory(&written, historytest.Example(t, name)); err != nil {
			t.Fatal(err)
		}
		b := open(t)
		b.visit(file(t, written.Bytes()), "")
		var pdf []byte
		b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = page.PrintToPDF().WithPaperWidth(8.27).WithPaperHeight(11.69).Do(ctx) // A4
			return err
		}))
		if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); pages == 0 || pages > most {
			t.Errorf("%s prints on %d pages, want at most %d", name, pages, most)
		}
	}
}

// TestTheoryMutants: each wrong version of the reference is there, with a sequence.
func TestTheoryMutants(t *testing.T) {
	th := historytest.Example(t, "queue")
	th.Status.Mutants.Unseen = []theory.Mutant{{Name: "add <waits>", Shows: "add(1); add(2)", Calls: 2}}
	var written bytes.Buffer
	if err := review.Theory(&written, th); err != nil {
		t.Fatal(err)
	}
	b := open(t)
	b.visit(file(t, written.Bytes()), "")
	b.expect(`[...document.querySelectorAll("[data-unseen]")].map(r => r.textContent).join("; ")`, "add <waits>add(1); add(2)")
	b.expect(`String(document.querySelectorAll("[data-rejected]").length)`, fmt.Sprint(th.Status.Mutants.Seen))
	b.expect(`document.querySelector("[data-rejected]").textContent`, th.Status.Mutants.Rejected[0].Name+th.Status.Mutants.Rejected[0].Shows)
	b.good()
}
