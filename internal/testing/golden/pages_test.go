package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestPages holds what the first pages of the examples' documents say against the
// references; TestInferred those of the golden types.
func TestPages(t *testing.T) {
	names := []string{"worksteal", "kv", "semaphore"}
	if testsize.Long() {
		names = []string{"register", "queue", "stack", "set", "lock", "worksteal", "deque", "mutex", "casregister", "kv", "semaphore", "counter", "boundedqueue"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, err := reference.Load(t.Context(), filepath.Join(historytest.Root(t), "examples", name), reference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer pkg.Close()
			rows, replayed := checkPage(t, wholeExample(t, name), pkg.Implementation)
			if rows == 0 || replayed < rows {
				t.Errorf("%d of %d rows have an example that was replayed", replayed, rows)
			}
		})
	}
}

// wholeExample is the theory of an example, with all its descriptions.
func wholeExample(t *testing.T, name string) *theory.Theory {
	path := filepath.Join(historytest.Root(t), "examples", name, name+".theory.yaml")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	th, err := theory.Read(file, path)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// How long the first page of a document may be.
const (
	maxRows  = 7
	maxLines = 45
	maxSays  = 400 // characters of a row
)

var row = regexp.MustCompile("(?m)^\\| (.*?) \\| (never )?(?:`(.*)`)? ?\\|$")

// checkPage checks the first page of a theory's document: its size, that no value is a key
// elsewhere, that sums are simplified, and that the reference does what each row's example
// says, or does not what is never so. It counts rows, and those whose example was replayed.
func checkPage(t *testing.T, th *theory.Theory, impl reference.Implementation) (rows, replayed int) {
	var doc strings.Builder
	if err := out.Markdown(&doc, th); err != nil {
		t.Fatal(err)
	}
	first, _, folds := strings.Cut(doc.String(), "<details>")
	if n := strings.Count(first, "\n"); n > maxLines || !folds {
		t.Errorf("the first page has %d lines, want %d at most, and then what folds:\n%s", n, maxLines, first)
	}
	_, table, _ := strings.Cut(first, "|---|---|\n")
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		rows++
		says, never, example := m[1], m[2] != "", strings.ReplaceAll(m[3], `\|`, "|")
		if len([]rune(says)) > maxSays {
			t.Errorf("a row has %d characters: %s", len([]rune(says)), says)
		}
		if bad := unsimplified.FindString(says); bad != "" {
			t.Errorf("%q is not simplified in %s", bad, says)
		}
		if err := apart(example); err != nil && th.Spec.Headline() != theory.ByModel {
			t.Errorf("%s: %v", example, err)
		}
		if _, accepts := impl.(reference.Acceptor); accepts || th.Spec.Headline() == theory.ByModel || example == "" {
			continue // it has no answers of its own; what the reference did, as it is in the theory
		}
		if err := replay(t, th, impl, example, never); err != nil {
			t.Errorf("%s: %s %s: %v", says, m[2], example, err)
		}
		replayed++
	}
	if rows > maxRows {
		t.Errorf("%d rows, want %d at most", rows, maxRows)
	}
	return rows, replayed
}

// unsimplified is a sum that begins with a minus or has a number on the wrong side.
var unsimplified = regexp.MustCompile(`(?:^|[=≤≥<>] )-[a-z#]|[<>]=|(?:^| )[<>] \d|- -|\+ -|\b0 [+-]|[+-] 0\b`)

var (
	exampleStep = regexp.MustCompile(`^(?:(\d+) × )?(\w+)(?:\(([^)]*)\))?(?: => (.*))?$`)
	lone        = regexp.MustCompile(`^[a-z]$`)
)

// steps are the calls of an example.
func steps(example string) (all []history.Label, err error) {
	for _, text := range strings.Split(example, "; ") {
		m := exampleStep.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("no call: %q", text)
		}
		l, times := history.Label{Kind: history.Kind{Method: m[2]}}, 1
		if m[1] != "" {
			times, _ = strconv.Atoi(m[1])
		}
		args, counts := strings.CutSuffix(m[3], "…")
		for i := range times {
			own := l
			if args != "" {
				for _, a := range strings.Split(args, ", ") {
					if n, err := strconv.Atoi(a); err == nil && counts {
						a = strconv.Itoa(n + i)
					}
					own.Args = append(own.Args, history.Value(strings.Trim(a, `"`)))
				}
			}
			own.Rets = []history.Value{history.Value(m[4])} // as text
			all = append(all, own)
		}
	}
	return all, nil
}

// apart reports a place, such as the second argument of put, that holds the name of a key
// here and that of a value there: keys are k to r, values a to h.
func apart(example string) error {
	all, err := steps(example)
	if err != nil || example == "" {
		return nil // a row without one
	}
	isKey := map[string]bool{}
	for _, l := range all {
		for i, v := range append(l.Args, l.Rets...) {
			if !lone.MatchString(string(v)) {
				continue
			}
			place, key := fmt.Sprintf("%s %d", l.Method, i), v >= "k"
			if before, known := isKey[place]; known && before != key {
				return fmt.Errorf("%s holds keys and values", place)
			}
			isKey[place] = key
		}
	}
	return nil
}

// replay makes the calls of an example, in which letters stand for any values.
func replay(t *testing.T, th *theory.Theory, impl reference.Implementation, example string, never bool) error {
	want, err := steps(example)
	if err != nil {
		return err
	}
	numbers := map[string]int{}
	abstract := true
	var calls []reference.Call
	for _, l := range want {
		c := reference.Call{Method: methodIndex(impl, l.Method), Values: l.Args}
		if c.Method < 0 {
			return fmt.Errorf("no method %s", l.Method)
		}
		for _, a := range l.Args {
			abstract = abstract && lone.MatchString(string(a))
			if numbers[string(a)] == 0 {
				numbers[string(a)] = len(numbers) + 1
			}
			c.Args = append(c.Args, numbers[string(a)])
		}
		calls = append(calls, c)
	}
	for i := range calls {
		if abstract {
			calls[i].Values = nil
		} else {
			calls[i].Args = nil
		}
	}
	answers, err := impl.Replay(t.Context(), [][]reference.Call{calls})
	if err != nil {
		return err
	}
	as := answers[0]
	for i, l := range want {
		text := string(l.Rets[0])
		waits := i >= len(as) || as[i].Blocked
		got := "a wait"
		if !waits {
			got = answered(th, l.Method, &as[i], numbers, abstract)
		}
		switch {
		case got == text:
		case never:
			return nil
		default:
			return fmt.Errorf("call %d of the reference answers %q, not %q", i+1, got, text)
		}
	}
	if never {
		return fmt.Errorf("the reference does that")
	}
	return nil
}

// answered is what a call answered, as pages write it.
func answered(th *theory.Theory, method string, a *reference.Answer, numbers map[string]int, abstract bool) string {
	l := history.Label{Kind: history.Kind{Method: "m", Outcome: a.Outcome}}
	for _, v := range a.Rets {
		text, own := strings.CutPrefix(string(v), "(")
		if own { // a value of the reference's own
			text = strings.Trim(strings.TrimSuffix(text, ")"), `"`)
		}
		for name, n := range numbers {
			if !own && abstract && text == strconv.Itoa(n) {
				text = name
				break
			}
		}
		l.Rets = append(l.Rets, history.Value(text))
	}
	for _, m := range th.Spec.Methods {
		if m.Name == method && len(m.Results) >= len(l.Rets) {
			l.Rets = typename.Shown(m.Results, l.Rets)
		}
	}
	_, text, _ := strings.Cut(l.String(), " => ")
	return text
}

// TestCheckPage: the test of pages sees what is wrong.
func TestCheckPage(t *testing.T) {
	for text, want := range map[string]bool{
		"used + x ≤ 100": false, "n + x < 101": true, "=> -n - x + 100": true, "a => 100 - n": false, "n >= 1": true, "#a > #b": false, "#a > 3": true,
	} {
		if got := unsimplified.MatchString(text); got != want {
			t.Errorf("%q: unsimplified: %v", text, got)
		}
	}
	if apart("put(k, a); put(l, k)") == nil || apart("put(k, a); get(k) => a") != nil {
		t.Error("keys and values of one name are not seen")
	}
}
