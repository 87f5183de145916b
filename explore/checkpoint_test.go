package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestCheckpoint ends runs when they have taken much memory, goes on with more of it, and
// finds what one run finds.
func TestCheckpoint(t *testing.T) {
	testsize.NeedsLong(t)
	for _, c := range []struct{ dir, reference string }{{"texts", ""}, {"texts", "texts"}, {"examples/queue", ""}, {"maps", ""}} {
		t.Run(c.dir+" "+c.reference, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Dir: folder(c.dir), Bounds: bounds(2, 2, 2)}
			if c.reference != "" {
				o.Reference = folder(c.reference)
			}
			want, err := explore.Run(t.Context(), o)
			if err != nil || want.Verdict != explore.Holds {
				t.Fatalf("%+v, %v", want, err)
			}
			file := filepath.Join(t.TempDir(), "checkpoint")
			o.Checkpoint = file
			parts := 0
			for o.Memory = 1 << 15; ; o.Memory += 1 << 15 {
				got, err := explore.Run(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if got.Verdict == explore.Holds {
					if got.States != want.States || got.Steps != want.Steps {
						t.Errorf("%d states and %d steps in %d parts, %d and %d in one", got.States, got.Steps, parts, want.States, want.Steps)
					}
					break
				}
				o.Resume = file
				parts++
			}
			if parts < 2 {
				t.Errorf("it took %d parts", parts)
			}
		})
	}
}
