package sources

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func zstded(t testing.TB, text string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

func tarred(names ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range names {
		w.WriteHeader(&tar.Header{Name: n, Typeflag: tar.TypeReg, Size: int64(len(n)), Mode: 0o600})
		io.WriteString(w, n)
	}
	w.Close()
	return b.String()
}

func zipped(names ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		f, _ := w.Create(n)
		io.WriteString(f, n)
	}
	w.Close()
	return b.String()
}

// contents are the logs and what is in them, or what is wrong with them.
func contents(l *List) (all []string) {
	for s := range l.Each {
		f, err := s.Open()
		text := ""
		if err == nil {
			var b []byte
			b, err = io.ReadAll(f)
			text = string(b)
			f.Close()
		}
		if err != nil {
			text = "ERROR " + err.Error()
		}
		all = append(all, s.Name+" "+text)
	}
	return all
}

// Every kind of thing that a user may name, in a directory of files.
func TestAll(t *testing.T) {
	bomb := gzipped(strings.Repeat("\n", 64<<20))
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"d/a.log": "a", "d/b.jsonl.gz": gzipped("b"), "d/c.bin.zst": zstded(t, "c"), "d/e/f.json": gzipped("f"), "d/README": "no",
		"g.log": "g", "t.tar": tarred("x.log", "./y/z.log", "../evil.log", "/etc/w.log", "no.txt"), "t.tgz": gzipped(tarred("x.log", "y.log")),
		"t.tar.zst": zstded(t, tarred("x.log")), "z.zip": zipped("x.log", "dir/", `..\evil.log`, "a/../../b.log", "no.txt"), "none.tar": tarred("no.txt"),
		"two.gz": gzipped("one") + gzipped("") + gzipped("two"), "junk.gz": gzipped("a") + "x", "much.gz": gzipped("a") + strings.Repeat("x", 99), "cut2.gz": gzipped("a") + gzipped("b")[:1], "cut3.gz": gzipped("a") + gzipped("b")[:12],
		"junk.zst": zstded(t, "a") + "xxxxxx",
		"cut.gz":   gzipped("some text")[:20], "cut.zst": zstded(t, strings.Repeat("some text", 99))[:12], "cut.tar": tarred("x.log", "y.log")[:1100],
		"bad.gz": "\x1f\x8b\x00\x01", "no.zip": "x", "zip.log": zipped("x"), "bomb": bomb, "empty.log": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args string
		want []string // what the logs begin with
	}{
		{"d", []string{"d/a.log a", "d/b.jsonl.gz b", "d/c.bin.zst c", "d/e/f.json f"}},
		{"g.log - empty.log", []string{"g.log g", "standard input in", "empty.log "}},
		{"t.tar", []string{"t.tar/x.log x.log", "t.tar/y/z.log ./y/z.log", `t.tar/../evil.log ERROR t.tar: the entry "../evil.log" is not read, because its name leads out`, `t.tar//etc/w.log ERROR t.tar: the entry "/etc/w.log" is not read, because its name is absolute`}},
		{"t.tgz t.tar.zst", []string{"t.tgz/x.log x.log", "t.tgz/y.log y.log", "t.tar.zst/x.log x.log"}},
		{"z.zip", []string{"z.zip/x.log x.log", `z.zip/..\evil.log ERROR z.zip: the entry`, "z.zip/a/../../b.log ERROR z.zip: the entry"}},
		{"none.tar", []string{"none.tar ERROR none.tar: no .log, .jsonl, .json, .bin, .edn or .hist file in the archive"}},
		{"cut.gz cut.zst", []string{"cut.gz ERROR cut.gz: the gzip data are truncated", "cut.zst ERROR cut.zst: the zstd data are truncated"}},
		{"two.gz", []string{"two.gz onetwo"}},
		{"junk.gz much.gz junk.zst", []string{"junk.gz ERROR junk.gz: after the gzip data comes something else", "much.gz ERROR much.gz: after the gzip data comes something else", "junk.zst ERROR junk.zst: after the zstd data comes something else"}},
		{"cut2.gz cut3.gz", []string{"cut2.gz ERROR cut2.gz: the gzip data are truncated", "cut3.gz ERROR cut3.gz: the gzip data are truncated"}},
		{"cut.tar", []string{"cut.tar/x.log x.log", "cut.tar ERROR cut.tar: the archive is truncated"}},
		{"bad.gz no.zip zip.log", []string{"bad.gz ERROR bad.gz: the gzip data are", "no.zip ERROR no.zip: the archive cannot be read", "zip.log ERROR zip.log: is a zip archive"}},
		{"bomb", []string{"bomb ERROR bomb: decompresses to more than 500 times its size"}},
		{"nowhere", []string{"nowhere ERROR open nowhere: "}},
	} {
		t.Run(tt.args, func(t *testing.T) {
			l, err := All(t.Context(), Options{Args: strings.Fields(tt.args), Stdin: strings.NewReader("in")})
			if err != nil {
				t.Fatal(err)
			}
			got := contents(l)
			for i := range got {
				if i < len(tt.want) && strings.HasPrefix(got[i], tt.want[i]) {
					got[i] = tt.want[i]
				}
				got[i] = got[i][:min(len(got[i]), 200)]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of a directory that Jepsen stored a test in, the history is read, and nothing else.
func TestStored(t *testing.T) {
	for _, tt := range []struct{ name, files, want string }{
		{"all", "s/t/1/history.edn s/t/1/history.txt s/t/1/jepsen.log s/t/1/results.edn s/t/1/timeline.html s/t/1/test.jepsen s/t/1/n1/db.log s/t/1/independent/0/history.edn", "s/t/1/history.edn"},
		{"text", "s/t/1/history.txt s/t/1/jepsen.log s/t/1/results.edn", "s/t/1/history.txt"},
		{"bare text", "s/t/1/history.txt", "s/t/1/history.txt"},
		{"log", "s/t/1/jepsen.log s/t/1/n1/db.log", "s/t/1/jepsen.log"},
		{"packed", "s/t/1/history.edn.gz s/t/1/jepsen.log", "s/t/1/history.edn.gz"},
		{"two", "s/t/1/history.edn s/t/1/results.edn s/t/2/history.edn s/t/2/results.edn", "s/t/1/history.edn s/t/2/history.edn"},
		{"no store", "s/history.edn s/a.log s/b/history.edn s/results.edn2", "s/a.log s/b/history.edn s/history.edn"},
		{"results alone", "s/results.edn s/a.log", "s/a.log"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range strings.Fields(tt.files) {
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				text := "x"
				if strings.HasSuffix(name, ".gz") {
					text = gzipped(text)
				}
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			l, err := All(t.Context(), Options{Args: []string{"s"}})
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, name := range strings.Fields(tt.want) {
				want = append(want, name+" x")
			}
			if diff := cmp.Diff(want, contents(l)); diff != "" {
				t.Error(diff)
			}
			if err := os.WriteFile("z.zip", []byte(zipped(strings.Fields(tt.files)...)), 0o666); err != nil {
				t.Fatal(err)
			}
			if l, err = All(t.Context(), Options{Args: []string{"z.zip"}}); err != nil {
				t.Fatal(err)
			}
			var names []string
			for s := range l.Each {
				names = append(names, strings.TrimPrefix(s.Name, "z.zip/"))
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("in an archive: %s, want %s", got, tt.want)
			}
		})
	}
}

// Lists of names, however they are separated, are the names one by one.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.log", "b c.log", "d\ne.log"} {
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string][]string{
		"a.log\n\nb c.log\r\na.log": {"a.log a.log", "b c.log b c.log", "a.log a.log"},
		"a.log\x00d\ne.log\x00":     {"a.log a.log", "d\ne.log d\ne.log"},
		"d\ne.log\x00a.log\x00":     {"d ERROR open d: no such file or directory", "standard input:2 ERROR standard input:2: the name contains a NUL; end all names with newlines, or all with NULs"},
		"":                          nil,
		strings.Repeat("x", 1<<17):  {fmt.Sprintf("standard input:1 ERROR standard input:1: the name is longer than %d bytes; is this a list of files, one per line?", maxName)},
	} {
		l, err := All(t.Context(), Options{From: "-", Stdin: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, contents(l)); diff != "" {
			t.Errorf("%.40q: %s", text, diff)
		}
	}
}

// Every log is in one shard, which does not depend on the system.
func TestShard(t *testing.T) {
	counts := make([]int, 4)
	for i := range 4000 {
		var in []int
		for n := 1; n <= 4; n++ {
			if (check.Shard{I: n, N: 4}).Has(fmt.Sprintf("logs/%d.log", i)) {
				in = append(in, n-1)
			}
		}
		if len(in) != 1 {
			t.Fatalf("log %d is in shards %v", i, in)
		}
		counts[in[0]]++
	}
	if slices.Min(counts) < 900 {
		t.Errorf("the shards have %v logs", counts)
	}
	// FNV-1a of "a", from the definition: (offset ^ 'a') * prime.
	offset, prime := uint64(14695981039346656037), uint64(1099511628211)
	if i := int((offset^'a')*prime%7) + 1; !(check.Shard{I: i, N: 7}).Has("a") {
		t.Errorf("a is not in shard %d of 7", i)
	}
	for _, bad := range []string{"0/2", "3/2", "1", "1/", "/2", "a/b", "-1/2", "1/0"} {
		if s, err := ParseShard(bad); err == nil {
			t.Errorf("%q is %v", bad, s)
		}
	}
}

// Unpacking gives back what was packed, or an error for whatever is no pack.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte(gzipped("text")))
	f.Add([]byte(zstded(f, "text")))
	f.Add([]byte("text"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := Unpack(bytes.NewReader(data), "x", 1<<20)
		got, err := io.ReadAll(in)
		in.Close()
		if len(got) > 1<<20 {
			t.Errorf("%d bytes", len(got))
		}
		packed := bytes.HasPrefix(data, gzipMagic) || bytes.HasPrefix(data, zstdMagic) || bytes.HasPrefix(data, zipMagic)
		if !packed && (err != nil || !bytes.Equal(got, data)) {
			t.Errorf("%q became %q, %v", data, got, err)
		}
	})
}
