package counters_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/internal/counters"
)

// TestControl says what is hidden from patterns.
func TestControl(t *testing.T) {
	want := map[string]string{
		"queuelen":      "[len => value]",
		"stackempty":    "[isEmpty => false isEmpty => true]",
		"closablequeue": "[send => error close => panic close receive => nil]",
		"pipe 128":      "[]",
		"bounded 8":     "[offer => false]",
		"bounded 100":   "[offer => false]",
		"bounded 128":   "[offer => false]",
		"ring 16":       "[write => error]",
		"ring 128":      "[offer => false]",
		"ring8":         "[enqueue => false]",
	}
	for _, typ := range types {
		found, err := counters.Find(t.Context(), impl(t, typ.new))
		if err != nil {
			t.Fatal(err)
		}
		c, err := found.Control(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c.Control != nil {
			got = fmt.Sprint(c.Control.Hidden)
		}
		if got != want[typ.name] || (got == "") != (c.Why != "") && !found.Whole {
			t.Errorf("%s: hidden is %s, because %q; want %s", typ.name, got, c.Why, want[typ.name])
		}
	}
}
