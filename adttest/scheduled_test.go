package adttest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/schedule"
)

// TestScheduled runs tests of types that fail under few schedules as users do, in a program of their own.
func TestScheduled(t *testing.T) {
	if !testsize.Long() {
		t.Skip("compiles the standard library")
	}
	if _, err := schedule.NewToolchain(t.Context(), "."); errors.Is(err, schedule.ErrUnsupported) {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Join("testdata", "scheduled", "testdata")) })
	binary := filepath.Join(t.TempDir(), "scheduled.test") // go test would link it six times
	if out, err := exec.Command("go", "test", "-c", "-o", binary, "./testdata/scheduled").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, tc := range map[string]struct {
		env   string
		fails bool
		want  string
	}{
		"TestCounter":      {"1", true, `in round \d{1,3}, scenario \d(?s:.*)what the goroutines did, in compiled code(?s:.*)calls Inc\(\)(?s:.*)scheduled_test.go:\d+  c.n.Store`},
		"TestSecond/twice": {"1", true, `what the goroutines did(?s:.*)go test -run '\^TestSecond\$/\^twice\$'`},
		"TestDying":        {"1", true, `a goroutine ended the program, in a run under controlled schedules:(?s:.*)panic: too late`},
		"TestGood":         {"1", false, `holds: `},
		"TestQueue":        {"1", false, `holds: `},
		"TestGood ":        {"0", false, `holds: `},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(binary, "-test.v", "-test.run", "^"+strings.ReplaceAll(strings.TrimSpace(name), "/", "$/^")+"$")
			cmd.Dir = filepath.Join("testdata", "scheduled")
			cmd.Env = append(os.Environ(), "ADTTEST_SCHEDULES="+tc.env)
			out, err := cmd.CombinedOutput()
			if (err != nil) != tc.fails || !regexp.MustCompile(tc.want).Match(out) || regexp.MustCompile(`run freely only`).Match(out) {
				t.Errorf("%v; want failure %t, %s\n%s", err, tc.fails, tc.want, out)
			}
		})
	}
}
