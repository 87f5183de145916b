package historytest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Subject is a theory file with the type that it describes.
type Subject struct {
	Path string // from the project's folder
	Type
}

// Subjects are theories of the project, inferred ones and ones written by hand, that
// can be turned into clauses (internal/engine/clauses), with their types.
func Subjects() []Subject {
	without := func(t Type, method string) Type {
		t.Methods = slices.DeleteFunc(t.Methods, func(m Method) bool { return m.Name == method })
		return t
	}
	all := []Subject{
		{"theories/queue", Queue()}, {"theories/stack", Stack()}, {"theories/register", Register()}, {"theories/lock", Lock()},
		{"theories/set", Set()},
		{"theories/bag", without(Bag(), "peek")}, {"theories/priorityqueue", without(PriorityQueue(), "peek")},
	}
	for _, t := range append(Examples(), Worksteal()) {
		all = append(all, Subject{"examples/" + t.Name + "/" + t.Name, t})
	}
	return all
}

// Theory reads the subject's theory.
func (s *Subject) Theory(tb testing.TB) *theory.Theory {
	tb.Helper()
	return Theory(tb, s.Path+".theory.yaml")
}

// Random is a random execution of some operations, admitted or not, often with
// operations that never return, and at times with values that come again.
func (s *Subject) Random(r *rand.Rand, most int) *history.Execution {
	t := s.Type
	if r.IntN(3) == 0 {
		t.Lost = 3
	}
	if r.IntN(8) == 0 {
		t = t.Reusing(3)
	}
	return t.Execution(r, 2+r.IntN(most-1), 1+r.IntN(4), 1+r.IntN(5))
}

// Fatal ends a test at a random execution: it keeps the execution as a log, and
// says how to repeat the test. Random executions depend on seeds alone.
func Fatal(tb testing.TB, e *history.Execution, format string, args ...any) {
	tb.Helper()
	text := Text(e)
	f, err := os.CreateTemp("", "adtinfer-*.log")
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	kept := fmt.Sprint("not kept: ", err)
	if err == nil {
		kept = "kept in " + f.Name()
	}
	more := ""
	for _, name := range []string{"ADTINFER_LONG", "ADTINFER_NIGHTLY"} {
		if os.Getenv(name) != "" {
			more += name + "=1 "
		}
	}
	dir, _ := os.Getwd()
	tb.Fatalf("%s\n%s\nthe log is %s; to repeat: cd %s && %sgo test -run '^%s$' .",
		fmt.Sprintf(format, args...), text, kept, dir, more, strings.ReplaceAll(tb.Name(), "/", "$/^"))
}
