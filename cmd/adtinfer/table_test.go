package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestTypes infers the specifications of plain packages, as users write them,
// and compares what comes out with testdata/types.golden, a line a package. They
// run in this process; TestTypesLoaded builds and loads them as users do. With
// -update the lines of the packages that run are written again.
func TestTypes(t *testing.T) {
	testsize.NeedsLong(t)
	all := testsize.Nightly()
	names := slices.Sorted(maps.Keys(types))
	if len(names) != 60 {
		t.Errorf("%d packages; the list is frozen at 60", len(names))
	}
	load := loadReference
	loadReference = loadInProcess
	lines := make([]string, len(names))
	golden := readTable(t)
	if got := slices.Sorted(maps.Keys(golden)); !slices.Equal(got, names) && !*update {
		t.Errorf("testdata/types.golden has other packages: %v", got)
	}
	t.Cleanup(func() { // when all have run
		loadReference = load
		if *update {
			if err := os.WriteFile("testdata/types.golden", []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
	for i, name := range names {
		lines[i] = golden[name] // unless it runs
		if !all && !slices.Contains(tenth, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines[i] = outcome(t, name)
			if !*update && lines[i] != golden[name] {
				t.Errorf("-testdata/types.golden +now:\n%s", cmp.Diff(golden[name], lines[i]))
			}
		})
	}
}

// tenth are the packages that are not for the night.
var tenth = []string{"fifo", "latch", "mailbox", "register", "ring8", "sessions"}

// TestTypesLoaded makes sure that the constructors in types are what infer
// finds by itself.
func TestTypesLoaded(t *testing.T) {
	testsize.NeedsLong(t)
	for i, name := range slices.Sorted(maps.Keys(types)) {
		if i%20 != 0 && !testsize.Nightly() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got, err := reference.Load(t.Context(), "./testdata/types/"+name, reference.Options{})
			want, werr := loadInProcess(t.Context(), name, reference.Options{})
			if err != nil || werr != nil {
				if err == nil || werr == nil || !strings.HasSuffix(err.Error(), strings.TrimPrefix(werr.Error(), "reference: ")) {
					t.Fatalf("loaded: %v; in process: %v", err, werr)
				}
				return
			}
			defer got.Close()
			if diff := cmp.Diff(want.Methods(), got.Methods()); diff != "" || want.Name() != got.Name() {
				t.Errorf("%s, %s -in process +loaded:\n%s", want.Name(), got.Name(), diff)
			}
		})
	}
}

// loadInProcess is reference.Load for the types above.
func loadInProcess(_ context.Context, ref string, o reference.Options) (*reference.Package, error) {
	impl, err := reference.New(reference.Spec{New: types[filepath.Base(ref)], Skip: o.Skip})
	if err != nil {
		return nil, &reference.LoadError{Ref: ref, Msg: strings.TrimPrefix(err.Error(), "reference: ")}
	}
	return &reference.Package{Implementation: impl, Notes: reference.Notes(impl)}, nil
}

// readTable reads the expected lines by name.
func readTable(t *testing.T) map[string]string {
	data, err := os.ReadFile("testdata/types.golden")
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for l := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(l, " ")
		lines[name] = strings.TrimSuffix(l, "\n")
	}
	return lines
}

// outcome infers one specification and says in a line what came out: the exit
// code, and the patterns and the restrictions of the language, or the first line
// of the refusal and what may be left out.
func outcome(t *testing.T, name string) string {
	var out bytes.Buffer
	err := run(t.Context(), streams{in: strings.NewReader(""), out: &out, err: &bytes.Buffer{}},
		[]string{"infer", "--ref", "./testdata/types/" + name, "-o", "-", "-f", "theory"})
	what := ""
	if out.Len() > 0 {
		what = summary(t, &out)
	}
	if err != nil && !isSilent(err) {
		what = refused(message(err))
	}
	what = strings.ReplaceAll(what, projectRoot(t)+string(filepath.Separator), "")
	return fmt.Sprintf("%-16s %d  %s", name, exitCode(t.Context(), err), what)
}

func summary(t *testing.T, file *bytes.Buffer) string {
	th, err := theory.Read(file, "theory")
	if err != nil {
		t.Fatal(err)
	}
	s := string(th.Spec.Headline())
	if s == string(theory.ByPatterns) {
		s = fmt.Sprintf("%d patterns", len(th.Spec.Patterns))
	}
	if m := th.Status.Mutants; m != nil {
		s += fmt.Sprintf("; sees %d of %d mutants", m.Seen, m.Made-m.Equivalent)
	}
	for _, r := range th.Spec.Language {
		s += "; " + r.Reading
	}
	return s
}

func refused(message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	for l := range strings.Lines(rest) {
		if strings.HasPrefix(l, "--skip") {
			first += "; " + strings.TrimSpace(l)
		}
	}
	return first
}
