package golden

import (
	"flag"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

var update = flag.Bool("update", false, "write testdata/types.txt again, as far as the tests know better")

// TestTypes holds the table against the folder of packages.
func TestTypes(t *testing.T) {
	var names, packages []string
	for _, typ := range Types() {
		names, packages = append(names, typ.Name), append(packages, typ.Package)
		if Find(t, typ.Name) != typ {
			t.Errorf("two lines for %s", typ.Name)
		}
		if typ.Flags != "" && len(typ.Args()) < 2 {
			t.Errorf("%s: cannot read the flags %s", typ.Name, typ.Flags)
		}
	}
	if len(names) < 60 {
		t.Errorf("only %d types", len(names))
	}
	slices.Sort(packages)
	if got := folders(t); !slices.Equal(got, slices.Compact(packages)) {
		t.Errorf("testdata/types has the folders\n%v, the table\n%v", got, slices.Compact(packages))
	}
}

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

// sample are the types that plain go test looks at.
var sample = []string{"anyof", "bounded2", "casregister", "connpool", "eventbus", "lrulist", "mutex", "namedqueues", "structqueue", "tryqueue"}

// each runs a test for each type, two at a time: in plain runs for a sample of them, under
// ADTINFER_LONG for one in n as well. With -update, the table is written with what the test
// changes.
func each(t *testing.T, n int, test func(t *testing.T, typ *Type)) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	all := Types()
	t.Cleanup(func() { // when all have run
		if *update {
			write(t, all)
		}
	})
	two := make(chan bool, 2)
	for i := range all {
		if one := testsize.Nightly() || testsize.Long() && i%n == 0; !one && !slices.Contains(sample, all[i].Name) {
			continue
		}
		t.Run(all[i].Name, func(t *testing.T) {
			t.Parallel()
			two <- true
			defer func() { <-two }()
			test(t, &all[i])
		})
	}
}

// write writes the table.
func write(t *testing.T, all []Type) {
	lines := []Type{{"name", "package", "flags", "kind", "what it is", "loads", "comes out as", "figures", "useful", "states", "instead", "for example"}}
	lines = append(lines, all...)
	width := map[int]int{}
	cells := func(each func(i int, cell string)) {
		for _, l := range lines {
			for i := range reflect.TypeFor[Type]().NumField() {
				each(i, reflect.ValueOf(l).Field(i).String())
			}
		}
	}
	cells(func(i int, cell string) { width[i] = max(width[i], len(cell)) })
	var b strings.Builder
	cells(func(i int, cell string) {
		if i == len(width)-1 {
			b.WriteString(strings.TrimRight("| "+cell, " ") + "\n")
			return
		}
		if i > 0 {
			b.WriteString("| ")
		}
		b.WriteString(cell + strings.Repeat(" ", width[i]-len(cell)+1))
	})
	if err := os.WriteFile("testdata/types.txt", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
