package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// check looks at a package, of which a file may have been changed.
func check(t *testing.T, dir, file, old, new string) []Finding {
	t.Helper()
	o := Options{Dir: dir}
	if file != "" {
		name, err := filepath.Abs(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if name, err = filepath.EvalSymlinks(name); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), old, new, 1)
		if changed == string(text) {
			t.Fatalf("%s has no %q", file, old)
		}
		o.Overlay = map[string][]byte{name: []byte(changed)}
	}
	p, err := Code(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return Check(p).Findings
}

// checkText looks at a package of one file.
func checkText(t *testing.T, text string) []Finding {
	t.Helper()
	file, err := os.ReadFile("testdata/recorded/recorded.go")
	if err != nil {
		t.Fatal(err)
	}
	return check(t, "testdata/recorded", "recorded.go", string(file), text)
}

// TestCommitsOfExamples finds nothing in the examples, which are right.
func TestCommitsOfExamples(t *testing.T) {
	for _, name := range []string{"multiset", "blinktree", "queue"} {
		for _, f := range check(t, "../../../examples/"+name, "", "", "") {
			t.Error(f)
		}
	}
}

// TestMutants changes a line of an example, and finds what is wrong then.
func TestMutants(t *testing.T) {
	testsize.NeedsLong(t)
	for _, m := range testsize.Some([]struct{ name, file, old, new, want string }{
		{"commit dropped", "multiset/multiset.go", "s.m.removals.Add(1)\n\t\ts.h.Commit()", "s.m.removals.Add(1)", ""}, // remove is an observer
		{"no commit without room", "multiset/multiset.go", "if i < 0 {\n\t\ts.h.Commit()", "if i < 0 {",
			"multiset.go:64:12: insertPair returns here without a commit"},
		{"no commit of a pair", "multiset/multiset.go", "if s.m.defect != WrongCommit {\n\t\ts.h.Commit()\n\t}", "",
			"multiset.go:64:12: insertPair returns here without a commit"},
		{"the wrong condition", "multiset/multiset.go", "if s.m.defect != WrongCommit {", "if s.m.defect == WrongCommit {",
			"multiset.go:116:13: insertPair commits a second time here"},
		{"commit doubled", "multiset/multiset.go", "\t\ts.m.removals.Add(1)\n\t\ts.h.Commit()", "\t\ts.m.removals.Add(1)\n\t\ts.h.Commit()\n\t\ts.h.Commit()",
			"multiset.go:166:13: remove commits a second time here"},
		{"goes on after a commit", "multiset/multiset.go", "\tfound(i)\n\treturn true", "\tfound(i)\n\treturn false",
			"multiset.go:165:13: remove commits a second time here"},
		{"write not recorded", "multiset/slot.go", "s.h.Write(s.m.valid, i, record.Bool(true))", "",
			"slot.go:51:15: insertPair writes to slot.valid, which the view has, and the write is not recorded before it commits"},
		{"clearing not recorded", "multiset/slot.go", "s.h.Write(s.m.content, i, record.Value{})", "",
			"slot.go:45:15: remove writes to slot.content, which the view has, and the write is not recorded before it commits"},
		{"no write, no commit", "blinktree/blinktree.go", "\t\ts.write(n)\n\t\ts.h.Commit()\n\t}\n\ts.unlock(n)", "\t}\n\ts.unlock(n)",
			"node.go:43:4: delete writes to node.data, which the view has, and the write is not recorded before it returns"},
		{"insert not recorded", "blinktree/blinktree.go", "\t\ts.write(n)\n\t\ts.h.Commit()\n\t\ts.unlock(n)\n\t\treturn", "\t\ts.h.Commit()\n\t\ts.unlock(n)\n\t\treturn",
			"node.go:37:4: insert writes to node.keys, which the view has, and the write is not recorded before it commits"},
		{"commit in one way alone", "blinktree/blinktree.go", "\ts.write(n, right)\n\ts.h.Commit()", "\ts.write(n, right)",
			"blinktree.go:82:12: insert returns here without a commit"},
		{"commit of a merge dropped", "blinktree/compress.go", "\ts.h.Commit()", "", "compress.go:60:12: compress returns here without a commit"},
		{"unlocked before the block entry", "blinktree/blinktree.go", "\tright := s.t.split(n)\n\tseparator := n.high", "\tright := s.t.split(n)\n\tseparator := n.high\n\ts.unlock(n)",
			"view.go:33:16: the block entry is recorded without a lock"},
		{"unlocked and locked again", "blinktree/blinktree.go", "\t\ts.write(n)\n\t\ts.h.Commit()\n\t\ts.unlock(n)\n\t\treturn", "\t\ts.unlock(n)\n\t\ts.lock(n)\n\t\ts.write(n)\n\t\ts.h.Commit()\n\t\ts.unlock(n)\n\t\treturn",
			"view.go:33:16: the block entry has the write to node.keys at examples/blinktree/node.go:37, and no lock was held in between"},
		{"another lock between", "blinktree/compress.go", "\tparent.keys = slices.Delete(parent.keys, i, i+1)", "\ts.t.grows.Lock()\n\ts.t.grows.Unlock()\n\tparent.keys = slices.Delete(parent.keys, i, i+1)", ""},
		{"an observer that commits twice", "blinktree/blinktree.go", "\t\ts.h.Begin()\n\t\ts.write(n)\n\t\ts.h.Commit()\n\t}", "\t\ts.write(n)\n\t\ts.h.Commit()\n\t}\n\ts.h.Commit()",
			"blinktree.go:130:12: delete commits a second time here"},
		{"called within a call", "blinktree/blinktree.go", "\ts.settle(n)\n\ts.h.Return(record.None)", "\ts.settle(n)\n\ts.h.Call(s.t.insert)\n\ts.h.Commit()\n\ts.h.Return(record.None)",
			"blinktree.go:82:10: insert is called here and has not returned"},
		{"not an observer", "blinktree/view.go", `"lookup", `, "", "blinktree.go:110:13: lookup returns here without a commit"},
	}, 6) {
		t.Run(m.name, func(t *testing.T) {
			dir, file := filepath.Split(m.file)
			list := check(t, "../../../examples/"+dir, file, m.old, m.new)
			var texts []string
			for _, f := range list {
				texts = append(texts, f.String())
			}
			all := strings.Join(texts, "\n")
			if m.want == "" && len(list) > 0 || !strings.Contains(all, m.want) {
				t.Errorf("found\n%s\nwant %s", all, m.want)
			}
		})
	}
}

// TestRecorded finds what the comments of a package want, and nothing else.
func TestRecorded(t *testing.T) {
	const file = "explore/internal/source/testdata/recorded/recorded.go"
	text, err := os.ReadFile("testdata/recorded/recorded.go")
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if _, what, ok := strings.Cut(line, "// want: "); ok {
			want[i+1] = what
		}
	}
	for _, f := range check(t, "testdata/recorded", "", "", "") {
		if what, ok := want[f.Line]; !ok || f.File != file || !strings.HasPrefix(f.What, what) {
			t.Errorf("%s, want %q", f, what)
		}
		delete(want, f.Line)
	}
	for line, what := range want {
		t.Errorf("line %d: nothing is found, want %s", line, what)
	}
}
