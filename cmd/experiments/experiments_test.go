package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

// TestList: a stranger is told what there is, and what it needs.
func TestList(t *testing.T) {
	var out bytes.Buffer
	for _, args := range [][]string{nil, {"-h"}} {
		out.Reset()
		if err := command(t.Context(), args, &out); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range experiments {
		if !strings.Contains(out.String(), "\n  "+x.name+" ") {
			t.Errorf("%s is not listed:\n%s", x.name, &out)
		}
		if !x.data {
			continue
		}
		err := command(t.Context(), []string{x.name}, &out)
		if !errors.Is(err, errNoData) || !strings.Contains(err.Error(), violin) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s without data: %v", x.name, err)
		}
	}
	if err := command(t.Context(), []string{"figure12"}, &out); err == nil || !strings.Contains(err.Error(), "unknown experiment") {
		t.Error(err)
	}
}

// shapes are the headings of the tables of each experiment.
var shapes = map[string][]string{
	"steps": {
		"| engine | 5ms | 25ms | 50ms | 75ms | 100ms | whole logs | paper, 5s | paper, 100s |",
		"| engine | points | exponent of t/c² | of t |",
	},
	"violations": {"| engine | bkq | dq | rdq | ukq | elsewhere |"},
	"misses":     {"| type | violating | missed | late | probing: missed | late | undecided |"},
	"sets":       {"| set | violations | WGL | WGL+LRU | WGL+P | auto | paper |"},
	"inference": {
		"| type | patterns | paper | new at weight 1, 2, ... | candidates | admitted | time | literal up to weight | histories | admitted | time |",
		"|  | sequences | executable | invalid | patterns | redundant |",
		"| type | languages tried | executions | invalid removals | time | patterns |",
	},
	"policies":   {"| algorithm | verdict | views | time | cap | paper, s |", "| algorithm | verdict | states | time | paper, s |"},
	"refinement": {"| type | defect | I/O | view | later, median | nine of ten | never | view blames |"},
	"peers":      {"| type | execution | auto |"},
}

// exact are rows that do not depend on the machine, as regular expressions.
var exact = map[string][]string{
	"steps": {`\| enumerate \|.* \d{1,3} \|  \| 18 \| 32 \|`, `\| monitor \|.* \d{4,5} \| (1, in [^|]+)? \|`},
	"violations": {`\| logs \| 2 \| 2 \| 0 \| 0 \| 2 \|`, `\| enumerate \| 1 \| 1 \| 0 \| 0 \| 0 \|`, `\| symbolic \| 1 \| 1 \| 0 \| 0 \| 0 \|`,
		`\| saturate \| 1 \| 1 \| 0 \| 0 \| 0 \|`, `\| saturate, removal \| 1 \| 1 \| 0 \| 0 \| 0 \|`, `\| auto \| 1 \| 1 \| 0 \| 0 \| 0 \|`},
	"misses":     {`\| queue \| \d+ \| \d+ \| \d+ \| 0 \|`},
	"sets":       {`\| lazy list \| 0 \|`, `\| skip list \| 0 \|`, `\| striped map \| 0 \|`, `\| faulty, bad hash \| [12] \|`},
	"inference":  {`\| register \| 4 \| 4 \| 2 2 0 .*\| 5976 \| 18 \|`, `\| set \| 15 \| 9 \|`, `\| here \| 202 \| 31 \| 171 \| 7 \| 164 \|`, `\| lock \|.* 14 \|\n`},
	"policies":   {`\| Treiber's stack \| proved \| 2458 \|`, `\| Herlihy and Wing's queue \| holds \|`},
	"refinement": {`\| multiset \| Correct \| 0 \| 0 \|`, `\| multiset \| KeepsSlot \| 0 \| [1-9]`, `\| B-link tree \| Correct \| 0 \| 0 \|`},
	"peers":      {`\| queue \| right \| linearizable, `, `\| queue \| wrong \| violation, `, `- Porcupine: left out`},
}

// TestExperiments runs each at a size of seconds: what does not depend on the machine is as
// it should be, and pictures can be read.
func TestExperiments(t *testing.T) {
	data := recordingsOf(t)
	t.Chdir("../..")
	for _, x := range experiments {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, overview)
			if err := os.WriteFile(file, []byte("before\n| | | | ["+x.name+"]("+x.name+".md) |\nafter\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := command(t.Context(), []string{x.name, "-data", data, "-o", dir}, io.Discard); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(file); !regexp.MustCompile(`^before\n(\| .*\| \[\w+\]\(\w+\.md\) \|\n)+after\n$`).Match(text) || x.name != "peers" && bytes.Contains(text, []byte("| | |")) {
				t.Errorf("overview:\n%s", text)
			}
			page, err := os.ReadFile(filepath.Join(dir, x.name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			traced(t, dir)
			want := shapes[x.name]
			if x.name != "peers" { // which finds nothing without another checker
				want = append([]string{"| what | paper | here |"}, want...)
			}
			if diff := cmp.Diff(want, headings(string(page))); diff != "" {
				t.Errorf("headings (-want +got):\n%s", diff)
			}
			for _, row := range exact[x.name] {
				if !regexp.MustCompile(row).Match(page) {
					t.Errorf("no %s in\n%s", row, page)
				}
			}
		})
	}
}

func headings(page string) (all []string) {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "|---") {
			all = append(all, lines[i-1])
		}
	}
	return all
}

// recordingsOf writes logs in the layout of Violin: small ones of two structures, each with
// a violation, and a large one of Michael and Scott's queue.
func recordingsOf(t *testing.T) string {
	dir := t.TempDir()
	queue := simulations()[0]
	write := func(name string, e *history.Execution) {
		var text bytes.Buffer
		e.Object = "atomic-queue"
		if err := history.WriteText(&text, e); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	wrong := func() *history.Execution {
		return history.Sequential(labelled("add", history.None, 1), labelled("add", history.None, 2), labelled("remove", history.Some, 2))
	}
	for _, group := range []string{"bkq", "ScalObject-dq"} {
		write("small/"+group+".00.log", simulate(queue, rand.New(rand.NewPCG(1, 1)), 5, 2, false, false))
		write("small/"+group+".01.log", wrong())
	}
	write("small/msq/msq.00.log", simulate(queue, rand.New(rand.NewPCG(2, 1)), 5, 2, true, false))
	write("small/ts/ts.00.log", simulate(queue, rand.New(rand.NewPCG(3, 1)), 5, 2, false, false))
	write("simple/fifo-violation-1.log", wrong())
	write("big/msq/msq.0.log", simulate(queue, rand.New(rand.NewPCG(4, 1)), 5_000, 3, false, false))
	if err := os.WriteFile(filepath.Join(dir, "other.log"), []byte("# @object mutex\nwhatever\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTraced: every table and figure in the documents names its command.
func TestTraced(t *testing.T) {
	traced(t, "../../docs/experiments")
	for _, x := range experiments {
		page, err := os.ReadFile("../../docs/experiments/" + x.name + ".md")
		if err != nil || bytes.Contains(page, []byte("commit unknown")) {
			t.Errorf("%s: no page, or of no known commit: %v", x.name, err)
		}
	}
}

var written = regexp.MustCompile("(?m)^Written by `(go run ./cmd/experiments ([a-z]+) -size [^`]*)` on .+, \\d+ processors, go[0-9.]+[^,]*, \\d{4}-\\d\\d-\\d\\d, commit ([0-9a-f]{7,}|unknown)")

// traced checks a folder of what experiments wrote: pages have a command, machine, date and
// commit, and show each of their pictures, which have the same command and numbers beside.
func traced(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name, ext := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), filepath.Ext(file)
		if name == "README" {
			continue
		}
		of, _, _ := strings.Cut(name, "-")
		page, err := os.ReadFile(filepath.Join(dir, of+".md"))
		if err != nil {
			t.Errorf("%s: no experiment writes it: %v", file, err)
			continue
		}
		m := written.FindStringSubmatch(string(page))
		if m == nil || m[2] != of {
			t.Errorf("%s.md does not say how it was written: %.300s", of, page)
			continue
		}
		switch text, _ := os.ReadFile(file); ext {
		case ".md":
		case ".svg":
			if !strings.Contains(string(page), "]("+name+".svg)") || !strings.Contains(string(text), "Written by "+m[1]) {
				t.Errorf("%s: its page does not show it, or it has another command than %s", file, m[1])
			}
			readable(t, text)
		case ".csv":
			rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
			if _, err := os.Stat(filepath.Join(dir, name+".svg")); err != nil || !strings.Contains(string(page), "]("+name+".csv)") {
				t.Errorf("%s: no picture, or no link: %v", file, err)
			}
			if err != nil || len(rows) < 2 || rows[0][0] != "series" {
				t.Errorf("%s: %v, %v", file, err, rows)
			}
		default:
			t.Errorf("%s: no experiment writes such files", file)
		}
	}
}

// readable checks that a picture is XML without infinite places, and has colours for light
// and dark pages that can be told from the background.
func readable(t *testing.T, svg []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
		t.Errorf("a picture has no place for some number:\n%s", svg)
	}
	light, dark, ok := strings.Cut(string(svg), "@media(prefers-color-scheme:dark)")
	colour := regexp.MustCompile(`\.(c[0-9]|b){fill:#[0-9a-f]{6}[;}]`)
	if a, b := colour.FindAllString(light, -1), colour.FindAllString(dark, -1); !ok || len(a) != len(colours)+1 || len(b) != len(a) {
		t.Errorf("a picture has %d colours for light pages, and %d for dark ones", len(a), len(b))
	}
}

// TestColours: graphics need a contrast of 3, text one of 4.5 (WCAG 2.1).
func TestColours(t *testing.T) {
	for background, all := range map[string][]string{background: colours, darkest: darkColours} {
		for _, c := range all {
			if r := contrast(t, c, background); r < 3 {
				t.Errorf("%s on %s: %.1f", c, background, r)
			}
		}
	}
	if a, b := contrast(t, ink, background), contrast(t, lightInk, darkest); a < 4.5 || b < 4.5 {
		t.Errorf("text: %.1f, %.1f", a, b)
	}
}

func contrast(t *testing.T, a, b string) float64 {
	luminance := func(c string) (l float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(c[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			v := float64(n) / 255
			if v <= 0.04045 {
				l += weight * v / 12.92
			} else {
				l += weight * math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return l + 0.05
	}
	return max(luminance(a)/luminance(b), luminance(b)/luminance(a))
}

// TestReadme: the page on what was found is short, and each line of its table is on the page
// that it links, where the experiment wrote both.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../docs/experiments/" + overview)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`\S*\w\S*`).FindAllString(string(text), -1)); n > 600 {
		t.Errorf("%d words, more than 600", n)
	}
	of := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^(\| .*\|) \[\w+\]\((\w+)\.md\) \|$`).FindAllStringSubmatch(string(text), -1) {
		of[row[2]]++
		page, err := os.ReadFile("../../docs/experiments/" + row[2] + ".md")
		if err != nil || !strings.Contains(string(page), "\n"+row[1]+"\n") {
			t.Errorf("%s.md has no line %s (%v): go run ./cmd/experiments %[1]s -o docs/experiments", row[2], row[1], err)
		}
	}
	for _, x := range experiments {
		if of[x.name] == 0 {
			t.Errorf("no line for %s", x.name)
		}
	}
}

// TestPeers: histories as other checkers read them, and what they print.
func TestPeers(t *testing.T) {
	queue := &history.Execution{Events: 4, Ops: []history.Operation{
		{ID: "1", Label: labelled("add", history.None, 7), Call: 0, Return: 2},
		{ID: "2", Label: labelled("remove", history.Nil, 0), Call: 1, Return: 3},
	}}
	cas := history.Sequential(label("compareAndSwap", "0", "3"), label("load"))
	cas.Ops[0].Outcome, cas.Ops[1].Outcome, cas.Ops[1].Rets = history.False, history.Some, []history.Value{"0"}
	register := history.Sequential(labelled("write", history.None, 2), labelled("read", history.Some, 2))
	want := map[string]string{
		"Fastlin": "# queue\nenq 7 0 2\ndeq -1 1 3\n",
		"FPTLin":  "# queue\n0 0 2 ENQ 7\n1 1 3 DEQ -1\n",
		"LiMo":    "# @object atomic-queue\n[1] call enq(7)\n[2] call deq\n[1] return\n[2] return empty\n",
		"Elle": "{:index 0, :time 0, :type :invoke, :process 0, :f :txn, :value [[:w 0 2]]}\n{:index 1, :time 1, :type :ok, :process 0, :f :txn, :value [[:w 0 2]]}\n" +
			"{:index 2, :time 2, :type :invoke, :process 0, :f :txn, :value [[:r 0 nil]]}\n{:index 3, :time 3, :type :ok, :process 0, :f :txn, :value [[:r 0 2]]}\n",
		"Knossos": "{:index 0, :time 0, :type :invoke, :process 0, :f :write, :value 0}\n{:index 1, :time 1, :type :ok, :process 0, :f :write, :value 0}\n" +
			"{:index 2, :time 2, :type :invoke, :process 0, :f :cas, :value [0 3]}\n{:index 3, :time 3, :type :fail, :process 0, :f :cas, :value [0 3]}\n" +
			"{:index 4, :time 4, :type :invoke, :process 0, :f :read, :value nil}\n{:index 5, :time 5, :type :ok, :process 0, :f :read, :value 0}\n",
	}
	of := map[string]*history.Execution{"queue": queue, "register": register, "cas-register(0)": cas}
	for _, p := range foreignPeers() {
		for model, write := range p.write {
			if e := of[model]; e != nil {
				if diff := cmp.Diff(want[p.name], write(e)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", p.name, diff)
				}
			}
		}
		if runtime.GOOS == "windows" {
			continue // what follows is a script of a shell
		}
		for _, said := range []struct {
			prints   string
			good, ok bool
		}{{p.good, true, true}, {p.bad, false, p.bad != ""}, {"", false, false}, {"history.edn\t" + p.good, true, true}} {
			program := filepath.Join(t.TempDir(), "peer")
			if err := os.WriteFile(program, []byte("#!/bin/sh\necho '"+said.prints+"'\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			p.program = program
			o, err := p.decide(context.Background(), "", 10e9)
			if (err == nil) != said.ok || o.good != said.good {
				t.Errorf("%s prints %q: %v, %v", p.name, said.prints, o, err)
			}
		}
	}
}
