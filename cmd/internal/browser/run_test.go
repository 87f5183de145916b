package browser

import (
	"bytes"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/adtinfer/adtinfer/cmd/internal/review"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestRun: arrow keys and buttons go through an interleaving, with operations and memory so
// far; without scripts the table is there.
func TestRun(t *testing.T) {
	r, err := explore.Run(t.Context(), explore.Options{Dir: historytest.Root(t) + "/examples/wrong/lostupdate"})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := review.Run(&page, r); err != nil {
		t.Fatal(err)
	}
	b := open(t)
	for _, theme := range []string{"light", "dark"} {
		b.do(scheme(theme), emulation.SetDeviceMetricsOverride(1280, 900, 1, false))
		b.visit(file(t, page.Bytes()), "")
		b.contrasts()
	}
	memory, operations := `document.getElementById("so-far-memory").textContent`, `document.getElementById("so-far-history").textContent`
	b.expect(operations, "goroutine 1 calls inc")
	b.expect(memory, "nothing was read or written")
	b.do(chromedp.Focus(`#steps-table`, chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowDown))
	b.expect(memory, "Counter1.n = 0")
	b.do(chromedp.KeyEvent(kb.End))
	b.expect(memory, "Counter1.n = 1")
	b.expect(`document.querySelector("tr.now bdi").textContent.slice(0, 15)`, "return get => 1")
	b.do(chromedp.Click(`#back`, chromedp.ByQuery), chromedp.Click(`#back`, chromedp.ByQuery))
	b.expect(`document.querySelector("tr.now bdi").textContent`, "call get")
	b.do(emulation.SetScriptExecutionDisabled(true))
	b.visit(file(t, page.Bytes()), "")
	b.do(emulation.SetScriptExecutionDisabled(false), emulation.SetDeviceMetricsOverride(400, 900, 1, false))
	b.expect(`String(document.querySelectorAll("#steps-table tbody tr").length > 5 && document.getElementById("so-far").hidden)`, "true")
	b.good()
}
