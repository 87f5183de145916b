// Package specs has data types that a Spec describes.
package specs

import (
	"strings"

	"github.com/adtinfer/adtinfer/reference"
)

type Queue struct{ vs []string }

func (q *Queue) Put(v string) { q.vs = append(q.vs, strings.ToLower(v)) }
func (q *Queue) Take() string { return q.vs[0] }
func (q Queue) Len() int      { return len(q.vs) }
func (q *Queue) Clear()       { q.vs = nil }
func (q *Queue) other(bool)   {}
func put(q *Queue, v string)  { q.Put(v) }

// Named has operations of its own.
var Named = reference.Spec{
	Name: "named",
	New:  func() (*Queue, error) { return &Queue{vs: strings.Fields("a b")}, nil },
	Skip: []string{"clear"},
	Operations: []reference.Operation{
		{Name: "add", Func: (*Queue).Put},
		{"addTwice", func(q *Queue, v string) { q.Put(v); q.Put(strings.TrimSpace(v)) }},
		{Name: "", Func: put},
		{Func: (*Queue).Clear},
		{Name: "size", Func: Queue.Len},
	},
}

// Methods has those of the type.
var Methods = &reference.Spec{New: makeQueue, Skip: []string{"Clear"}}

func makeQueue() Queue { return Queue{} }

// Function gives a Spec.
func Function() reference.Spec { return reference.Spec{New: makeQueue} }

// Computed is a Spec that cannot be seen.
var Computed = Function()

var list = []reference.Operation{{Name: "add", Func: (*Queue).Put}}

var (
	Acceptor = reference.Spec{New: makeQueue, Accept: func(Queue, reference.Claim) bool { return true }}
	NoNew    = reference.Spec{Name: "none"}
	BadNew   = reference.Spec{New: 3}
	Listed   = reference.Spec{New: makeQueue, Operations: list}
	First    = reference.Spec{New: makeQueue, Operations: []reference.Operation{{Name: "add", Func: strings.ToLower}}}
	Value    = reference.Spec{New: makeQueue, Operations: []reference.Operation{{Name: "add", Func: 3}}}
	Twice    = reference.Spec{New: makeQueue, Operations: []reference.Operation{{Name: "add", Func: put}, {Name: "add", Func: (*Queue).Put}}}
	Callback = reference.Spec{New: makeQueue, Operations: []reference.Operation{{Name: "add", Func: func(*Queue, func()) {}}}}
)
