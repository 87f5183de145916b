package foreign_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/history/foreign/table"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// tableRow is an operation of a table, with times in a unit.
type tableRow struct {
	label     history.Label
	call, ret int // ret < 0: pending
}

// tableRun is a table and how it is written.
type tableRun struct {
	*rand.Rand
	model string
	rows  []tableRow
	ties  bool
	skew  int
	wide  int // of intervals
}

// simulate makes operations that a model allows one after the other, then replaces some answers.
func (w *tableRun) simulate(t *testing.T) {
	m, err := wgl.Builtin(w.model)
	if err != nil {
		t.Fatal(err)
	}
	methods, s := wgl.Methods(w.model), m.Init()
	values := []history.Value{"1", "2", "a b", "[1, 2]"}
	if w.IntN(4) == 0 {
		values[1] = `"x,y"`
	}
	used := map[int]bool{}
	moment := func(about int) int {
		for {
			n := about - w.IntN(w.wide)
			if w.ties {
				return n / 10 * 10
			} else if !used[n] {
				used[n] = true
				return n
			}
		}
	}
	for range 300 {
		sig := &methods[w.IntN(len(methods))]
		l := history.Label{Kind: history.Kind{Method: sig.Name}}
		for range sig.Args - w.IntN(sig.Optional+1) {
			l.Args = append(l.Args, values[w.IntN(len(values))])
		}
		o := sig.Outcomes[w.IntN(len(sig.Outcomes))]
		l.Outcome = o.Outcome
		for range o.Rets {
			l.Rets = append(l.Rets, values[w.IntN(len(values))])
		}
		next, ok := m.Step(s, &l)
		if refusing, is := m.(wgl.Refusing); !ok || is && refusing.Refuses(&l) != nil {
			continue
		}
		s = next
		at := 100 + 20*len(w.rows)
		row := tableRow{l, moment(at), moment(at + w.wide)}
		if row.ret < row.call {
			row.call, row.ret = row.ret, row.call
		}
		if w.IntN(8) == 0 {
			row.ret = -1
		}
		if w.rows = append(w.rows, row); len(w.rows) == 3+w.IntN(6) || len(w.rows) == 9 {
			break
		}
	}
	for range w.IntN(3) {
		l := w.rows[w.IntN(len(w.rows))].label
		sig := methods[slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == l.Method })]
		o := sig.Outcomes[w.IntN(len(sig.Outcomes))]
		for l.Outcome, l.Rets = o.Outcome, nil; len(l.Rets) < o.Rets; {
			l.Rets = append(l.Rets, values[w.IntN(len(values))])
		}
		if refusing, is := m.(wgl.Refusing); !is || refusing.Refuses(&l) == nil {
			w.rows[w.IntN(len(w.rows))].label = l
		}
	}
}

// texts are values as a text log has them.
func texts(vs []history.Value) string {
	var all []string
	for _, v := range vs {
		if strings.ContainsAny(string(v), ` "`) && v[0] != '[' {
			v = history.Value(fmt.Sprintf("%q", string(v)))
		}
		all = append(all, string(v))
	}
	return strings.Join(all, ", ")
}

func answer(l *history.Label) string {
	switch l.Outcome {
	case history.None:
		return ""
	case history.Some:
		return texts(l.Rets)
	}
	return string(l.Outcome)
}

// own is the table as a text log, in the order of its rows where times are the same.
func (w *tableRun) own() string {
	type line struct {
		at, kind int
		text     string
	}
	var lines []line
	for i, r := range w.rows {
		lines = append(lines, line{r.call - w.skew, 0, fmt.Sprintf("[%d] call %s(%s)", i+1, r.label.Method, texts(r.label.Args))})
		if r.ret >= 0 {
			lines = append(lines, line{r.ret + w.skew, 1, strings.TrimSpace(fmt.Sprintf("[%d] return %s", i+1, answer(&r.label)))})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return 2*(a.at-b.at) + a.kind - b.kind })
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// time is a time as somebody writes it; a unit is a millisecond, if there is one.
func (w *tableRun) time(how, n int) string {
	switch {
	case n < 0:
		return ""
	case how == 0:
		return time.UnixMilli(int64(n)).UTC().Format(time.RFC3339Nano)
	case how == 1:
		return fmt.Sprintf("%d.%03d", n/1000, n%1000) // seconds
	}
	return fmt.Sprint(n)
}

// write writes the table, and says what --columns is.
func (w *tableRun) write(t *testing.T) (src, columns string) {
	how := w.IntN(4)
	unit := map[int]string{1: "s", 2: "ms", 3: "ms"}[how]
	roles := []string{"call", "return", "method", "arguments", "answer", "process", "latency"}[:5+w.IntN(3)]
	w.Shuffle(len(roles), func(i, j int) { roles[i], roles[j] = roles[j], roles[i] })
	headed := w.IntN(3) > 0
	var header, named []string
	for _, r := range roles {
		title, is := r, r
		if r == "latency" {
			is = "-"
		}
		if (r == "call" || r == "return") && unit != "" {
			is += ":" + unit
			title += []string{"_" + unit, " (" + unit + ")", " time [" + unit + "]"}[w.IntN(3)]
		}
		switch names := map[string][]string{"method": {"op", "Operation", "f"}, "answer": {"result", "Returned"}, "process": {"client_id", "Thread"}}[r]; {
		case headed && (r == "latency" || w.IntN(4) == 0):
			title = "my " + r
			columns = strings.TrimPrefix(columns+","+title+"="+is, ",")
		case len(names) > 0:
			title = names[w.IntN(len(names))]
		}
		header, named = append(header, title), append(named, is)
	}
	records := [][]string{header}
	if !headed {
		records, columns = nil, strings.Join(named, ",")
	}
	for i, r := range w.rows {
		var record []string
		for _, role := range roles {
			record = append(record, map[string]string{
				"call": w.time(how, r.call), "return": w.time(how, r.ret), "method": r.label.Method, "arguments": texts(r.label.Args),
				"answer": map[bool]string{true: answer(&r.label)}[r.ret >= 0], "process": fmt.Sprint("p", i), "latency": "x",
			}[role])
		}
		records = append(records, record)
	}
	return w.separated(t, records), columns
}

func (w *tableRun) separated(t *testing.T, records [][]string) string {
	var b strings.Builder
	if w.IntN(4) == 0 {
		for i, r := range records {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
			if i == 0 {
				b.WriteString("|" + strings.Repeat("---|", len(r)) + "\n")
			}
		}
		return b.String()
	}
	c := csv.NewWriter(&b)
	c.Comma, c.UseCRLF = []rune{',', '\t', ';'}[w.IntN(3)], w.IntN(4) == 0
	if err := c.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTables compares random tables, in any order of columns and rows, with the same histories as text logs.
func TestTables(t *testing.T) {
	for _, model := range []string{"cas-register", "kv", "deque", "mutex", "bounded-queue(2)", "set", "versioned-register", "lease-lock", "unique-ids"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			methods, err := history.NewSignature(wgl.Methods(model)...)
			if err != nil {
				t.Fatal(err)
			}
			c, err := check.New(nil, check.Options{Model: model})
			if err != nil {
				t.Fatal(err)
			}
			counts := map[check.Verdict]int{}
			for seed := range testsize.Samples(1200) {
				r := rand.New(rand.NewPCG(seed, 60))
				w := &tableRun{Rand: r, model: model, ties: r.IntN(2) == 0, skew: max(0, r.IntN(30)-20), wide: 15 + r.IntN(30)}
				w.simulate(t)
				w.Shuffle(len(w.rows), func(i, j int) { w.rows[i], w.rows[j] = w.rows[j], w.rows[i] })
				own := w.own()
				if !w.ties && w.skew == 0 {
					w.Shuffle(len(w.rows), func(i, j int) { w.rows[i], w.rows[j] = w.rows[j], w.rows[i] })
				}
				src, named := w.write(t)
				columns, err := table.ParseColumns(named)
				if err != nil {
					t.Fatalf("%s: %v", named, err)
				}
				log := foreign.New(strings.NewReader(src), "x.csv", foreign.Options{Format: foreign.CSV, Columns: columns, Skewed: w.skew > 0}, methods)
				log.Skew = time.Duration(w.skew) * time.Millisecond
				want, got := w.verdict(t, c, methods, history.NewReader(strings.NewReader(own), "own.log"), own), w.verdict(t, c, methods, log, src)
				if want.Verdict != got.Verdict || want.Prefix != got.Prefix {
					t.Fatalf("seed %d, skew %d, --columns %q: %v in %d, but as text %v in %d\n%s\n%s", seed, w.skew, named, got.Verdict, got.Prefix, want.Verdict, want.Prefix, src, own)
				}
				counts[want.Verdict]++
			}
			if n := int(testsize.Samples(1200)) / 20; counts[check.Violation] < n || counts[check.Linearizable] < n {
				t.Errorf("too one-sided a sample: %v", counts)
			}
			t.Log(counts)
		})
	}
}

func (w *tableRun) verdict(t *testing.T, c *check.Checker, methods history.Signature, log *history.Reader, src string) check.Result {
	t.Helper()
	e, err := log.Execution(methods)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	res, err := c.Check(t.Context(), e)
	if err != nil {
		t.Fatal(errors.Join(err, errors.New(src)))
	}
	return res
}
