package laws

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/reference"
)

// TestFar: what a reference does with durations of seconds, and times that are days apart, is seen in laws, or these are
// not called closed.
func TestFar(t *testing.T) {
	says := map[string]string{"snooze": "60000000001", "limiter": "", "usage": ""}
	each(t, "timed", func(name string) bool { _, ok := says[name]; return ok }, func(t *testing.T, name string, impl reference.Implementation, o Options) {
		f, err := Learn(t.Context(), impl, o)
		if err != nil {
			t.Fatal(err)
		}
		if want := says[name]; f.Closed != (want != "") || !strings.Contains(shown(f), want) {
			t.Errorf("closed: %v, want %q in\n%s", f.Closed, want, shown(f))
		}
	})
}
