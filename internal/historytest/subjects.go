package historytest

import (
	"math/rand/v2"
	"slices"
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
