package explore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// besideTest is a test that has adttest look for what is wrong five times.
const besideTest = `package PACKAGE

import (
	"fmt"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/adttest"
)

func TestFind(t *testing.T) {
	for range 5 {
		start := time.Now()
		f, err := adttest.Find(t.Context(), adttest.Config{
			New: New, Theory: THEORY, Budget: 20 * time.Second, Shrink: time.Nanosecond, Dir: t.TempDir(), MustReturn: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("TOOK", time.Since(start).Milliseconds(), f != nil)
	}
}
`

// TestBesideRecording prints how long exploring takes to find what is wrong with each
// mutant, and how long adttest does, which runs it: the median of five times, of 20 s
// at most each. ADTINFER_NIGHTLY=1 go test -run BesideRecording -v -timeout 2h ./explore
func TestBesideRecording(t *testing.T) {
	testsize.NeedsNightly(t, "takes an hour")
	for _, m := range mutants {
		if m.want == explore.Holds || m.want == explore.Racy {
			continue // adttest sees histories, not races
		}
		t.Run(m.of+" "+m.name, func(t *testing.T) {
			dir := m.write(t)
			o := explore.Options{Dir: dir, Theory: theoryOf(t, m.of), Bounds: bounds(2, 2, 2), Workers: 1}
			o.Type, o.New = constructor(m.of)
			start := time.Now()
			r := run(t, o, m.want, "")
			t.Logf("explore: %v, %d states; adttest: %s", time.Since(start).Round(time.Millisecond), r.States, m.recorded(t, dir))
		})
	}
}

// recorded is how long adttest takes.
func (m mutant) recorded(t *testing.T, dir string) string {
	t.Helper()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(here, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const module = "module github.com/adtinfer/adtinfer\n"
	put(t, filepath.Join(dir, "go.mod"), strings.Replace(text("go.mod"), module, "module example.com/mutant\n", 1)+
		"\nrequire github.com/adtinfer/adtinfer v0.0.0\n\nreplace github.com/adtinfer/adtinfer => "+here+"\n")
	put(t, filepath.Join(dir, "go.sum"), text("go.sum"))
	theory := strconv.Quote(filepath.Join(here, "examples", theories[m.of]+".theory.yaml"))
	put(t, filepath.Join(dir, "find_test.go"), strings.NewReplacer("PACKAGE", filepath.Base(m.of), "THEORY", theory).Replace(besideTest))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "-count=1", "-run", "TestFind", "-v", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var took []int
	for _, line := range strings.Split(string(out), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "TOOK" {
			ms, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			if f[2] == "false" {
				ms = 1 << 40 // not found
			}
			took = append(took, ms)
		}
	}
	if len(took) != 5 {
		t.Fatalf("five times, got %v\n%s", took, out)
	}
	slices.Sort(took)
	if took[2] == 1<<40 {
		return "not found"
	}
	return (time.Duration(took[2]) * time.Millisecond).String()
}
