package observers

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// The tables of "Automated verification of linearization policies", Fig. 1, and of queues and stacks as in
// "An integrated specification and verification technique for highly concurrent data structures".
var (
	setTable = &Observer{Name: "set", Registers: 1, Keys: 1, States: []string{"s0", "s1", "bad"}, Bad: 2, Transitions: []Transition{
		{0, of("add", "true", 0), 1}, {0, of("add", "false", 0), 2}, {0, of("remove", "true", 0), 2}, {0, of("contains", "true", 0), 2},
		{1, of("add", "true", 0), 2}, {1, of("remove", "true", 0), 0}, {1, of("remove", "false", 0), 2}, {1, of("contains", "false", 0), 2},
	}}
	queueTable = &Observer{Name: "queue", Registers: 2, States: []string{"q0", "q1", "q2", "q3", "bad"}, Bad: 4, Transitions: []Transition{
		{0, add(0), 1}, {0, remove(0), 4},
		{1, add(1), 2}, {1, remove(0), 3}, {1, empty, 4},
		{2, remove(0), 3}, {2, remove(1), 4}, {2, empty, 4},
		{3, remove(0), 4},
	}}
	stackTable = &Observer{Name: "stack", Registers: 2, States: []string{"s0", "s1", "s2", "s3", "bad"}, Bad: 4, Transitions: []Transition{
		{0, add(0), 1}, {0, remove(0), 4},
		{1, add(1), 2}, {1, remove(0), 3}, {1, empty, 4},
		{2, remove(0), 4}, {2, remove(1), 1}, {2, empty, 4},
		{3, remove(0), 4},
	}}
	empty = Letter{Kind: history.Kind{Method: "remove", Outcome: history.Nil}}
)

func of(method string, outcome history.Outcome, x Class) Letter {
	return Letter{Kind: history.Kind{Method: method, Outcome: outcome}, Args: []Class{x}}
}

func add(x Class) Letter { return of("add", history.None, x) }

func remove(x Class) Letter {
	return Letter{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []Class{x}}
}

// read is a theory of the module, with all its descriptions.
func read(t *testing.T, file string) *theory.Theory {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", file))
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

func from(t *testing.T, file string) (*Set, *theory.Theory) {
	t.Helper()
	th := read(t, file)
	s, err := From(t.Context(), th)
	if err != nil {
		t.Fatal(err)
	}
	return s, th
}

// traces visits all sequences of a theory's operations up to a length, up to renaming of values, that
// it is about.
func traces(t *testing.T, th *theory.Theory, length int, visit func(labels []history.Label, admitted bool)) {
	o := newOracle(context.Background(), th)
	var from func(labels []history.Label, values int)
	from = func(labels []history.Label, values int) {
		v, err := o.says(labels)
		if err != nil {
			t.Fatal(err)
		}
		if v == silent {
			return
		}
		visit(labels, v == admitted)
		if len(labels) < length {
			o.operations(values, func(l history.Label, values int) error {
				from(append(labels[:len(labels):len(labels)], l), values)
				return nil
			})
		}
	}
	from(nil, 0)
}

// TestTables compares what is generated, the tables of the literature, and the theories: all traces.
func TestTables(t *testing.T) {
	testsize.NeedsLong(t)
	for _, c := range []struct {
		file   string
		table  *Observer
		length int
		traces int
	}{
		{"examples/verified/set/set.theory.yaml", setTable, 4, 20_599},
		{"examples/queue/queue.theory.yaml", queueTable, 6, 16_335},
		{"examples/stack/stack.theory.yaml", stackTable, 6, 16_335},
	} {
		t.Run(c.table.Name, func(t *testing.T) {
			t.Parallel()
			s, th := from(t, c.file)
			table := &Set{Observers: []*Observer{c.table}}
			n, bad := 0, 0
			traces(t, th, c.length, func(labels []history.Label, admitted bool) {
				n++
				got, want := s.Rejects(labels), table.Rejects(labels)
				if got >= 0 {
					bad++
				}
				if got != want || admitted != (got < 0) {
					t.Fatalf("%s: admitted %v, rejected at %d, by the table at %d", textOf(labels), admitted, got, want)
				}
			})
			t.Logf("%d traces, of which %d are none of the type", n, bad)
			if n != c.traces || bad == 0 {
				t.Errorf("%d traces, want %d", n, c.traces)
			}
		})
	}
}

// TestText has the tables as texts, and the one of sets as it is generated.
func TestText(t *testing.T) {
	s, _ := from(t, "examples/verified/set/set.theory.yaml")
	if got, want := s.Text(), setTable.Text(); got != want {
		t.Errorf("the set is\n%s\nwant\n%s", got, want)
	}
	if len(s.Assumes) > 0 {
		t.Errorf("a set assumes %v", s.Assumes)
	}
	want := `queue of register x, y, start q0
  q0   add(x)         q1
       remove => x    bad
  q1   add(y)         q2
       remove => x    q3
       remove => nil  bad
  q2   remove => x    q3
       remove => y    bad
       remove => nil  bad
  q3   remove => x    bad
`
	if got := queueTable.Text(); got != want {
		t.Errorf("%s", got)
	}
	s, _ = from(t, "examples/queue/queue.theory.yaml")
	want = `remove-unmatched of register x, start s0
  s0   remove => x  bad
       add(x)       off

remove-nil-after-add of register x, start s0
  s0   add(x)         s1
       remove => x    off
  s1   remove => nil  bad
       remove => x    off

add-add-remove2 of register x, y, start s0
  s0   add(x)       s1
       remove => x  off
  s1   add(y)       s2
       remove => x  off
  s2   remove => y  bad
       remove => x  off

remove-twice of register x, start s0
  s0   add(x)       s1
  s1   remove => x  s2
  s2   remove => x  bad

assumed: each value is added at most once
`
	if got := s.Text(); got != want {
		t.Errorf("the queue is\n%s", got)
	}
}
