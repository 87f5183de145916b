package theories_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

var update = flag.Bool("update", false, "rewrite the theory files in canonical form")

func load(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	t, err := theories.Load(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestFiles: every theory is in canonical form, is called what its file is, and
// says of each axiom and rule in one sentence what it means.
func TestFiles(t *testing.T) {
	for _, name := range theories.Names() {
		t.Run(name, func(t *testing.T) {
			th := load(t, name)
			text, err := os.ReadFile(name + ".theory.yaml")
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := theory.Write(&b, th); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(name+".theory.yaml", b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(text), b.String()); diff != "" {
				t.Errorf("-file +canonical (rewrite with -update):\n%s", diff)
			}
			if th.Name != name {
				t.Errorf("the theory is called %s", th.Name)
			}
			if len(th.Spec.Axioms) == 0 || len(th.Spec.Patterns) > 0 {
				t.Errorf("%d axioms, %d patterns", len(th.Spec.Axioms), len(th.Spec.Patterns))
			}
			for _, r := range append(th.Spec.Language, th.Spec.Axioms...) {
				if r.Reading == "" || strings.HasSuffix(r.Reading, ".") {
					t.Errorf("%s: reading %q", r.Name, r.Reading)
				}
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	_, err := theories.Load("quueue")
	if err == nil || !strings.Contains(err.Error(), `did you mean "queue"?`) {
		t.Errorf("error %v", err)
	}
}
