package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func get(t *testing.T, c *Files, key, want string) {
	t.Helper()
	if data, ok := c.Get(key); string(data) != want || ok != (want != "") {
		t.Errorf("%s: %q, %v, want %q", key, data, ok, want)
	}
}

func put(t *testing.T, c *Files, key, data string) {
	t.Helper()
	if err := c.Put(key, []byte(data)); err != nil {
		t.Error(err)
	}
}

func entries(t *testing.T, c *Files) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(c.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestCache(t *testing.T) {
	c := at(filepath.Join(t.TempDir(), "new", "cache"))
	get(t, c, "a", "")
	put(t, c, "a", "one\ntwo")
	put(t, c, "b", "other")
	get(t, c, "a", "one\ntwo")
	get(t, c, "b", "other")
	put(t, c, "a", "three")
	get(t, c, "a", "three")
	if n := len(entries(t, c)); n != 2 {
		t.Errorf("%d files", n)
	}
	if err := c.Put("c", make([]byte, maxEntry)); err == nil {
		t.Error("a huge entry is kept")
	}
	var none *Files
	put(t, none, "a", "x")
	get(t, none, "a", "")
}

// A damaged entry is none, whatever byte is wrong, and is written again.
func TestDamaged(t *testing.T) {
	c := at(t.TempDir())
	put(t, c, "a", "data")
	name := c.file("a")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bad := [][]byte{nil, good[:len(good)-1], append(good[:len(good):len(good)], 0), good[1:], bytes.Repeat([]byte("x"), maxEntry+2)}
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 1
		bad = append(bad, b)
	}
	for _, b := range bad {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		get(t, c, "a", "")
	}
	put(t, c, "a", "data")
	get(t, c, "a", "data")
	if err := os.Rename(name, c.file("b")); err != nil {
		t.Fatal(err)
	}
	get(t, c, "b", "") // it is the entry of another key
}

// A directory that cannot be written, or is none, keeps nothing and does no harm.
func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Files{at(file), at(filepath.Join(file, "below")), at(filepath.Join(dir, "\x00"))} {
		if err := c.Put("a", []byte("x")); err == nil {
			t.Errorf("%q: kept", c.dir)
		}
		get(t, c, "a", "")
	}
	c := at(filepath.Join(dir, "readonly"))
	put(t, c, "a", "x")
	if err := os.Chmod(c.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(c.dir, 0o777)
	get(t, c, "a", "x")
	if err := c.Put("b", []byte("x")); err == nil && os.Getuid() != 0 {
		t.Error("an entry is written into a read-only directory")
	}
}

// The oldest entries go when there are too many, and what was left half written.
func TestTrim(t *testing.T) {
	c := at(t.TempDir())
	c.maxBytes = 1000
	old := time.Now().Add(-2 * staleTmp)
	for i := range 5 {
		key := fmt.Sprint(i)
		put(t, c, key, strings.Repeat(key, 120)) // 185 bytes
		used := old.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(c.file(key), used, used); err != nil {
			t.Fatal(err)
		}
	}
	get(t, c, "0", strings.Repeat("0", 120)) // now the newest
	tmp := filepath.Join(c.dir, "1.tmp")
	if err := os.WriteFile(tmp, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(tmp, old, old); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(c.dir, "README")
	if err := os.WriteFile(other, []byte(strings.Repeat("x", 2000)), 0o666); err != nil {
		t.Fatal(err)
	}
	put(t, c, "5", strings.Repeat("5", 120))
	for i, there := range []bool{true, false, true, true, true, true} {
		if _, ok := c.Get(fmt.Sprint(i)); ok != there {
			t.Errorf("entry %d: there is %v", i, ok)
		}
	}
	if _, err := os.Stat(tmp); err == nil {
		t.Error("what was left half written is still there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file of somebody else was removed")
	}
}

// Many at once see an entire entry or none.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for p := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			c := at(dir)
			c.maxBytes = 40_000
			for i := range 50 {
				key := fmt.Sprint(i % 5)
				if data, ok := c.Get(key); ok && (len(data) != 10_000 || bytes.Count(data, data[:1]) != len(data)) {
					t.Errorf("a torn entry: %.20q", data)
				}
				if err := c.Put(key, bytes.Repeat([]byte{byte('a' + p)}, 10_000)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	if c := Open(); c == nil || c.dir != dir {
		t.Errorf("%+v", c)
	}
	t.Setenv(Variable, "off")
	if c := Open(); c != nil {
		t.Errorf("off: %+v", c)
	}
	t.Setenv(Variable, "relative")
	if c := Open(); c != nil {
		t.Errorf("relative: %+v", c)
	}
	t.Setenv(Variable, "")
	t.Setenv("XDG_CACHE_HOME", dir)
	if c := Open(); c == nil || filepath.Base(c.dir) != "adtinfer" {
		t.Errorf("%+v", c)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	Open()
}

func TestSelf(t *testing.T) {
	if len(Self()) != 64 {
		t.Errorf("%q", Self())
	}
}
