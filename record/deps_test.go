package record

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program that only records links the standard library and these packages.
func TestDependencies(t *testing.T) {
	allowed := []string{"record", "record/internal/tape", "history", "internal/host/binlog", "internal/driver/values", "internal/driver/typename", "internal/wording", "internal/wording", "internal/wording", "internal/wording", "internal/wording", "internal/wording", "internal/wording", "internal/driver/values"}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	for _, dep := range deps {
		name, ours := strings.CutPrefix(dep, "github.com/adtinfer/adtinfer/")
		if !ours || !slices.Contains(allowed, name) {
			t.Errorf("package record links %s", dep)
		}
	}
	if len(deps) < 3 {
		t.Errorf("go list says %s", out)
	}
}
