package origin

import (
	"os"
	"path/filepath"
	"reflect"
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

// TestLiterals reads integers and texts, and no messages.
func TestLiterals(t *testing.T) {
	dir := t.TempDir()
	text := "package p\n\nimport \"errors\"\n\ntype T struct {\n\tA int `json:\"a\"`\n}\n\nconst most = 1 << 4\n\nvar ErrFull = errors.New(\"full\")\n\n" +
		"func (t *T) Put(who string, n int) error {\n\tif who == \"root\" || n > 65535 || n < -2 || n == 65535 {\n\t\tpanic(\"bad\")\n\t}\n\treturn ErrFull\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want := Literals{Given: Constants{Ints: []int64{50, -3}, Texts: []string{"ann"}}, Source: Constants{Ints: []int64{16, 1, 4, 65535, -2}, Texts: []string{"root"}}}
	if diff := cmp.Diff(want, LiteralsOf(dir, `New("ann", 50, -3)`)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := LiteralsOf(filepath.Join(dir, "nowhere"), ""); !reflect.DeepEqual(got, Literals{}) {
		t.Error(got)
	}
}
