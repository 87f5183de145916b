package check_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Every engine heeds its context with a theory that takes for ever to evaluate:
// an axiom of forty variables.
func TestHostileTheory(t *testing.T) {
	text, err := os.ReadFile("../theories/queue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	axiom := "forall a:Op, b:Op"
	for i := range 30 {
		axiom += fmt.Sprintf(", x%d:Op", i)
	}
	axiom += ". before(a, b)"
	for i := range 30 {
		axiom += fmt.Sprintf(" & match(x%d) = match(a)", i)
	}
	axiom += " -> !(before(x0, x29) & before(x29, x0))"
	th, err := theory.Read(strings.NewReader(string(text)+"    - name: hostile\n      formula: "+axiom+"\n"), "hostile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var ls []history.Label
	for i := range 20 {
		v := []history.Value{history.Value(fmt.Sprint(i + 1))}
		ls = append(ls, history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: v},
			history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: v})
	}
	for _, engine := range []checking{by{}, by{Engine: "monitor"}, by{Engine: "saturate", KeepMatches: true}, by{Engine: "symbolic"}, oracle{}} {
		t.Run(engine.Name(), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			prepared := ready(t, engine, th)
			done := make(chan error, 1)
			go func() {
				r, err := prepared.Check(ctx, th, history.Sequential(ls...))
				if err == nil && r.Verdict == check.Violation {
					err = fmt.Errorf("it is a violation: %+v", r)
				}
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil && strings.Contains(err.Error(), "violation") {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		})
	}
}
