package check_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/theories"
)

// TestCheckLogMakesRoomOnce: a file takes as much memory as it has bytes, and not what
// growing a buffer takes.
func TestCheckLogMakesRoomOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.log")
	text := strings.Repeat("# a comment that takes some room, since a log of so many events would take other memory, too\n", 40_000)
	if err := os.WriteFile(file, []byte(text+"[1] call add(1)\n[1] return\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	queue, err := theories.Load("queue")
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(queue, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bytes := func() uint64 {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if r, err := c.CheckLog(t.Context(), f, file); err != nil || r.Verdict != check.Linearizable {
			t.Fatal(r, err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	bytes() // the procedure is chosen
	if got := bytes(); got > 2*uint64(len(text)) {
		t.Errorf("%d bytes for a file of %d", got, len(text))
	}
}
