package out

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// hostile is what a name or a message may hold.
const hostile = "100%,\r\n::error::a:b|c`<b>&amp;]]>"

// ciReports are one of each kind: those of the logs above, and others.
func ciReports(t *testing.T) []check.Report {
	c, err := check.New(readTheory(t, "queue"), check.Options{Engine: "symbolic", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	var sources []check.Source
	for _, l := range logs {
		sources = append(sources, check.Source{Name: l.name + ".log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(l.text)), nil }})
	}
	var reports []check.Report
	if err := (&check.Batch{Checker: c}).Run(t.Context(), slices.Values(sources), func(r check.Report) { r.Took = 0; reports = append(reports, r) }); err != nil {
		t.Fatal(err)
	}
	return append(reports,
		check.Report{Name: "broken.log", Err: errors.New("broken.log:2:5: want call or return"), At: history.Pos{File: "broken.log", Line: 2, Col: 5}},
		check.Report{Name: "slow.log", Result: check.Result{Verdict: check.Inconclusive, Detail: "the time limit was reached"}},
		check.Report{Name: "run.bin", Result: check.Result{Verdict: check.Violation, Prefix: 7, Events: 9}, At: history.Pos{File: "run.bin", Line: 7}},
		check.Report{Name: "standard input", Result: check.Result{Verdict: check.Violation, Prefix: 2, Events: 2, Patterns: []string{"of-a-part"}}, At: history.Pos{File: "standard input", Line: 2, Col: 1}},
		check.Report{Name: hostile, Err: errors.New(hostile), At: history.Pos{File: hostile, Line: 1, Col: 1}},
	)
}

// TestGitHub: a line a report that is not good, and what it says when it is read back.
func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	for _, r := range ciReports(t) {
		if err := GitHub(&b, r, ""); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	for i, want := range []struct{ level, file, line, starts, holds string }{
		{"error", "swapped.log", "14", "swapped.log: violation in the first 13 of 17 events: add-add-remove2\n", "\n    [6] remove => 3"},
		{"error", "twice-removed.log", "14", "twice-removed.log: violation", "remove-twice"},
		{"error", "never-added.log", "4", "never-added.log: violation in the first 4 of 4 events: remove-unmatched\n", "never passed"},
		{"error", "broken.log", "2", "broken.log: 2:5: want call", "return"},
		{"warning", "slow.log", "", "slow.log: inconclusive: the time limit was reached", ""},
		{"error", "run.bin", "", "run.bin: violation in the first 7 of 9 events", ""},
		{"error", "", "", "standard input: violation", "of-a-part"},
		{"error", hostile, "1", hostile + ": " + hostile, ""},
	} {
		if i >= len(lines) {
			t.Fatalf("%d lines", len(lines))
		}
		head, message, _ := strings.Cut(strings.TrimPrefix(lines[i], "::"), "::")
		level, properties, _ := strings.Cut(head, " ")
		got := map[string]string{}
		for _, p := range strings.Split(properties, ",") {
			k, v, _ := strings.Cut(p, "=")
			got[k] = unescape.Replace(v)
		}
		message = unescape.Replace(message)
		if level != want.level || got["file"] != want.file || got["line"] != want.line || got["title"] == "" || !strings.HasPrefix(message, want.starts) || !strings.Contains(message, want.holds) {
			t.Errorf("line %d\n%s\nsays %s of %v: %q", i, lines[i], level, got, message)
		}
	}
	if n := len(lines); n != 8 {
		t.Errorf("%d lines: the good log has one, or a message has several", n)
	}
}

// TestRelative: names below the repository are relative to it, others absolute.
func TestRelative(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, root, want string }{
		{"a/run.log", "", "a/run.log"},
		{"a/run.log", here, "a/run.log"},
		{"a/run.log", filepath.Dir(here), filepath.Base(here) + "/a/run.log"},
		{filepath.Join(here, "run.log"), here, "run.log"},
		{"../run.log", here, filepath.ToSlash(filepath.Join(filepath.Dir(here), "run.log"))},
	} {
		if got := relative(tt.name, tt.root); got != tt.want {
			t.Errorf("%s below %q is %s, want %s", tt.name, tt.root, got, tt.want)
		}
	}
}

// TestSARIF looks at what the standard asks for: the properties that must be there, the
// values they may have, indices that fit, addresses that can be parsed.
func TestSARIF(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                  string
		reports               []check.Report
		root                  string
		results, notes        int
		successful, withRules bool
	}{
		{"all", ciReports(t), "", 5, 3, false, true},
		{"in a repository", ciReports(t), here, 5, 3, false, true},
		{"good ones", []check.Report{{Name: "run.log", Result: check.Result{Verdict: check.Linearizable}}}, "", 0, 0, true, true},
		{"no log at all", nil, here, 0, 0, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := readTheory(t, "queue")
			if !tt.withRules {
				th = nil
			}
			var b bytes.Buffer
			if err := SARIF(&b, th, tt.reports, tt.root); err != nil {
				t.Fatal(err)
			}
			run := sarifRunOf(t, b.Bytes())
			rules := list(dig(run, "tool", "driver", "rules"))
			checkRules(t, rules)
			if tt.withRules != (len(rules) > 5) {
				t.Errorf("%d rules", len(rules))
			}
			results := list(run["results"])
			if run["results"] == nil || len(results) != tt.results {
				t.Errorf("%d results, want %d, and a list if there are none", len(results), tt.results)
			}
			for _, r := range results {
				checkResult(t, r.(map[string]any), rules, tt.root)
			}
			invocation := list(run["invocations"])[0].(map[string]any)
			notes := list(invocation["toolExecutionNotifications"])
			if invocation["executionSuccessful"] != tt.successful || len(notes) != tt.notes {
				t.Errorf("invocation %v", invocation)
			}
			for _, n := range notes {
				n := n.(map[string]any)
				if l := n["level"]; l != "error" && l != "warning" || dig(n, "message", "text") == "" {
					t.Errorf("notification %v", n)
				}
			}
		})
	}
}

// TestSARIFPlace: the result of the first log above in full.
func TestSARIFPlace(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, readTheory(t, "queue"), ciReports(t), ""); err != nil {
		t.Fatal(err)
	}
	results := list(sarifRunOf(t, b.Bytes())["results"])
	first := results[0].(map[string]any)
	region := dig(list(first["locations"])[0].(map[string]any), "physicalLocation", "region").(map[string]any)
	if first["ruleId"] != "add-add-remove2" || region["startLine"] != 14.0 || region["startColumn"] != 1.0 {
		t.Errorf("rule %v at %v", first["ruleId"], region)
	}
	if related := list(first["relatedLocations"]); len(related) < 2 {
		t.Errorf("the operations are not related: %v", related)
	}
	binary, input := results[3].(map[string]any), results[4].(map[string]any)
	if at := list(binary["locations"])[0].(map[string]any); dig(at, "physicalLocation", "region") != nil {
		t.Errorf("a binary log has no lines, but %v", at)
	}
	if at := list(input["locations"])[0].(map[string]any); at["physicalLocation"] != nil || at["logicalLocations"] == nil {
		t.Errorf("standard input is no file, but %v", at)
	}
	if input["ruleId"] != "of-a-part" {
		t.Errorf("rule %v", input["ruleId"])
	}
}

func sarifRunOf(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var log map[string]any
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	runs := list(log["runs"])
	if log["version"] != "2.1.0" || !strings.Contains(fmt.Sprint(log["$schema"]), "sarif") || len(runs) != 1 {
		t.Fatalf("version %v, schema %v, %d runs", log["version"], log["$schema"], len(runs))
	}
	run := runs[0].(map[string]any)
	if dig(run, "tool", "driver", "name") != "adtinfer" || run["columnKind"] != "unicodeCodePoints" {
		t.Errorf("tool %v, columns %v", run["tool"], run["columnKind"])
	}
	return run
}

func list(v any) []any { l, _ := v.([]any); return l }

// dig goes down in objects; nil if there is nothing.
func dig(v any, path ...string) any {
	for _, p := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[p]
	}
	return v
}

func checkRules(t *testing.T, rules []any) {
	seen := map[any]bool{}
	for _, r := range rules {
		id, text := dig(r, "id"), dig(r, "shortDescription", "text")
		if id == "" || id == nil || text == "" || text == nil || seen[id] {
			t.Errorf("rule %v: no name, no text, or twice", r)
		}
		seen[id] = true
	}
}

func checkResult(t *testing.T, r map[string]any, rules []any, root string) {
	index := int(r["ruleIndex"].(float64))
	if index < 0 || index >= len(rules) || dig(rules[index], "id") != r["ruleId"] {
		t.Errorf("rule %v is not number %d", r["ruleId"], index)
	}
	if r["level"] != "error" || dig(r, "message", "text") == "" || len(list(r["locations"])) != 1 {
		t.Errorf("result %v", r)
	}
	for i, l := range list(r["relatedLocations"]) {
		if dig(l, "id") != float64(i+1) || dig(l, "message", "text") == "" {
			t.Errorf("related location %v", l)
		}
	}
	for _, l := range append(list(r["locations"]), list(r["relatedLocations"])...) {
		p, _ := dig(l, "physicalLocation").(map[string]any)
		if p == nil {
			continue
		}
		uri := dig(p, "artifactLocation", "uri").(string)
		u, err := url.Parse(uri)
		if err != nil || uri == "" || strings.ContainsAny(uri, " \\") {
			t.Errorf("address %q: %v", uri, err)
		}
		if base := dig(p, "artifactLocation", "uriBaseId"); (base == "%SRCROOT%") != (root != "" && u != nil && !u.IsAbs()) {
			t.Errorf("%s is relative to %v", uri, base)
		}
		if region, ok := p["region"].(map[string]any); ok && (region["startLine"].(float64) < 1 || region["startColumn"].(float64) < 1) {
			t.Errorf("region %v", region)
		}
	}
}

// TestJUnitBody: the body is text that a parser gives back, whatever is in it.
func TestJUnitBody(t *testing.T) {
	reports := ciReports(t)
	reports[0].Name, reports[0].At = hostile+"\x1b", history.Pos{}
	var b bytes.Buffer
	if err := JUnit(&b, reports); err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Failure *struct {
				Text string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal(b.Bytes(), &suite); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if suite.Tests != len(reports) || suite.Failures != 5 || suite.Errors != 2 || suite.Skipped != 1 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped", suite.Tests, suite.Failures, suite.Errors, suite.Skipped)
	}
	text := suite.Cases[0].Failure.Text
	if !strings.HasPrefix(text, hostile+"\ufffd: violation in the first 13") || !strings.Contains(text, explanation(reports[0])) {
		t.Errorf("body %q", text)
	}
	if !strings.HasPrefix(suite.Cases[2].Failure.Text, "never-added.log:4:1: violation") {
		t.Errorf("body %q", suite.Cases[2].Failure.Text)
	}
}

// TestSummary: the table has the reports that are not good, each on one line, and no
// more of anything than people read.
func TestSummary(t *testing.T) {
	reports := ciReports(t)
	var b bytes.Buffer
	if err := Summary(&b, "9 logs: 5 violations\n30 operations\n", reports); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	rows := strings.Count(text, "\n| ")
	if rows != 1+8 || !strings.HasPrefix(text, "### adtinfer check: 9 logs: 5 violations\n\n30 operations\n\n| log | line |") {
		t.Errorf("%d rows in\n%s", rows, text)
	}
	for _, want := range []string{"| swapped.log | 14 | violation in the first 13 of 17 events: add-add-remove2 |\n", "| broken.log | 2 | could not be read: 2:5: want call or return |\n",
		"| slow.log |  | inconclusive: the time limit was reached |\n", "<summary>swapped.log</summary>\n\n<pre>\n", "[6] remove =&gt; 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "<b>") || strings.Contains(text, "right.log") {
		t.Error("there is raw HTML of a name, or a good log:\n" + text)
	}
	var many []check.Report
	for range 10_000 {
		many = append(many, reports[0])
	}
	b.Reset()
	if err := Summary(&b, "10000 logs", many); err != nil {
		t.Fatal(err)
	}
	if n := b.Len(); n > 1<<20 || !strings.Contains(b.String(), "\nand 9800 more\n") || !strings.Contains(b.String(), "more explanations are not shown") {
		t.Errorf("%d bytes", n)
	}
	b.Reset()
	if err := Summary(&b, "1 log: 0 violations\n", []check.Report{{Name: "run.log", Result: check.Result{Verdict: check.Linearizable}}}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "### adtinfer check: 1 log: 0 violations\n" {
		t.Errorf("a good run is %q", got)
	}
}
