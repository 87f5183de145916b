package origin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParams reads the names of parameters of all kinds of methods.
func TestParams(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":      "package p\n\nimport \"context\"\n\ntype T[K any] struct{}\n\nfunc (t *T[K]) Put(ctx context.Context, key K, n, m int) {}\nfunc (T[K]) Get(K, string) {}\nfunc Put(other int) {}\n",
		"b.go":      "package p\n\ntype U struct{}\n\nfunc (u U) Put(x int) {}\nfunc (t *T[K]) All(keys ...K) {}\n",
		"a_test.go": "package p\n\nfunc (t *T[K]) Put(wrong int) {}\n",
		"c.go":      "not Go",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string][]string{"Put": {"key", "n", "m"}, "Get": {"", ""}, "All": {"keys"}}
	if diff := cmp.Diff(want, Params(dir, "T")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := Params(filepath.Join(dir, "nowhere"), "T"); len(got) > 0 {
		t.Error(got)
	}
}
