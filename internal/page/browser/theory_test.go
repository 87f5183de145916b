package browser

import (
	"bytes"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/review"
)

// TestTheory: pages of specifications can be read in both themes, on wide and narrow
// screens, and ticked by keyboard; their drawings have room.
func TestTheory(t *testing.T) {
	for _, name := range []string{"queue", "kv", "mutex", "boundedqueue"} {
		var page bytes.Buffer
		if err := review.Theory(&page, historytest.Example(t, name)); err != nil {
			t.Fatal(err)
		}
		b := open(t)
		for _, theme := range []string{"light", "dark"} {
			b.do(scheme(theme))
			for _, width := range []int64{1280, 400} {
				b.do(emulation.SetDeviceMetricsOverride(width, 900, 1, false))
				b.visit(file(t, page.Bytes()), "")
				b.contrasts()
				b.expect(`String(document.documentElement.scrollWidth <= innerWidth)`, "true")
			}
			b.shot("theory-" + name + "-" + theme)
		}
		b.expect(`String(document.querySelectorAll("figure svg").length > 0)`, "true")
		b.do(chromedp.Focus(`.tick input`, chromedp.ByQuery), chromedp.KeyEvent(" "))
		b.expect(`String(document.querySelector(".tick input").checked)`, "true")
		b.good()
	}
}
