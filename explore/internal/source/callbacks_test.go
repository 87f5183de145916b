package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCallbacks asks for what functions an operation is called with do, and for those that are not given.
func TestCallbacks(t *testing.T) {
	dir := t.TempDir()
	ops := []struct{ signature, want string }{
		{"(f func())", "constant panicking"},
		{"(f func() int) int", "constant counting panicking"},
		{"(f func() string) string", "constant panicking"},
		{"(f func() (any, error)) (any, error)", "constant failing panicking"},
		{"(f func() (int, bool))", "constant counting failing panicking"},
		{"(f func(int) int)", "constant counting panicking"},
		{"(f func(int) bool) bool", "constant failing panicking"},
		{"(f func(context.Context) (int, error)) error", "constant counting failing panicking"},
		{"(k string, f func() Named) Named", "- | constant counting panicking"},
		{"(f func() struct{ a int }) int", "constant panicking"},
		{"(f func() error, g func() error) error", "constant failing panicking | constant failing panicking"},
		{"(f func(int))", ""},
		{"(f func(int) bool)", ""},
		{"(f func(int, int) int) int", ""},
		{"(f func() *int) int", ""},
		{"(f func() fmt.Stringer) int", ""},
		{"(f func() func()) int", ""},
		{"(f func(...int) int) int", ""},
		{"(f ...func() int) int", "without"},
	}
	text := "package k\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n\ntype Named int\n\ntype T struct{ s fmt.Stringer; c context.Context }\n"
	name := func(i int) string { return "Op" + string(rune('A'+i)) }
	for i, op := range ops {
		text += "\nfunc (t *T) " + name(i) + op.signature + " { panic(0) }\n"
	}
	for file, text := range map[string]string{"go.mod": "module example.com/k\n\ngo 1.24.0\n", "k.go": text} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), Options{Dir: dir, Callbacks: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, op := range p.Ops {
		var all []string
		for _, c := range op.Choices {
			words := strings.Join(c, " ")
			if c == nil {
				words = "-"
			}
			all = append(all, words)
		}
		got[bare(op.GoName)] = strings.Join(all, " | ")
		if len(op.Choices) == 0 {
			got[bare(op.GoName)] = "without"
		}
	}
	for i, op := range ops {
		if got[name(i)] != op.want {
			t.Errorf("%s: %q, want %q", op.signature, got[name(i)], op.want)
		}
	}
	if p, err = Load(t.Context(), Options{Dir: dir}); err != nil || len(p.Ops) != 1 {
		t.Errorf("without callbacks there are %v, %v", p, err)
	}
}
