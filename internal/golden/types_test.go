package golden

import (
	"os"
	"os/exec"
	"testing"
)

// folders are those of testdata/types.
func folders(t *testing.T) (names []string) {
	entries, err := os.ReadDir("testdata/types")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestVet holds that the packages are plain Go.
func TestVet(t *testing.T) {
	args := []string{"vet"}
	for _, name := range folders(t) {
		args = append(args, "./testdata/types/"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
