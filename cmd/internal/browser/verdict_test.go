package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/theory"
)

// TestVerdict: links, clicks, filters and the order do what they say.
func TestVerdict(t *testing.T) {
	v := verdict(t, queue(60, 3, true))
	b := open(t)
	b.visit(written(t, v), "#op=17")
	b.drawn()
	told := `document.getElementById("told").textContent`
	if got := b.say(told); !strings.HasPrefix(got, "[17] ") {
		t.Errorf("#op=17 shows %q", got)
	}
	b.expect(`document.activeElement.id`, "view")
	first := v.Report.Explanation.Execution.Ops[0]
	b.do(chromedp.Click(`.operations a`, chromedp.ByQuery))
	b.expect(`location.hash`, "#op="+first.ID)
	if got := b.say(told); !strings.HasPrefix(got, "["+first.ID+"] "+first.Label.String()) || !strings.Contains(got, "part of the violation") {
		t.Errorf("the link to %s shows %q", first.ID, got)
	}
	b.do(chromedp.Focus(`#all`, chromedp.ByQuery), chromedp.Click(`.operations a`, chromedp.ByQuery)) // where one is
	b.expect(`document.activeElement.id`, "view")
	b.do(chromedp.SetValue(`#find`, "no such", chromedp.ByQuery), chromedp.SendKeys(`#find`, kb.Enter, chromedp.ByQuery))
	b.expect(told, "The log has no operation [no such].")

	b.do(chromedp.Click(`.derivation li:last-child button`, chromedp.ByQuery))
	b.expect(`document.querySelector(".derivation li:last-child button").getAttribute("aria-pressed")`, "true")
	var ops []string
	b.do(chromedp.Evaluate(`JSON.parse(document.querySelector(".derivation li:last-child").dataset.ops)`, &ops))
	marked := len(strings.Fields(b.say(`[...document.querySelectorAll("tr.marked")].map(r => r.dataset.op).join(" ")`)))
	if spans := b.say(`String(document.querySelectorAll(".span.marked").length)`); marked == 0 || marked > len(ops) || spans != fmt.Sprint(marked) {
		t.Errorf("a step about %v marks %d rows and %s spans", ops, marked, spans)
	}

	adds, value := 0, ""
	for i := range v.Log.Execution.Ops {
		if o := &v.Log.Execution.Ops[i]; o.Method == "add" {
			adds, value = adds+1, string(o.Args[0])
		}
	}
	count := `document.getElementById("count").textContent`
	set := func(id, value string) {
		b.do(chromedp.Evaluate(fmt.Sprintf(`{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input")); }`, id, value), nil))
	}
	set("by-method", "=add")
	b.expect(count, fmt.Sprintf("%d of 60 operations", adds))
	set("by-value", value)
	b.expect(count, "1 of 60 operations")
	set("by-process", "nobody")
	b.expect(count, "0 of 60 operations")
	b.do(chromedp.Click(`#all`, chromedp.ByQuery))
	b.expect(count, "60 of 60 operations")
	b.good()
}

// TestOrder: keys walk through the order that explains a good log.
func TestOrder(t *testing.T) {
	v := verdict(t, queue(60, 3, false))
	v.States = func(order []history.Label) (states []string) {
		for i := range order {
			states = append(states, fmt.Sprintf("in state %d", i+1))
		}
		return states
	}
	b := open(t)
	b.visit(written(t, v), "")
	b.drawn()
	order := v.Report.Evidence.Order
	if len(order) < 50 {
		t.Fatalf("the order has %d operations", len(order))
	}
	b.do(chromedp.Focus(`#step`, chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	taken := `document.getElementById("taken").textContent`
	if got, want := b.say(taken), fmt.Sprintf("2 of %d: [%s] ", len(order), order[1].Op); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "in state 2.") {
		t.Errorf("after two steps: %q, want %q", got, want)
	}
	b.do(chromedp.Click(`#back`, chromedp.ByQuery))
	if got, want := b.say(taken), fmt.Sprintf("1 of %d: [%s] ", len(order), order[0].Op); !strings.HasPrefix(got, want) {
		t.Errorf("one step back: %q, want %q", got, want)
	}
	b.shot("order")
	b.good()
}

// TestAnnotations: what others did is a band behind the operations until the next record of theirs, and a table.
func TestAnnotations(t *testing.T) {
	v := verdict(t, queue(60, 3, false))
	v.Log.Annotations = []page.Annotation{{At: 20, By: "nemesis", Text: "start-partition <b>n1</b>", Line: 7}, {At: 50, By: "clock", Text: "bump"}, {At: 70, By: "nemesis", Text: "stop-partition"}}
	b := open(t, chromedp.EmulateViewport(1280, 900))
	b.visit(written(t, v), "")
	b.drawn()
	b.expect(`[...document.querySelectorAll("[data-annotation]")].map(r => [...r.cells].map(c => c.textContent.trim()).join("|")).join(" ")`,
		"20|nemesis|start-partition <b>n1</b>|7 50|clock|bump| 70|nemesis|stop-partition|")
	// The colours of the drawing below all rows: before, in the first band, in both, in the second alone.
	colours := strings.Fields(b.say(fmt.Sprintf(`{ const c = document.getElementById("view"), r = devicePixelRatio, w = c.clientWidth;
		const row = c.getContext("2d").getImageData(0, Math.round((c.clientHeight - 2.5) * r), c.width, 1).data;
		[10, 30, 60, 100].map(e => { const at = 4 * Math.round((120 + e * (w - 120) / %d) * r); return row.slice(at, at + 4).join(); }).join(" ") }`, v.Log.Execution.Events)))
	if len(colours) != 4 || colours[0] == colours[1] || colours[1] == colours[2] || colours[2] == colours[3] || colours[1] != colours[3] {
		t.Errorf("the colours are %s", colours)
	}
	b.shot("annotations")
	b.good()
}

// TestKey: the filter for keys finds the operations of a key, and is not there without keys.
func TestKey(t *testing.T) {
	v := verdict(t, queue(60, 3, false))
	v.Log.Keys = map[string]theory.Key{"add": {Role: theory.ByKey}, "remove": {Role: theory.ByKey, Ret: 1}}
	value, ops := "", 0
	for i := range v.Log.Execution.Ops {
		if o := &v.Log.Execution.Ops[i]; len(o.Rets) > 0 {
			value, ops = string(o.Rets[0]), 2 // the one that brings it, and the one that takes it
		}
	}
	b := open(t)
	b.visit(written(t, v), "")
	b.drawn()
	b.do(chromedp.SendKeys(`#by-key`, value, chromedp.ByQuery))
	b.expect(`document.getElementById("count").textContent`, fmt.Sprintf("%d of 60 operations", ops))
	b.do(chromedp.Click(`#all`, chromedp.ByQuery))
	b.expect(`document.getElementById("by-key").value`, "")
	b.good()
}

// TestMouse: the mouse selects, moves and zooms.
func TestMouse(t *testing.T) {
	b := open(t, chromedp.EmulateViewport(1280, 1800))
	b.visit(written(t, verdict(t, queue(60, 3, false))), "")
	b.drawn()
	var at struct{ X, Y, Left, Top, Strip float64 }
	b.do(chromedp.Evaluate(`(() => {
		const view = document.getElementById("view").getBoundingClientRect(), strip = document.getElementById("overview").getBoundingClientRect();
		return { X: view.left + view.width / 2, Y: view.top + 30, Left: view.left, Top: view.top, Strip: strip.top + 20 };
	})()`, &at))
	told, shown := `document.getElementById("told").textContent`, `document.getElementById("overview").getAttribute("aria-valuetext")`
	for x := at.X; b.say(told) == "" && x < at.X+300; x += 10 {
		b.do(chromedp.MouseClickXY(x, at.Y))
	}
	if got := b.say(told); !strings.Contains(got, "process client-0") {
		t.Errorf("a click into the first row shows %q", got)
	}
	all := b.say(shown)
	b.do(input.DispatchMouseEvent(input.MouseWheel, at.X, at.Y).WithDeltaX(0).WithDeltaY(-400).WithModifiers(input.ModifierCtrl))
	zoomed := b.say(shown)
	b.do(input.DispatchMouseEvent(input.MousePressed, at.X, at.Y).WithButton(input.Left), input.DispatchMouseEvent(input.MouseMoved, at.X-100, at.Y).WithButton(input.Left).WithButtons(1),
		input.DispatchMouseEvent(input.MouseReleased, at.X-100, at.Y).WithButton(input.Left))
	dragged := b.say(shown)
	b.do(chromedp.MouseClickXY(at.Left+5, at.Strip))
	first := b.say(shown)
	if zoomed == all || dragged == zoomed || !strings.HasPrefix(first, "events 0 to ") {
		t.Errorf("at first %q, zoomed %q, dragged %q, at the start %q", all, zoomed, dragged, first)
	}
	b.good()
}

// TestKeyboard: Tab reaches all controls in the order of the page, each with a name and a
// focus that is seen, and the keys of the drawing do what the page says.
func TestKeyboard(t *testing.T) {
	b := open(t)
	b.visit(written(t, verdict(t, queue(60, 3, true))), "")
	b.drawn()
	const focused = `(() => {
		const e = document.activeElement, s = getComputedStyle(e);
		const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent;
		const all = [...document.querySelectorAll("a[href], button, input, select, canvas, summary, [tabindex]")].filter(x => x.checkVisibility());
		return JSON.stringify({ place: all.indexOf(e), of: all.length, name: name.trim(), seen: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 });
	})()`
	for want := 0; ; want++ {
		b.do(chromedp.KeyEvent(kb.Tab))
		var at struct {
			Place, Of int
			Name      string
			Seen      bool
		}
		if err := json.Unmarshal([]byte(b.say(focused)), &at); err != nil {
			t.Fatal(err)
		}
		if at.Place != want || at.Name == "" || !at.Seen {
			t.Fatalf("stop %d is %+v", want, at)
		}
		if want == at.Of-1 {
			break
		}
	}
	told := `document.getElementById("told").textContent`
	b.do(chromedp.Focus(`#view`, chromedp.ByQuery))
	seen := map[string]bool{}
	for _, key := range []string{kb.ArrowRight, kb.ArrowRight, kb.ArrowDown, kb.End, kb.Home} {
		b.do(chromedp.KeyEvent(key))
		if text := b.say(told); text == "" || seen[text] && key != kb.Home {
			t.Errorf("after key %q the page says %q", key, text)
		} else {
			seen[text] = true
		}
	}
	shown := `document.getElementById("overview").getAttribute("aria-valuetext")`
	all := b.say(shown)
	b.do(chromedp.KeyEvent("+"))
	if zoomed := b.say(shown); zoomed == all {
		t.Errorf("+ leaves %q", zoomed)
	}
	b.do(chromedp.KeyEvent("0"))
	b.expect(shown, all)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.expect(told, "")
	b.good()
}

// TestNoScripts: verdict, operations and derivation are there without scripts.
func TestNoScripts(t *testing.T) {
	v := verdict(t, queue(60, 3, true))
	b := open(t, emulation.SetScriptExecutionDisabled(true))
	b.visit(written(t, v), "")
	b.shot("no-scripts")
	var text string
	b.do(chromedp.Text(`body`, &text, chromedp.ByQuery))
	for _, want := range []string{"violation", "run.log", "[" + v.Report.Explanation.Execution.Ops[0].ID + "]", "contradiction", "scripts are off"} {
		if !strings.Contains(text, want) {
			t.Errorf("without scripts there is no %q", want)
		}
	}
	if strings.Contains(text, "Zoom in") {
		t.Error("without scripts there are controls")
	}
	b.good()
}

// TestPrint: a page prints, without what only screens can show.
func TestPrint(t *testing.T) {
	b := open(t)
	b.visit(written(t, verdict(t, queue(60, 3, true))), "")
	b.drawn()
	b.do(chromedp.ActionFunc(b.print), emulation.SetEmulatedMedia().WithMedia("print"))
	b.expect(`String(document.getElementById("whole").checkVisibility())`, "false")
	b.expect(`String(document.querySelector(".operations").checkVisibility())`, "true")
	b.shot("print")
	b.good()
}

// TestSizes: pages fit into windows of any width, in both themes, and can be read.
func TestSizes(t *testing.T) {
	for _, swap := range []bool{true, false} {
		address := written(t, verdict(t, queue(60, 3, swap)))
		for _, width := range []int64{1280, 400} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprint(swap, width, theme), func(t *testing.T) {
					b := open(t, chromedp.EmulateViewport(width, 900), scheme(theme))
					b.visit(address, "")
					b.drawn()
					b.expect(`String(document.documentElement.scrollWidth)`, fmt.Sprint(width))
					b.contrasts()
					b.shot(fmt.Sprintf("%v-%d-%s", swap, width, theme))
					b.good()
				})
			}
		}
	}
}

// TestLarge: long logs are drawn soon, and go on being drawn as they are moved.
func TestLarge(t *testing.T) {
	for _, ops := range []int{100_000, 1_000_000} {
		t.Run(fmt.Sprint(ops), func(t *testing.T) {
			if ops > 100_000 {
				long(t)
			}
			b := open(t, chromedp.EmulateViewport(1280, 900))
			b.visit(written(t, verdict(t, queue(ops, 8, ops == 100_000))), "")
			b.drawn()
			var times struct{ Paint, Drawn, Mean, Worst float64 }
			b.do(chromedp.Evaluate(frames, &times, awaited))
			t.Logf("%d operations: first paint after %.0f ms, the log is drawn after %.0f ms; a frame of the whole log takes %.1f ms, at worst %.1f", ops, times.Paint, times.Drawn, times.Mean, times.Worst)
			if times.Paint > 10_000 || times.Drawn > 30_000 || times.Mean > 1000 {
				t.Error("that is too long on any machine")
			}
			b.shot(fmt.Sprint("large-", ops))
			b.good()
		})
	}
}

// frames moves the view sixty times, in parts of the log of all sizes.
const frames = `(async () => {
	const view = document.getElementById("view"), press = key => view.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: key.startsWith("Arrow") }));
	const frame = () => new Promise(done => requestAnimationFrame(done));
	press("0");
	await frame();
	const taken = [];
	for (let i = 0; i < 60; i++) {
		press(i % 10 ? "ArrowRight" : "+");
		await frame(); // the one that draws
		const start = performance.now();
		await new Promise(done => setTimeout(done));
		await frame();
		taken.push(performance.now() - start);
	}
	press("0");
	await frame();
	return {
		Paint: performance.getEntriesByName("first-contentful-paint")[0].startTime, Drawn: performance.getEntriesByName("drawn")[0].startTime,
		Mean: taken.reduce((a, b) => a + b) / taken.length, Worst: Math.max(...taken),
	};
})()`
