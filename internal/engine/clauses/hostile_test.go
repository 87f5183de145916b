package clauses_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// Theories of a page that ask for more small histories than there is time for
// are refused, whatever it is that there are many of.
func TestHostileAxioms(t *testing.T) {
	testsize.NeedsLong(t)
	queue, err := os.ReadFile("../../../theories/queue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	axiom := func(name, f string) string { return fmt.Sprintf("    - name: %s\n      formula: %q\n", name, f) }
	variables := "forall a:Op, b:Op"
	for i := range 30 {
		variables += fmt.Sprintf(", x%d:Op", i)
	}
	same := "before(a, b)"
	for i := range 30 {
		same += fmt.Sprintf(" & match(x%d) = match(a)", i)
	}
	readers := ""
	for i := range 50 {
		readers += fmt.Sprintf("    - name: peek%d\n      args: 0\n      outcomes: [{outcome: value, returns: 1}]\n", i)
	}
	for name, text := range map[string]string{
		"variables": string(queue) + axiom("many", variables+". "+same+" -> !(before(x0, x29) & before(x29, x0))"),
		"readers": strings.NewReplacer("  language:\n", readers+"  language:\n", "readonly: outcome(x) = nil", "readonly: outcome(x) = nil | method(x) != add & method(x) != remove").
			Replace(string(queue)) + axiom("several", "forall a:Op, b:Op, c:Op, d:Op, e:Op. before(a, b) & before(b, c) & before(c, d) & before(d, e) & match(a) = match(b) & match(b) = match(c) & match(c) = match(d) & match(d) = match(e) & method(a) = add -> before(a, e)"),
	} {
		t.Run(name, func(t *testing.T) {
			th, err := theory.Read(strings.NewReader(text), "hostile.yaml")
			if err != nil {
				t.Fatal(err)
			}
			_, err = clauses.Compile(th)
			var unsupported *clauses.Unsupported
			if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "too many histories") {
				t.Errorf("error is %v, want an *Unsupported about too many histories", err)
			}
		})
	}
}
