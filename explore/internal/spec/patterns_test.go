package spec

import (
	"testing"
	"strconv"
	"fmt"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// listOf is calls of all methods of a theory: with values from 1 to d, and fresh ones
// where fresh says so.
func listOf(t *theory.Theory, d, most int, fresh map[string]int) *calls.List {
	l := &calls.List{Methods: t.Spec.Methods, Most: most, Fresh: fresh}
	for _, m := range t.Spec.Methods {
		args := [][]history.Value{nil}
		for i := range m.Args {
			n := d
			if f, ok := fresh[m.Name]; ok && f == i {
				n = most
			}
			var longer [][]history.Value
			for _, a := range args {
				for v := range n {
					longer = append(longer, append(a[:len(a):len(a)], history.Value(strconv.Itoa(v+1))))
				}
			}
			args = longer
		}
		for _, a := range args {
			l.Labels = append(l.Labels, history.Label{Kind: history.Kind{Method: m.Name}, Args: a})
		}
	}
	return l
}

func TestTry(t *testing.T) {
	for _, c := range []struct{ path string; fresh map[string]int; d int}{
		{"theories/queue", map[string]int{"add":0}, 0},
		{"examples/queue/queue", map[string]int{"add":0}, 0},
		{"theories/stack", map[string]int{"add":0}, 0},
		{"theories/bag", map[string]int{"add":0}, 0},
		{"theories/register", map[string]int{"write":0}, 0},
		{"theories/set", map[string]int{"insert":0}, 2},
		{"theories/plainset", nil, 2},
		{"theories/priorityqueue", map[string]int{"add":0}, 2},
		{"theories/lock", map[string]int{"lock":0}, 2},
		{"theories/semaphore", map[string]int{"acquire":0}, 2},
		{"examples/deque/deque", map[string]int{"pushFront":0, "pushBack": 0}, 2},
		{"examples/boundedqueue/boundedqueue", map[string]int{"offer":0}, 2},
	} {
		for most := 2; most <= 6; most+=2 {
		th := historytest.Theory(t, c.path + ".theory.yaml")
		l := listOf(th, c.d, most, c.fresh)
		a := NewAnswers()
		now := time.Now()
		labels := l.Labels
		s, err := sequencesOf(th, l, labels)
		if err != nil { t.Fatal(c.path, err) }
		level := []int32{0}
		seen := map[int32]bool{0:true}
		n := 0
		tab := tableOf(s, labels, a)
		for depth := 0; depth < most; depth++ {
			var next []int32
			for _, st := range level {
				for cl := range labels {
					mv, err := tab.Moves(st, int32(cl))
					if err != nil { t.Log(c.path, err); goto out }
					n += len(mv)
					for _, m := range mv { if !seen[m.Next] {seen[m.Next]=true; next = append(next, m.Next)} }
				}
			}
			level = next
		}
		out:
		words := 0
		for _, r := range s.words { if r.at != nil { words++ } }
		fmt.Println(c.path, most, "states", len(s.states), "moves", n, "questions", mostQuestions - s.left, "words", words, "said", len(s.said), time.Since(now))
		if most == 4 { for i := range s.states { if i < 12 { fmt.Println("   ", s.text(int32(i))) } } }
		}
	}
}
