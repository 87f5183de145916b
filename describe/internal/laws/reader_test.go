package laws

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestReader: questions that a reader of documents is asked have the answers that the
// reference gives, and so do laws; and each example of a document is a run of the reference.
func TestReader(t *testing.T) {
	testsize.NeedsLong(t)
	asked, err := txtar.ParseFile("testdata/reader.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range []string{"first", "second"} {
		questions := map[string][]string{}
		for _, f := range asked.Files {
			if path.Dir(f.Name) == half {
				questions[path.Base(f.Name)] = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			}
		}
		wanted := func(name string) bool {
			return questions[name] != nil && (testsize.Nightly() || len(name)%4 == 3)
		}
		each(t, half, wanted, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			f, err := Learn(t.Context(), impl, o)
			if err != nil || !f.Closed {
				t.Fatal(err, f)
			}
			set := written(t, f)
			w, err := newWorld(t.Context(), impl)
			if err != nil {
				t.Fatal(err)
			}
			defer w.space.Close()
			w.store = set.Store
			lines := questions[name]
			if len(lines) != 16 {
				t.Errorf("%d lines, want 8 questions", len(lines))
			}
			for i := 1; i < len(lines); i += 2 {
				if !strings.HasSuffix(lines[i-1], "?") {
					t.Errorf("%q is no question", lines[i-1])
				}
				if got := answered(t, w, set, lines[i]); got != lines[i] {
					t.Errorf("%s\n%s, but it is\n%s", lines[i-1], lines[i], got)
				}
			}
			examples := examplesOf(t, name, f)
			for _, e := range examples {
				if got := answered(t, w, set, e); got != e {
					t.Errorf("the example %s is wrong: it is\n%s", e, got)
				}
			}
			if len(examples) < len(set.Methods) {
				t.Errorf("%d examples", len(examples))
			}
		})
	}
}

var inCode = regexp.MustCompile("(?m)^  (?:e\\.g\\.|and) `(.*)`$")

// examplesOf are the examples of a document.
func examplesOf(t *testing.T, name string, f *Found) (all []string) {
	var b bytes.Buffer
	th := &theory.Theory{Name: name, Spec: theory.Spec{Model: &origin.Model{}, Laws: f.Document()}}
	if err := out.Markdown(&b, th); err != nil {
		t.Fatal(err)
	}
	for _, m := range inCode.FindAllStringSubmatch(b.String(), -1) {
		all = append(all, m[1])
	}
	return all
}

// answered is a run with the answers of the reference; the laws have to give the same.
func answered(t *testing.T, w *world, set *eq.Set, run string) string {
	t.Helper()
	m := eq.NewMachine(set)
	at, st := w.space.Start(), m.Start()
	var all []string
	for call := range strings.SplitSeq(run, "; ") {
		call, _, _ = strings.Cut(call, " => ")
		name, rest, _ := strings.Cut(call, "(")
		n := slices.IndexFunc(w.methods, func(m reference.Method) bool { return m.Name == name })
		if n < 0 {
			t.Fatalf("there is no method %s", name)
		}
		args := []eq.Value{}
		if rest != "" {
			for i, text := range strings.Split(strings.TrimSuffix(rest, ")"), ", ") {
				args = append(args, w.value(&w.methods[n].Params[i], strings.Trim(text, `"`)))
			}
		}
		c, ok := w.call(n, args)
		if !ok {
			t.Fatalf("%s cannot be called", call)
		}
		var s step
		if err := w.fill(func() { s, _ = w.step(at, c) }); err != nil {
			t.Fatal(err)
		}
		answer := w.answer(n, s.answer)
		if got, err := m.Answer(st, n, args); err != nil || !slices.Equal(got, answer) {
			t.Errorf("%s; %s => %v, but laws say %v (%v)", strings.Join(all, "; "), call, textsOf(set.Store, answer), textsOf(set.Store, got), err)
		}
		at, st = s.next, m.After(st, n, args, answer)
		all = append(all, call+textOfAnswer(set.Store, answer, w.parts[n]))
	}
	return strings.Join(all, "; ")
}

var inQuotes = regexp.MustCompile(`"([\pL_][\pL\d_]*)"`)

// textOfAnswer is an answer as examples have it.
func textOfAnswer(s *eq.Store, answer []eq.Value, parts []eq.Part) string {
	texts := textsOf(s, answer)
	if len(texts) > 1 && parts[0].Name == "outcome" {
		if texts[0] == string(history.None) || texts[0] == "ok" {
			texts = texts[1:]
		} else {
			texts = texts[:1]
		}
	}
	text := inQuotes.ReplaceAllString(strings.Join(texts, ", "), "$1")
	if text == "" || text == "ok" {
		return ""
	}
	return " => " + text
}
