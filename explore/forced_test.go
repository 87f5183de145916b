package explore_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestForced runs the Go tests of counterexamples: in compiled Go, too, the operations answer
// what is not linearizable.
func TestForced(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	type violated struct {
		name string
		o    explore.Options
	}
	var all []violated
	for _, p := range programs {
		if p.want == explore.Violated {
			all = append(all, violated{p.name, explore.Options{Dir: folder(p.name), New: p.new, Bounds: p.at, MayFail: p.mayFail}})
		}
	}
	for _, m := range mutants {
		if m.want == explore.Violated {
			o := explore.Options{Dir: m.write(t), Theory: theoryOf(t, m.of), Bounds: bounds(2, 2, 2)}
			o.Type, o.New = constructor(m.of)
			all = append(all, violated{m.of + " " + m.name, o})
		}
	}
	forced := 0
	for _, v := range testsize.Some(all, 48) {
		c := run(t, v.o, explore.Violated, "").Counterexample
		if c.Test == nil {
			t.Logf("%s: %s", v.name, c.NoTest)
			continue
		}
		forced++
		if out := force(t, v.o.Dir, c); !strings.Contains(out, "the interleaving shows a history that is not linearizable") {
			t.Errorf("%s: %s\n%s", v.name, out, c.Text())
		}
	}
	t.Logf("%d of %d forced", forced, len(all))
	if forced == 0 {
		t.Error("none is forced")
	}
}

// force runs the test of a counterexample.
func force(t *testing.T, dir string, c *explore.Counterexample) string {
	t.Helper()
	to, replace := t.TempDir(), map[string]string{}
	for path, text := range c.Test {
		replace[path] = filepath.Join(to, filepath.Base(path))
		put(t, replace[path], text)
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(to, "overlay.json"), string(list))
	cmd := exec.Command("go", "test", "-vet=off", "-overlay", filepath.Join(to, "overlay.json"), "-run", "^TestInterleaving$", "-v", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=")
	out, _ := cmd.CombinedOutput() // it fails if it shows what it should
	return string(out)
}
