//go:build unix && !aix && !solaris

package reference

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOwnDir: what a killed process leaves behind is removed, and nothing else. It
// runs itself as that process.
func TestOwnDir(t *testing.T) {
	if parent := os.Getenv("ADTINFER_TEST_OWN"); parent != "" {
		if _, _, err := ownDir(parent); err != nil {
			t.Fatal(err)
		}
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
	parent := t.TempDir()
	live, release, err := ownDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(parent, tempPrefix+"1")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	killed := exec.Command(os.Args[0], "-test.run=^TestOwnDir$")
	killed.Env = append(os.Environ(), "ADTINFER_TEST_OWN="+parent)
	killed.Run()
	if left := dirs(t, parent); len(left) != 3 {
		t.Fatalf("beside %s and %s there should be a directory that was left behind: %v", live, foreign, left)
	}
	next, releaseNext, err := ownDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{live, foreign, next} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("it is in use, or not ours: %v", err)
		}
	}
	if left := dirs(t, parent); len(left) != 3 {
		t.Errorf("the directory of the killed process is still there: %v", left)
	}
	release()
	releaseNext()
	if removeDead(parent); len(dirs(t, parent)) != 1 {
		t.Errorf("directories that were given up are still there: %v", dirs(t, parent))
	}
}

func dirs(t *testing.T, parent string) (names []string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
