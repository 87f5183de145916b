package source

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Problem is a reason why a package cannot be explored.
type Problem struct {
	File      string // relative to the module's folder, if it is below that; "" if it is about no file
	Line, Col int    // 0 if not known
	What      string
}

// noAssembly ends what is said of functions that are not written in Go.
const noAssembly = "assembly cannot be explored"

// Assembly reports whether there is such a function.
func (p Problem) Assembly() bool { return strings.HasSuffix(p.What, noAssembly) }

// String is one line.
func (p Problem) String() string {
	s := strings.ReplaceAll(p.What, "\n\t", " ")
	switch {
	case p.File == "":
		return s
	case p.Line == 0:
		return p.File + ": " + s
	case p.Col == 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, s)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, s)
}

// Error says why a package cannot be explored, one problem a line.
type Error struct{ Problems []Problem }

// Error is the problems, one a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// maxProblems is how many problems of a kind are told.
const maxProblems = 10

// problems makes an error of what was found, in the order of the files, each thing once.
func problems(list []Problem) error {
	list = sorted(list)
	if more := len(list) - maxProblems; more > 0 {
		list = append(list[:maxProblems:maxProblems], Problem{What: fmt.Sprintf("and %d more", more)})
	}
	return &Error{list}
}

// sorted is what was found in the order of the files, each thing once.
func sorted(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return slices.Compact(list)
}

// fail is an error about no place in the source.
func fail(format string, args ...any) error {
	return &Error{[]Problem{{What: fmt.Sprintf(format, args...)}}}
}

// failAt is an error about a place in the source.
func (l *loader) failAt(pos token.Pos, format string, args ...any) error {
	return &Error{[]Problem{l.problem(l.fset.Position(pos), fmt.Sprintf(format, args...))}}
}

// problem is one at a position.
func (l *loader) problem(pos token.Position, what string) Problem {
	return Problem{relative(l.root, pos.Filename), pos.Line, pos.Column, what}
}

// relative is a path as seen from a folder above it; others stay what they are.
func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && root != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
