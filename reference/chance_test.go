package reference_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestChance loads packages that read clocks, draw random numbers, range over maps and
// so on: they are refused if their answers depend on that, and only then.
func TestChance(t *testing.T) {
	t.Parallel()
	dir := extract(t, "chance.txtar")
	reasons := map[string]string{"clock": driver.Elapses, "random": driver.Differs, "fine": ""}
	short := []string{"clock/ttl", "random/highest", "fine/lru"}
	for kind, reason := range reasons {
		entries, err := os.ReadDir(filepath.Join(dir, kind))
		if err != nil || len(entries) < 13 {
			t.Fatal(entries, err)
		}
		for _, e := range entries {
			ref := kind + "/" + e.Name()
			t.Run(ref, func(t *testing.T) {
				if !slices.Contains(short, ref) {
					testsize.NeedsLong(t)
				}
				t.Parallel()
				_, err := load(t, dir, ref, reference.Options{})
				got, f := "", new(reference.Fault)
				if errors.As(err, &f) {
					got = f.Reason
				} else if err != nil {
					t.Fatal(err)
				}
				if got != reason || reason != "" && !strings.Contains(f.Detail, ".go:") {
					t.Errorf("%q, %v, not %q", got, err, reason)
				}
			})
		}
	}
}
