package foreign_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history/foreign"
)

// oracleFormats write a history, each in its own way. A format that others add needs a row here.
var oracleFormats = map[string]struct {
	format foreign.Format
	write  func(w *oracleRun, records []oracleRecord) string
	keyed  bool // it has a place for :key
}{
	"EDN":                    {foreign.Jepsen, (*oracleRun).edn, true},
	"JSON":                   {foreign.ElleCLI, (*oracleRun).json, true},
	"jepsen.util":            {foreign.Jepsen, (*oracleRun).logged, false},
	"history.txt":            {foreign.Jepsen, (*oracleRun).lines, false},
	"CSV":                    {foreign.CSV, (*oracleRun).table, false},
	"recognized EDN":         {"", (*oracleRun).edn, true},
	"recognized history.txt": {"", (*oracleRun).lines, false},
	"recognized jepsen.log":  {"", (*oracleRun).logged, false},
}

func (w *oracleRun) edn(records []oracleRecord) string {
	var lines []string
	for _, r := range records {
		s := fmt.Sprintf("{:index %d, :process %d, :type :%s, :f :%s", r.index, r.process, r.kind, r.method)
		if r.key != "" {
			s += fmt.Sprintf(", :key %q", r.key)
		}
		if r.value != "" {
			s += ", :value " + r.value
		}
		lines = append(lines, s+fmt.Sprintf(", :time %d}", 100+r.at))
		if w.IntN(9) == 0 {
			lines = append(lines, fmt.Sprintf("{:process :nemesis, :type :info, :f :kill, :value {:n1 [:a]}, :time %d}", 100+r.at))
		}
	}
	if w.IntN(2) == 0 {
		return "[" + strings.Join(lines, "\n") + "]\n"
	}
	return strings.Join(lines, "\n") + "\n"
}

// Sets, maps and their entries, which JSON has in its own way.
var (
	aSet  = regexp.MustCompile(`#\{([^}]*)\}`)
	aMap  = regexp.MustCompile(`\{[^}]*\}`)
	entry = regexp.MustCompile(`:?(\w+) (-?\w+)`)
)

func (w *oracleRun) json(records []oracleRecord) string {
	var lines []string
	for _, r := range records {
		s := fmt.Sprintf(`{"index": %d, "process": %d, "type": %q, "f": %q`, r.index, r.process, r.kind, r.method)
		if r.key != "" {
			s += fmt.Sprintf(`, "key": %q`, r.key)
		}
		if r.value != "" {
			v := aMap.ReplaceAllStringFunc(aSet.ReplaceAllString(r.value, "[$1]"), func(m string) string { return entry.ReplaceAllString(m, `"$1":$2`) })
			s += `, "value": ` + strings.NewReplacer(" ", ", ", "k0", `"k0"`, "k1", `"k1"`, "nil", "null").Replace(v)
		}
		lines = append(lines, s+"}")
	}
	return "[" + strings.Join(lines, ",\n") + "]\n"
}

// table is the history as a table, which says itself what is an answer, and has no rows of what failed.
func (w *oracleRun) table([]oracleRecord) string {
	w.o = foreign.Options{Answers: true, NilIsUnset: true}
	rows := [][]string{{"object", "call_ms", "end_ms", "client", "op", "args", "result"}}
	for _, o := range w.ops {
		pending := o.how == "" || o.how == "info"
		if o.how == "fail" || pending && w.isRead(o) {
			continue
		}
		row := []string{o.object, strconv.Itoa(o.call), "", strconv.Itoa(o.process), o.Method, strings.Join(o.args, ", "), ""}
		if !pending {
			row[2], row[6] = strconv.Itoa(o.done), w.answer(o)
		}
		rows = append(rows, row)
	}
	if !w.keyed {
		for i := range rows {
			rows[i] = rows[i][1:]
		}
	}
	var b strings.Builder
	out := csv.NewWriter(&b)
	_ = out.WriteAll(rows) // a Builder takes all
	return b.String()
}

func (w *oracleRun) lines(records []oracleRecord) string {
	text := ""
	for _, r := range records {
		text += strings.TrimRight(fmt.Sprintf("%d\t:%s\t:%s\t%s", r.process, r.kind, r.method, r.value), "\t") + "\n"
	}
	return text
}

func (w *oracleRun) logged(records []oracleRecord) string {
	text := "2024-03-07 01:33:20,141{GMT}\tINFO\t[main] jepsen.core: Running test:\n{:name \"x\"\n :concurrency 3,\n :nodes [\"n1\"]}\n"
	for line := range strings.Lines(w.lines(records)) {
		if w.IntN(6) == 0 {
			text += "2024-03-07 01:33:24,141{GMT}\tINFO\t[jepsen node n1] jepsen.db: Ready: 3 of 3\n"
		}
		text += "2024-03-07 01:33:25,141{GMT}\tINFO\t[jepsen worker 1] jepsen.util: " + line
	}
	return text
}
