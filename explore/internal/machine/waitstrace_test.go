package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// shortest is the shortest run in which all calls return, as its events in words: those of
// synchronization, reads and writes.
func shortest(t *testing.T, s *Shared, calls int) (said []string) {
	t.Helper()
	type node struct {
		form    string
		moves   []Move
		answers int
	}
again:
	m := s.Machine()
	queue, seen := []node{{form: string(s.Start())}}, map[string]bool{}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if n.answers == calls {
			events, err := m.Trace(n.moves)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				if e.Kind == ReadEvent || e.Kind == WriteEvent || e.Kind == SyncEvent {
					verb := e.Text + map[EventKind]string{ReadEvent: "read", WriteEvent: "write"}[e.Kind]
					said = append(said, strings.TrimSpace(fmt.Sprintf("%d: %s %s %s %s>%s", e.Thread+1, verb, e.Object, e.Field, e.Before, e.After)))
				}
			}
			return said
		}
		err := m.Expand([]byte(n.form), func(st *Step) error {
			if st.Fault == nil && !seen[string(st.Next)] {
				seen[string(st.Next)] = true
				next := node{string(st.Next), append(slices.Clone(n.moves), Move{Thread: st.Thread, Call: st.Call, Choices: slices.Clone(st.Choices)}), n.answers}
				if st.Answer >= 0 {
					next.answers++
				}
				queue = append(queue, next)
			}
			return nil
		})
		if err == ErrAgain {
			s.Again()
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("there is no such run")
	return nil
}

// TestTraceOfMeetings tells what a thread does with channels, maps, locks and pools.
func TestTraceOfMeetings(t *testing.T) {
	for _, c := range []struct {
		typ, meeting string
		want         []string
	}{
		{"Meet", "give 7 | take", []string{"1: wait to send to chan *int1  >", "2: receive from chan *int1  int1>int1", "2: read int1  7>7"}},
		{"Room", "put 7, len | tryput 8", []string{"1: send to chan int1  7>7", "1: ask for the length of chan int1  >", "2: need not wait for chan int1  >"}},
		{"Shut", "close", []string{"1: close chan int1  >"}},
		{"Names", "set 3, get", []string{"1: lock Names1 mu.readers >", "1: read map[string]int2 [a] none>none", "1: write map[string]int2 [a] none>3", "1: unlock Names1 mu.readers >",
			"1: lock for reading Names1 mu.readers >", "1: read map[string]int2 [a] 3>3", "1: unlock Names1 mu.readers >"}},
		{"Buffer", "put 1 | take", []string{"1: lock Buffer1 mu 0>1"}},
		{"Pool", "use 1", []string{"1: get from Pool1 cells.held >", "1: put into Pool1 cells.held >"}},
	} {
		p := compile(t, source.Options{Dir: "concurrent", Type: c.typ})
		b := plans(t, p, c.meeting)
		s, err := New(context.Background(), p, b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := shortest(t, s, len(b.Calls))
		i := 0
		for _, line := range said { // others may come between
			if i < len(c.want) && line == c.want[i] {
				i++
			}
		}
		if i < len(c.want) {
			t.Errorf("%s: %s: no %q in\n%s", c.typ, c.meeting, c.want[i], strings.Join(said, "\n"))
		}
	}
}
