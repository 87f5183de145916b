package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/adtinfer/adtinfer/history"
)

// hostile are texts that are to stay texts.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\u202eb", "<!--", `'&"`, strings.Repeat("x", 10_000), "שלום", "007", "-7", "a  b", `\`, "%41", "281474976710656",
}

// odd is an execution of a queue with such names.
func odd(swap bool) *history.Execution {
	e := queue(60, 3, swap)
	text := func(s string) string { return hostile[len(s)*7%len(hostile)] + s }
	for i := range e.Ops {
		o := &e.Ops[i]
		o.ID = hostile[i%len(hostile)] + fmt.Sprint(i)
		o.Process = text(o.Process)
		for _, vs := range []*[]history.Value{&o.Args, &o.Rets} {
			own := slices.Clone(*vs)
			for j := range own {
				own[j] = history.Value(text(string(own[j])))
			}
			*vs = own
		}
	}
	return e
}

// TestDecode: the script reads the columns of a log, whatever its texts are.
func TestDecode(t *testing.T) {
	for _, e := range []*history.Execution{odd(false), odd(true), queue(1000, 5, false), {}} {
		v := verdict(t, e)
		b := open(t)
		b.visit(written(t, v), "")
		b.drawn()
		var got []string
		b.do(chromedp.Evaluate(`(() => {
			const log = new Log(JSON.parse(document.getElementById("data").textContent));
			return [...log.id.keys()].map(i => [log.name(i), log.label(i), log.data.processes[log.process[i]], log.call[i], log.return[i] === Infinity32 ? -1 : log.return[i], log.line[i], log.find(log.text(log.id[i]))].join("|"));
		})()`, &got))
		want := []string{}
		for i := range e.Ops {
			o := &e.Ops[i]
			want = append(want, fmt.Sprintf("[%s]|%s|%s|%d|%d|%d|%d", o.ID, o.Label, o.Process, o.Call, o.Return, o.CallPos.Line, i))
		}
		if !slices.Equal(got, want) {
			t.Errorf("the log is\n%.2000q\nbut the page has\n%.2000q", want, got)
		}
		b.good()
	}
}

// TestRows: no two operations of a row run at the same time, and each is in a row of its process.
func TestRows(t *testing.T) {
	e := queue(2000, 6, false)
	for i := range e.Ops { // processes that do not know of each other's calls
		e.Ops[i].Process = []string{"", "p2", "p10"}[i*7%3]
	}
	b := open(t)
	b.visit(written(t, verdict(t, e)), "")
	b.drawn()
	var wrong []string
	b.do(chromedp.Evaluate(`(() => {
		const log = new Log(JSON.parse(document.getElementById("data").textContent)), wrong = [];
		log.lanes.forEach(lane => {
			for (let i = lane.from; i < lane.to; i++) {
				const op = log.inLanes[i], before = log.inLanes[i - 1], name = log.data.processes[log.process[op]] || "lane";
				if (i > lane.from && log.return[before] >= log.call[op]) wrong.push("overlap " + op);
				if (log.rows[lane.row].replace(/ \(?\d+\)?$/, "") !== name) wrong.push("row " + op);
				if (log.after(lane, log.return[op]) !== i) wrong.push("search " + op);
			}
		});
		if (log.inLanes.length !== log.ops) wrong.push("operations");
		const names = log.rows.map(r => r.replace(/ \(?\d+\)?$/, ""));
		if ([...new Set(names)].join() !== "lane,p2,p10") wrong.push("order " + names);
		return wrong;
	})()`, &wrong))
	if len(wrong) > 0 {
		t.Errorf("%q", wrong[:min(len(wrong), 10)])
	}
	b.good()
}

// TestHostile: texts are not run, ask for nothing, and do not make a page wider; links lead
// to operations whatever their names are.
func TestHostile(t *testing.T) {
	e := odd(true)
	v := verdict(t, e)
	v.Report.Name, v.Report.Object, v.Command = hostile[0]+hostile[5], hostile[1], hostile[5]
	b := open(t, chromedp.EmulateViewport(400, 900))
	b.visit(written(t, v), "")
	b.drawn()
	b.expect(`String(document.documentElement.scrollWidth)`, "400")
	b.contrasts()
	for _, x := range v.Report.Explanation.Execution.Ops {
		o := e.Ops[slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == x.ID })] // later it may have returned
		b.do(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll(".operations a")].find(a => a.closest("tr").dataset.op === %q).click()`, o.ID), nil), frame)
		if got, want := b.say(`document.getElementById("told").textContent`), "["+o.ID+"] "+o.Label.String(); !strings.HasPrefix(got, want) {
			t.Errorf("the link to %.100q shows %.100q", o.ID, got)
		}
	}
	b.shot("hostile")
	b.good()
}
