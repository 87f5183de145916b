package explore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// tooMany reports whether a program has more states than a test may take.
func tooMany(states int64) bool {
	return states > 300_000 && !testsize.Nightly() || states > 10_000 && !testsize.Long()
}

// root is the folder of the module, seen from here.
const root = ".."

// folder is where a program is.
func folder(name string) string {
	if strings.HasPrefix(name, "examples/") {
		return filepath.Join(root, name)
	}
	if strings.HasPrefix(name, "libraries/") {
		return name
	}
	if strings.HasPrefix(name, "policies/") {
		return filepath.Join("testdata", name)
	}
	return filepath.Join("testdata", "programs", name)
}

// theories are what the algorithms have to be.
var theories = map[string]string{
	lazySet: "verified/set/set", optimisticSet: "verified/set/set", coupledSet: "verified/set/set", harrisSet: "verified/set/set",
	treiberStack: "stack/stack", twoLockQueue: "queue/queue", michaelScott: "queue/queue",
}

func theoryOf(t *testing.T, name string) *theory.Theory {
	t.Helper()
	file, ok := theories[name]
	if !ok {
		return nil
	}
	f, err := os.Open(filepath.Join(root, "examples", file+".theory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	th, err := theory.Read(f, file)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// constructors are what makes the object where a package has several.
func constructor(name string) (typ, expr string) {
	if name == treiberStack {
		return "Stack", "New()"
	}
	return "", ""
}

// imported is the package of this module that an algorithm imports.
var imported = map[string]string{vechevDCASSet: dcasWords}

// write makes a module of the mutant and of what it imports; the edits are made in both.
func (m mutant) write(t *testing.T) string {
	t.Helper()
	const module = "example.com/mutant"
	dir, found := t.TempDir(), make([]bool, len(m.edits))
	put(t, filepath.Join(dir, "go.mod"), "module "+module+"\n\ngo 1.24.0\n")
	part := func(of, to string) {
		files, err := filepath.Glob(filepath.Join(folder(of), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(b), "github.com/adtinfer/adtinfer/examples/verified", module)
			for i := 0; i < len(m.edits); i += 2 {
				found[i] = found[i] || strings.Contains(text, m.edits[i])
				text = strings.ReplaceAll(text, m.edits[i], m.edits[i+1])
			}
			put(t, filepath.Join(to, filepath.Base(file)), text)
		}
	}
	part(m.of, dir)
	if of := imported[m.of]; of != "" {
		part(of, filepath.Join(dir, filepath.Base(of)))
	}
	for i := 0; i < len(m.edits); i += 2 {
		if !found[i] {
			t.Errorf("%s, %s: the program has no %q", m.of, m.name, m.edits[i])
		}
	}
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
