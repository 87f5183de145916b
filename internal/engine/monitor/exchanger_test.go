package monitor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// An exchanger is known by its formulas, whatever the names in them; nothing else is
// taken for one.
func TestSelectExchanger(t *testing.T) {
	text := historytest.Source(t, "theories/exchanger.theory.yaml")
	for _, tt := range []struct {
		name, from, to string
		exchanger      bool
	}{
		{"shipped", "", "", true},
		{"another method", "name: exchange\n      args", "name: swap\n      args", true},
		{"other variables", "forall x1:Op, x2:Op. match(x1) = x2 -> match(x2) = x1", "forall b:Op, a:Op. match(b) = a -> match(a) = b", true},
		{"outcomes the other way round", "[{outcome: value, returns: 1}, {outcome: nil}]", "[{outcome: nil}, {outcome: value, returns: 1}]", true},
		{"a variable called as a function", "forall x1:Op, x2:Op. match(x1) = x2 -> match(x2) = x1", "forall arg:Op, x2:Op. match(arg) = x2 -> match(x2) = arg", true},
		{"with itself", "x != y & match(x) = y", "match(x) = y", false},
		{"the other way only", "match(x1) = x2 -> match(x2) = x1", "match(x1) = x2 -> match(x1) = x2", false},
		{"before", "!before(x1, x2) & !before(x2, x1)", "!before(x1, x2)", false},
		{"wide", "width: 2", "width: 3", false},
		{"offered twice", "arg(x) = arg(y) -> x = y", "arg(x) = arg(y) & before(x, y) -> x = y", false},
		{"writes", "readonly: outcome(x) = nil", "readonly: outcome(x) = value", false},
		{"other targets", "- arg(y) = ret(x)", "- arg(x) = ret(y)", false},
	} {
		changed := strings.Replace(text, tt.from, tt.to, 1)
		if changed == text && tt.from != "" {
			t.Fatalf("%s: nothing to change", tt.name)
		}
		p, err := recognizeFor(t, parse(t, changed))
		var not *monitor.NotRecognized
		if tt.exchanger && (err != nil || p.Shape() != "exchanger") || !tt.exchanger && !errors.As(err, &not) {
			t.Errorf("%s: %v, %v", tt.name, p, err)
		}
	}
}
