// Package golden is for tests: the golden table of types, packages as people write
// them, and a slow, obvious way to decide executions of them.
//
//	for _, typ := range golden.Types() {
//		pkg, err := reference.Load(ctx, typ.Dir(t), typ.Options())
//	}
//
//	r, err := golden.Replay(ctx, impl) // or golden.Inside(ctx, spec), with calls in this process
//	e, err := r.Execution(rnd, true)
//	n, err := r.ShortestViolation(e) // 0 if it is linearizable
//
//	Type      a line of the table
//	Replayed  a reference as a model: executions, and what is wrong with them
package golden

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/reference"
)

//go:embed testdata/types.txt
var table string

// Type is a line of the golden table: a package in testdata/types, how it is used
// as a reference, and what is known about it.
type Type struct {
	Name    string // of the line
	Package string // directory in testdata/types; several lines may share one
	Flags   string // of adtinfer, as a shell takes them
	Kind    string // heading of a group of types
	What    string // what the type is, in a few words
	Loads   string // "yes", or why not
	Out     string // what infer makes of it: a theory.Description, "patterns, counters" or refused
	Figures string // of that: patterns, or locations/registers
	Useful  string // "yes", or why the theory alone is not what users need
	States  string // how a search keeps its states: "copied", or "replayed: " and why
	Instead string // what to do if it is refused
	Example string // calls, one after the other, with their answers
}

// Types are the lines of testdata/types.txt.
func Types() []Type {
	var all []Type
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 12 {
			panic(fmt.Sprintf("golden: testdata/types.txt:%d: %d cells, want 12", i+1, len(cells)))
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		if i > 0 { // the first line says what the cells are
			all = append(all, Type{cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9], cells[10], cells[11]})
		}
	}
	return all
}

// Find is the line of this name.
func Find(tb testing.TB, name string) Type {
	tb.Helper()
	for _, t := range Types() {
		if t.Name == name {
			return t
		}
	}
	tb.Fatalf("golden: no type %s in testdata/types.txt", name)
	return Type{}
}

// Dir is the folder of the package, from the one in which the test runs.
func (t Type) Dir(tb testing.TB) string {
	tb.Helper()
	return "./" + filepath.ToSlash(filepath.Join(historytest.Root(tb), "internal/testing/golden/testdata/types", t.Package))
}

var flags = regexp.MustCompile(`--(\S+) (?:'([^']*)'|(\S+))`)

// Args are the flags as a command gets them.
func (t Type) Args() (args []string) {
	for _, f := range flags.FindAllStringSubmatch(t.Flags, -1) {
		args = append(args, "--"+f[1], f[2]+f[3])
	}
	return args
}

// Options are the flags as Load takes them.
func (t Type) Options() (o reference.Options) {
	args := t.Args()
	for i := 0; i < len(args); i += 2 {
		switch args[i] {
		case "--type":
			o.Type = args[i+1]
		case "--new":
			o.New = args[i+1]
		case "--may-fail": // see MayFail
		default:
			panic("golden: testdata/types.txt: unknown flag " + args[i])
		}
	}
	return o
}

// MayFail are the answers that are allowed in every state and change nothing.
func (t Type) MayFail() (kinds []history.Kind) {
	args := t.Args()
	for i := 0; i < len(args); i += 2 {
		if method, outcome, ok := strings.Cut(args[i+1], "="); ok && args[i] == "--may-fail" {
			kinds = append(kinds, history.Kind{Method: method, Outcome: history.Outcome(outcome)})
		}
	}
	return kinds
}
