package browser

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// painted lists the texts of a page with their colours and what is behind them. Those of the
// canvas are its pairs of variables.
const painted = `(() => {
	const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		const e = n.parentElement;
		if (!n.data.trim() || !e.checkVisibility() || ["SCRIPT", "TITLE", "title", "NOSCRIPT"].includes(e.tagName)) continue;
		let back = e.closest("g.span rect, g.span");
		let behind = back?.querySelector("rect") ? getComputedStyle(back.querySelector("rect")).fill : "";
		for (let b = e; b && !behind; b = b.parentElement) {
			const c = getComputedStyle(b).backgroundColor;
			if (c !== "rgba(0, 0, 0, 0)") behind = c;
		}
		const s = getComputedStyle(e);
		texts.push({ Text: n.data.trim(), Colour: e.ownerSVGElement ? s.fill : s.color, Behind: behind });
	}
	const probe = document.createElement("i");
	document.body.append(probe);
	const colour = name => { probe.style.color = "var(--" + name + ")"; return getComputedStyle(probe).color; };
	for (const [a, b] of [["ink", "panel"], ["soft", "paper"], ["ink", "paper"], ["bad", "paper"], ["mark", "panel"]]) texts.push({ Text: a + " on " + b, Colour: colour(a), Behind: colour(b) });
	probe.remove();
	return texts;
})()`

// contrasts looks at the contrast of all texts: at least 4.5 to 1.
func (b *tab) contrasts() {
	b.t.Helper()
	var texts []struct{ Text, Colour, Behind string }
	b.do(chromedp.Evaluate(painted, &texts))
	if len(texts) < 30 {
		b.t.Errorf("there are %d texts only", len(texts))
	}
	for _, x := range texts {
		if c := contrast(b.t, x.Colour, x.Behind); c < 4.5 {
			b.t.Errorf("%q: %s on %s has a contrast of %.2f", x.Text, x.Colour, x.Behind, c)
		}
	}
}

// contrast is that of two colours, by WCAG 2.2, "contrast ratio".
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var rgb [3]float64
	if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("colour %q: %v", colour, err)
	}
	for i, v := range rgb {
		if v /= 255; v <= 0.04045 {
			rgb[i] = v / 12.92
		} else {
			rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

// TestContrast: black on white is 21 to 1, and a grey that everybody uses is too pale.
func TestContrast(t *testing.T) {
	if c := contrast(t, "rgb(0, 0, 0)", "rgb(255, 255, 255)"); math.Abs(c-21) > 1e-9 {
		t.Errorf("black on white is %f", c)
	}
	if c := contrast(t, "rgb(153, 153, 153)", "rgb(255, 255, 255)"); c >= 4.5 {
		t.Errorf("grey on white is %f", c)
	}
}

// print makes a PDF.
func (b *tab) print(ctx context.Context) error {
	pdf, _, err := page.PrintToPDF().Do(ctx)
	if err == nil && (!bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 5000) {
		err = fmt.Errorf("%d bytes are no PDF", len(pdf))
	}
	return err
}

// long skips what takes long.
func long(t *testing.T) {
	if os.Getenv("ADTINFER_LONG") == "" {
		t.Skip("takes long; ADTINFER_LONG=1 runs it")
	}
}
