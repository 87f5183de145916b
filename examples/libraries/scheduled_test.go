package libraries

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/adtinfer/adtinfer/schedule"
)

// TestScheduled has adttest look for twenty public bugs by itself, each for a second: with generated scenarios, most of the time
// under controlled schedules. It logs when each was found.
func TestScheduled(t *testing.T) {
	if os.Getenv("ADTINFER_LONG") == "" {
		t.Skip("takes long: set ADTINFER_LONG=1")
	}
	if _, err := schedule.NewToolchain(t.Context(), "."); errors.Is(err, schedule.ErrUnsupported) {
		t.Skip(err)
	}
	folder := filepath.Join("testdata", "scheduled")
	t.Cleanup(func() { os.RemoveAll(filepath.Join(folder, "testdata")) })
	cmd := exec.Command("go", "test", "-count=1", "-v", "./"+folder)
	cmd.Env = append(os.Environ(), "ADTTEST_SCHEDULES=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	tests := regexp.MustCompile(`(?s)=== RUN   (\w+)\n(.*?)--- (PASS|FAIL|SKIP): `).FindAllSubmatch(out, -1)
	when := regexp.MustCompile(`found by .*|a goroutine ended the program.*`)
	found := 0
	for _, m := range tests {
		said := when.Find(m[2])
		if string(m[3]) == "FAIL" && said != nil {
			found++
		}
		t.Logf("%s: %s %s", m[1], m[3], said)
	}
	if len(tests) != 20 || found < 18 {
		t.Errorf("%d of %d are found\n%s", found, len(tests), out)
	}
}
