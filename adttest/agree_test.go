package adttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/reference"
)

// TestOneExplanation: a failure has the explanation that check gives of the saved log, once, and so
// do all formats and the page: the same sentence and the same operations.
func TestOneExplanation(t *testing.T) {
	for _, of := range []struct {
		typ  historytest.Type
		spec reference.Spec
	}{
		{historytest.Queue(), queue.Spec},
		{historytest.Stack(), stack.Spec},
		{historytest.Register(), register.Spec},
		{historytest.Set(), set.Spec},
	} {
		t.Run(of.typ.Name, func(t *testing.T) {
			oneExplanation(t, of.typ, Config{New: of.spec.New, Theory: fmt.Sprintf("../examples/%s/%[1]s.theory.yaml", of.typ.Name), Reference: of.spec})
		})
	}
}

func oneExplanation(t *testing.T, typ historytest.Type, c Config) {
	impl, err := reference.New(c.Reference.(reference.Spec))
	if err != nil {
		t.Fatal(err)
	}
	checker, err := check.New(nil, check.Options{Reference: impl, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	th, err := readTheory(c.Theory)
	if err != nil {
		t.Fatal(err)
	}
	both, err := check.New(th, check.Options{Reference: impl, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(t.Context(), c, environment{}, nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	compared, enough := uint64(0), testsize.Samples(60)
	for seed := uint64(0); compared < enough && seed < 100*enough; seed++ {
		rnd := rand.New(rand.NewPCG(seed, 12))
		e := typ.Execution(rnd, 3+rnd.IntN(12), 1+rnd.IntN(4), 6)
		path := filepath.Join(t.TempDir(), "run.jsonl")
		var log bytes.Buffer
		if err := history.WriteJSON(&log, e); err != nil {
			t.Fatal(err)
		}
		if err := writeFile(path, log.Bytes()); err != nil {
			t.Fatal(err)
		}
		if r.judge.forget(); r.judge.broken(e) != nil {
			continue
		}
		f, _ := r.recheck(path) // its operations are of no threads
		if f == nil || f.Kind != Violation {
			continue
		}
		report := reportOf(t, checker, path)
		text := render(t, func(w *bytes.Buffer) error { return out.ExplanationText(w, report.Explanation, out.Plain) })
		said := render(t, func(w *bytes.Buffer) error { return out.ExplanationText(w, bare(f.Explanation), out.Plain) })
		if said != text {
			t.Fatalf("seed %d: check says\n%s\nadttest\n%s", seed, text, said)
		}
		full := render(t, func(w *bytes.Buffer) error { return out.ExplanationText(w, f.Explanation, out.Plain) })
		if whole := render(t, func(w *bytes.Buffer) error {
			return out.ExplanationText(w, reportOf(t, both, path).Explanation, out.Plain)
		}); whole != full {
			t.Fatalf("seed %d: check with the theory and the reference says\n%s\nadttest\n%s", seed, whole, full)
		}
		sentence := strings.TrimSpace(strings.SplitN(text, "\n", 2)[0])
		if strings.Count(f.String(), sentence) != 1 {
			t.Fatalf("seed %d: %q is not there once:\n%s", seed, sentence, f)
		}
		formats(t, report, text, sentence)
		compared++
	}
	if compared < enough {
		t.Errorf("only %d logs compared", compared)
	}
}

// bare is an explanation without what the theory adds, which check --ref has not.
func bare(x *check.Explanation) *check.Explanation {
	own := *x
	own.Shown, own.Reasons, own.Steps, own.Alone = nil, nil, nil, false
	return &own
}

func reportOf(t *testing.T, c *check.Checker, path string) (report check.Report) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	e, err := c.ReadLog(file, path)
	if err != nil {
		t.Fatal(err)
	}
	report = check.Report{Name: path, Ops: len(e.Ops)}
	if report.Result, err = c.Check(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if report.Explanation, err = c.Explain(t.Context(), e, report.Result); err != nil {
		t.Fatal(err)
	}
	return report
}

func render(t *testing.T, write func(w *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// formats looks for the explanation in all that people and machines read.
func formats(t *testing.T, r check.Report, text, sentence string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	all := map[string]string{
		"text":   render(t, func(w *bytes.Buffer) error { return out.VerdictText(w, r, out.Plain) }),
		"junit":  html.UnescapeString(render(t, func(w *bytes.Buffer) error { return out.JUnit(w, []check.Report{r}) })),
		"github": strings.ReplaceAll(render(t, func(w *bytes.Buffer) error { return out.GitHub(w, r, "") }), "%0A", "\n"),
		"sarif":  unquoted(render(t, func(w *bytes.Buffer) error { return out.SARIF(w, nil, []check.Report{r}, "") })),
	}
	for name, got := range all {
		for _, l := range lines {
			if !strings.Contains(got, strings.TrimSpace(l)) {
				t.Fatalf("%s lacks %q:\n%s", name, l, got)
			}
		}
	}
	var j struct {
		Explanation struct {
			Sentence   string
			Last       string
			Operations []struct{ ID, Reason string }
		}
	}
	if err := json.Unmarshal([]byte(render(t, func(w *bytes.Buffer) error { return out.VerdictJSON(w, r, out.Plain) })), &j); err != nil {
		t.Fatal(err)
	}
	shown := html.UnescapeString(render(t, func(w *bytes.Buffer) error { return page.WriteVerdict(w, &page.Verdict{Report: r}) }))
	if j.Explanation.Sentence != sentence || !strings.Contains(shown, sentence[:min(len(sentence), 120)]) {
		t.Fatalf("JSON says %q, not %q, or the page lacks it", j.Explanation.Sentence, sentence)
	}
	for _, o := range j.Explanation.Operations {
		if o.ID != j.Explanation.Last && (!strings.Contains(text, "["+o.ID+"] ") || !strings.Contains(text, o.Reason)) || !strings.Contains(shown, fmt.Sprintf("data-op=%q", o.ID)) {
			t.Fatalf("[%s] %s is missing in the page, or in\n%s", o.ID, o.Reason, text)
		}
	}
}

// unquoted is the text of JSON strings.
func unquoted(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`).Replace(s)
}
