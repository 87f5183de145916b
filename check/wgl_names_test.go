package check_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// otherNames is a theory of an example with other names for its methods.
func otherNames(t *testing.T, name string, names map[string]string) *theory.Theory {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(historytest.Root(t), "examples", name, name+".theory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	renamed := regexp.MustCompile(`\b[a-z]+\b`).ReplaceAllStringFunc(string(text), func(word string) string {
		if other, ok := names[word]; ok {
			return other
		}
		return word
	})
	th, err := theory.Read(strings.NewReader(renamed), name+".theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// TestModelsByOtherNames: a built-in model is found whatever a theory calls its
// methods, and decides as under its own.
func TestModelsByOtherNames(t *testing.T) {
	names := map[string]string{}
	for _, m := range []string{"add", "remove", "write", "read", "insert", "contains", "lock", "unlock", "give", "take", "steal"} {
		names[m] = "op" + strings.ToUpper(m[:1]) + m[1:] // in the same order
	}
	for _, name := range []string{"queue", "stack", "register", "set", "lock", "worksteal"} {
		t.Run(name, func(t *testing.T) {
			th, own := otherNames(t, name, names), historytest.Example(t, name)
			m, err := wgl.ForTheory(t.Context(), th, name)
			if err != nil {
				t.Fatal(err)
			}
			if _, keyed := m.(wgl.Keyed); keyed != (name == "set") {
				t.Errorf("keyed: %v", keyed)
			}
			direct, renamed := ready(t, by{Engine: "wgl", Model: name}, own), ready(t, by{Engine: "wgl", Model: name}, th)
			s := typeOf(t, name)
			for seed := range testsize.Samples(100) {
				e := s.Execution(rand.New(rand.NewPCG(seed, 5)), 6, 3, 4)
				want, err := direct.Check(t.Context(), own, e)
				if err != nil {
					t.Fatal(err)
				}
				other := *e
				other.Ops = append([]history.Operation(nil), e.Ops...)
				for i := range other.Ops {
					other.Ops[i].Method = names[other.Ops[i].Method]
				}
				got, err := renamed.Check(t.Context(), th, &other)
				if err != nil || got.Verdict != want.Verdict || got.Prefix != want.Prefix {
					t.Fatalf("seed %d: %+v, %v, want %+v\n%s", seed, got, err, want, historytest.Text(&other))
				}
			}
		})
	}
}

func typeOf(t *testing.T, name string) historytest.Type {
	t.Helper()
	for _, s := range append(historytest.Examples(), historytest.Worksteal()) {
		if strings.EqualFold(s.Name, name) {
			return s
		}
	}
	t.Fatal(name)
	return historytest.Type{}
}
