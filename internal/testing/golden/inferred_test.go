package golden

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestInferred runs infer for each type, and compares what comes out with the table. A
// type takes five seconds of a processor, so that CI looks at the sample and one in nine.
func TestInferred(t *testing.T) {
	testsize.NeedsLong(t)
	command := filepath.Join(t.TempDir(), "adtinfer")
	if out, err := exec.Command("go", "build", "-o", command, "../../../cmd/adtinfer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	each(t, 9, func(t *testing.T, typ *Type) {
		args := append([]string{"infer", "--ref", typ.Dir(t), "-o", "-", "-f", "theory"}, typ.Args()...)
		c := exec.CommandContext(t.Context(), command, args...)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		file, err := c.Output()
		got := Type{Out: "refused", Figures: "-", Useful: "refused"}
		if err == nil {
			th, err := theory.Read(bytes.NewReader(file), "theory")
			if err != nil {
				t.Fatalf("%v\n%s", err, file)
			}
			got.Out, got.Figures, got.Useful = comesOut(th), figures(&th.Spec), useful(th)
			pkg, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
			if err != nil {
				t.Fatal(err)
			}
			defer pkg.Close()
			rows, replayed := checkPage(t, th, pkg.Implementation)
			t.Logf("%d rows, %d replayed", rows, replayed)
		}
		if (got.Out != typ.Out || got.Figures != typ.Figures || got.Useful != typ.Useful) && !*update {
			t.Errorf("it comes out as %s, %s, useful: %s; want %s, %s, %s\n%s", got.Out, got.Figures, got.Useful, typ.Out, typ.Figures, typ.Useful, &stderr)
		}
		typ.Out, typ.Figures, typ.Useful = got.Out, got.Figures, got.Useful
	})
}

// comesOut is what a theory is.
func comesOut(th *theory.Theory) string {
	if th.Spec.Control != nil {
		return "patterns, counters"
	}
	return string(th.Spec.Headline())
}

// figures are how large a theory's descriptions are: patterns; locations and registers
// of an automaton, counters; in parentheses what a part of a product is.
func figures(s *theory.Spec) string {
	var all []string
	if n := len(s.Patterns); n > 0 {
		all = append(all, fmt.Sprintf("%d patterns", n))
	}
	if s.Product != nil {
		all = append(all, "("+figures(&s.Product.Part)+")")
	}
	if c := s.Control; c != nil {
		all = append(all, fmt.Sprintf("%d counters", len(c.Automaton.Counters)))
	}
	if a := s.Automaton; a != nil && len(a.Counters) > 0 {
		all = append(all, fmt.Sprintf("%d counters", len(a.Counters)))
	} else if a != nil {
		registers := 0
		for _, l := range a.Locations {
			registers = max(registers, len(l.Registers))
		}
		all = append(all, fmt.Sprintf("%d/%d", len(a.Locations), registers))
	}
	if len(all) == 0 {
		return "-"
	}
	return strings.Join(all, " + ")
}

// useful says why a theory is not what users need, if so: it is the reference itself,
// leaves methods out, does not see a wrong version (what is nondeterministic has none), or
// refuses what the reference does.
func useful(th *theory.Theory) string {
	m := th.Status.Mutants
	switch {
	case th.Spec.Headline() == theory.ByModel:
		return "model"
	case slices.ContainsFunc(th.Status.NotCovered, func(s string) bool { return strings.HasPrefix(s, "method ") }):
		return "a method is left out"
	case m != nil && len(m.Unseen)+len(m.Dropped) > 0:
		return "a wrong version is not seen"
	case len(th.Spec.Language) > 0 && th.Spec.Model == nil && th.Spec.Automaton == nil && th.Spec.Product == nil:
		return "values may not come again"
	}
	return "yes"
}

// TestUseful holds how many types come out as something useful.
func TestUseful(t *testing.T) {
	n := 0
	for _, typ := range Types() {
		if typ.Useful == "yes" {
			n++
		}
	}
	if n < 56 {
		t.Errorf("%d of %d types are useful, want 56 at least", n, len(Types()))
	}
}
