package out

import (
	"bytes"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/theory"
)

// TestLegend: the legend explains v1b where a drawing has such a value, and only
// there.
func TestLegend(t *testing.T) {
	for drawing, want := range map[string]bool{
		"[1:X] get(v1) => v1b (RO)   #\n": true,
		"[1:X] get(v1) => v1 (RO)   #\n":  false,
		"[1:X] gov1b(v1)   #\n":           false,
	} {
		th := &theory.Theory{Name: "store"}
		th.Spec.Patterns = []theory.Pattern{{Name: "get-unmatched", Drawing: drawing}}
		var md bytes.Buffer
		if err := Markdown(&md, th); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(md.String(), "operation 1, `v1b` its second, and `-`"); got != want {
			t.Errorf("%q: %v in\n%s", drawing, got, &md)
		}
	}
}
