package golden

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestInferred runs infer for each type, or a sample of them, and compares what
// comes out with the table.
func TestInferred(t *testing.T) {
	testsize.NeedsLong(t)
	command := filepath.Join(t.TempDir(), "adtinfer")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/adtinfer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	each(t, func(t *testing.T, typ *Type) {
		if !testsize.Nightly() && !slices.Contains(sample, typ.Name) {
			t.Skip("some take minutes: set ADTINFER_NIGHTLY=1")
		}
		args := append([]string{"infer", "--ref", typ.Dir(t), "-o", "-", "-f", "theory"}, typ.Args()...)
		c := exec.CommandContext(t.Context(), command, args...)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		file, err := c.Output()
		got := "refused"
		if err == nil {
			th, err := theory.Read(bytes.NewReader(file), "theory")
			switch {
			case err != nil:
				t.Fatal(err)
			case th.Spec.Model != nil:
				got = "model"
			default:
				got = "patterns"
			}
		}
		if got != typ.Out && !*update {
			t.Errorf("it comes out as %s, want %s\n%s", got, typ.Out, &stderr)
		}
		typ.Out = got
	})
}
