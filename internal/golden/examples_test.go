package golden

import (
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// TestExamples makes the calls of testdata/examples.txt, which show what each
// type does, and compares the answers.
func TestExamples(t *testing.T) {
	want := examples(t)
	var mu sync.Mutex
	t.Cleanup(func() {
		var b strings.Builder
		for _, typ := range Types() {
			if calls := want[typ.Name]; calls != "" {
				b.WriteString(typ.Name + ": " + calls + "\n")
			}
		}
		if *update {
			if err := os.WriteFile("testdata/examples.txt", []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
	each(t, func(t *testing.T, typ *Type) {
		mu.Lock()
		calls := want[typ.Name]
		mu.Unlock()
		impl := load(t, typ)
		if _, ok := impl.(reference.Acceptor); ok {
			return // it has no answers of its own
		}
		got, err := answers(t, impl, calls)
		if err != nil {
			t.Fatal(err)
		}
		if got != calls && !*update {
			t.Errorf("it does\n%s\nwant\n%s", got, calls)
		}
		mu.Lock()
		defer mu.Unlock()
		want[typ.Name] = got
	})
}

// examples are the lines of testdata/examples.txt, by type.
func examples(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, calls, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		all[name] = calls
	}
	return all
}

var call = regexp.MustCompile(`^(\w+)(?:\((.*?)\))?(?: =>.*|\*)?$`)

// answers makes calls and writes them with their answers.
func answers(t *testing.T, impl reference.Implementation, calls string) (string, error) {
	r, err := Replay(t.Context(), impl)
	if err != nil {
		return "", err
	}
	var done []string
	var path []history.Label
	for _, text := range strings.Split(calls, "; ") {
		m := call.FindStringSubmatch(text)
		if m == nil || methodIndex(impl, m[1]) < 0 {
			t.Fatalf("no call of a method: %s", text)
		}
		l := history.Label{Kind: history.Kind{Method: m[1]}}
		if m[2] != "" {
			for _, a := range strings.Split(m[2], ", ") {
				l.Args = append(l.Args, history.Value(a))
			}
		}
		seq := append(path[:len(path):len(path)], l)
		if err := r.answer([][]history.Label{seq}); err != nil {
			return "", err
		}
		l = seq[len(path)]
		if l.Outcome != history.Pending {
			path = seq
		}
		done = append(done, l.String())
	}
	return strings.Join(done, "; "), nil
}
