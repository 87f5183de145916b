package origin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type thing struct{ n int }

func newThing() *thing          { return &thing{} }
func newOf[T any]() *T          { return new(T) }
func (x *thing) make() *thing   { return x }
func sized(n int) func() *thing { return func() *thing { return &thing{n} } }

var (
	size         = 3
	madeGlobally = func() *thing { n := size; return &thing{n} }
)

func ofFuncs(t *testing.T, funcs ...any) string {
	t.Helper()
	s, err := OfFuncs(t.Context(), funcs...)
	if err != nil {
		return ""
	}
	return s
}

// Functions are identified if their source says all about them.
func TestOfFuncs(t *testing.T) {
	local := 3
	inner := func() *thing {
		n := 1
		add := func(k int) { n += k } // of the literal's own
		add(2)
		return &thing{n}
	}
	for name, tt := range map[string]struct {
		f  any
		ok bool
	}{
		"function": {newThing, true}, "literal": {func() *thing { return &thing{} }, true}, "its own variables": {inner, true},
		"instance": {newOf[thing], true}, "of the package": {func() *thing { return &thing{size} }, true}, "global": {madeGlobally, true},
		"elsewhere": {time.Now, true}, "captures": {func() *thing { return &thing{local} }, false}, "parameter": {sized(4), false},
		"method value": {(&thing{}).make, false}, "method": {(*thing).make, true}, "no function": {3, false}, "nil": {(func())(nil), false},
	} {
		if s := ofFuncs(t, tt.f); (s != "") != tt.ok {
			t.Errorf("%s: %q", name, s)
		}
	}
	if ofFuncs(t, newOf[thing]) == ofFuncs(t, newOf[Source]) {
		t.Error("two instances of a function are the same")
	}
	if ofFuncs(t, newThing) == ofFuncs(t, madeGlobally) {
		t.Error("two functions are the same")
	}
	if a, b := ofFuncs(t, newThing), ofFuncs(t, newThing, nil, 3); a != b {
		t.Errorf("%q, with what is no function %q", a, b)
	}
	if s := ofFuncs(t, newThing); !strings.Contains(s, "sha256:") {
		t.Errorf("%q", s)
	}
}

// A literal that shares its line with one that captures may be that one.
func TestClosed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	const text = `package x

import "example.com/far"

func f(a int) {
	_, _ = func() int { return 1 }, func() int { return a }
	_ = func() int { return 2 }
	_ = func(a int) int { return a }
	_ = func() int { return f2(a) }
	type t struct{ a int }
	_ = func() t { return t{a: 1} }
	_ = func() any { return far.New(a) }
	_ = func() any { return far.T{F: a} }
	_ = func() any { return &far.T{a}.F }
	_ = func() any { x := far.New(1); x.Set(2)[a]++; return x }
	_ = func() any { x := far.New(1); x.Set(2); return x }
	_ = func() any { for range a {}; return nil }
	_ = func() (x any) { go func() { x = far.F(func() { far.G(a) }) }(); return }
	_ = far.Wrap(func(b int) any { return far.New(b) })
	_ = far.Wrap(func(b int) any { return far.New(a) })
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]bool{
		5: false, 6: false, 7: true, 8: true, 9: false, 11: true, 12: false, 13: false, 14: false, 15: false, 16: true, 17: false, 18: false, 19: true, 20: false,
	} {
		if closed(file, line, "x.f.func1") != want {
			t.Errorf("line %d: %v", line, !want)
		}
	}
	if closed(filepath.Join(t.TempDir(), "none.go"), 4, "x.f.func1") || !closed("", 0, "x.f") {
		t.Error("a literal without source is closed, or a function is not")
	}
}

// Source that is newer than the program is not the program's.
func TestNewer(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": "module m\n", "a.go": "package a\n", "a_test.go": "package a\n", "x_test.go": "package a_test\n"})
	for _, name := range []string{"a.go", "a_test.go"} {
		when := time.Now().Add(time.Hour)
		if name == "a_test.go" {
			when = when.Add(time.Hour)
		}
		if err := os.Chtimes(filepath.Join(root, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	plain, err := packages(t.Context(), root, ".", false)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := packages(t.Context(), root, ".", true)
	if err != nil {
		t.Fatal(err)
	}
	if !tests.newest.After(plain.newest) || tests.Hash == plain.Hash || tests.ModFile != plain.ModFile || tests.Package == "" {
		t.Errorf("%+v\n%+v", plain, tests)
	}
	if err := os.WriteFile(filepath.Join(root, "x_test.go"), []byte("package a_test // x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if again, err := packages(t.Context(), root, ".", true); err != nil || again.Hash == tests.Hash {
		t.Errorf("another test is the same: %+v, %v", again, err)
	}
}
