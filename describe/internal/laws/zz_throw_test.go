package laws

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/reference"
)

func TestThrow(t *testing.T) {
	names := os.Getenv("TYPES")
	if names == "" {
		t.Skip()
	}
	for _, half := range strings.Fields(os.Getenv("HALVES")) {
		each(t, half, func(n string) bool { return names == "all" || strings.Contains(" "+names+" ", " "+n+" ") }, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			at := time.Now()
			f, err := Learn(t.Context(), impl, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("RESULT %s/%s closed %v in %.1fs: %s", half, name, f.Closed, time.Since(at).Seconds(), f.Why)
			if f.Closed {
				n, wrong := replayed(t, impl, o.Literals, written(t, f), 20000)
				if wrong != "" {
					t.Errorf("WRONG after %d: %s", n, wrong)
				}
			}
			if os.Getenv("SHOW") != "" {
				t.Log("\n" + shown(f))
			}
		})
	}
}
