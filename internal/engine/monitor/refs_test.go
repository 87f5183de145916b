package monitor_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// sequence is a reference for containers that are a slice.
type sequence struct{ values []int }

func (s *sequence) at(i int, remove bool) (int, bool) {
	if len(s.values) == 0 {
		return 0, false
	}
	if i < 0 {
		i = len(s.values) - 1
	}
	v := s.values[i]
	if remove {
		s.values = append(append([]int{}, s.values[:i]...), s.values[i+1:]...)
	}
	return v, true
}

// peekQueue is a queue whose front can be looked at.
type peekQueue struct{ sequence }

func (q *peekQueue) Add(v int)           { q.values = append(q.values, v) }
func (q *peekQueue) Remove() (int, bool) { return q.at(0, true) }
func (q *peekQueue) Peek() (int, bool)   { return q.at(0, false) }

// peekStack is a stack whose top can be looked at.
type peekStack struct{ sequence }

func (q *peekStack) Add(v int)           { q.values = append(q.values, v) }
func (q *peekStack) Remove() (int, bool) { return q.at(-1, true) }
func (q *peekStack) Peek() (int, bool)   { return q.at(-1, false) }

// stealing is a stack from whose other end others take.
type stealing struct{ sequence }

func (q *stealing) Add(v int)           { q.values = append(q.values, v) }
func (q *stealing) Remove() (int, bool) { return q.at(-1, true) }
func (q *stealing) Steal() (int, bool)  { return q.at(0, true) }

// peekStealing is one whose newest value can be looked at.
type peekStealing struct{ stealing }

func (q *peekStealing) Peek() (int, bool) { return q.at(-1, false) }

var references = map[string]any{
	"peekqueue": func() *peekQueue { return &peekQueue{} },
	"peekstack": func() *peekStack { return &peekStack{} },
	"stealing":  func() *stealing { return &stealing{} },

	"peekstealing": func() *peekStealing { return &peekStealing{} },
}

// shapeOf is the shape of a reference's theory, which is known or read off a table.
var shapeOf = map[string]string{"peekqueue": "queue", "peekstack": "stack", "stealing": "container", "deque": "container"}

// inferred is the theory of a reference.
func inferred(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	spec := reference.Spec{
		Name: name, New: references[name],
		Language: []reference.Rule{{
			Name:    "add-once",
			Formula: "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
			Reading: "each value is added at most once",
		}},
		Target: []string{
			"method(y) = add & arg(y) = ret(x)",
			"x = y & (method(x) = add | outcome(x) = nil)",
		},
		ReadOnly: "outcome(x) = nil | method(x) = peek",
	}
	if name == "stealing" {
		spec.ReadOnly = "outcome(x) = nil"
	}
	impl, err := reference.New(spec)
	if err != nil {
		tb.Fatal(err)
	}
	defer impl.Close()
	th, err := patterns.Infer(tb.Context(), impl, spec.Info(), patterns.Options{CrossLength: 3})
	if err != nil {
		tb.Fatal(err)
	}
	return th
}
