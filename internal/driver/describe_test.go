package driver

import (
	"container/list"
	"errors"
	"strings"
	"testing"
)

// chain hands out its nodes, and takes them.
type chain struct{ first *node }

type node struct {
	v    int
	next *node
}

func (c *chain) Push(v int) *node {
	c.first = &node{v, c.first}
	return c.first
}
func (c *chain) Value(n *node) int { return n.v }

// box hands out what it was given, or a copy.
type box struct{ n *node }

func (b *box) Put(n *node) { b.n = n }
func (b *box) Get() *node  { return b.n }
func (b *box) Copy() *node {
	if b.n == nil {
		return nil
	}
	c := *b.n
	return &c
}

func TestHandles(t *testing.T) {
	for _, o := range []Object{{New: func() *chain { return new(chain) }}, {New: list.New, Skip: []string{"PushBackList", "PushFrontList"}}} {
		_, err := NewMachine(o)
		if err == nil || !strings.Contains(err.Error(), " hands out a pointer that it made: a *") || !strings.Contains(err.Error(), "let an id stand for it") {
			t.Errorf("got %v", err)
		}
	}
	m, err := NewMachine(Object{New: func() *box { return new(box) }})
	if err != nil {
		t.Fatal(err)
	}
	request := AppendNumber(AppendNumber(nil, 1), 5)
	for _, call := range [][]int{{0, 1}, {1}, {2}, {0, 2}, {2}} {
		request = AppendNumber(request, call[0])
		for _, k := range call[1:] {
			request = AppendValue(request, k, "")
		}
	}
	out, err := m.Run(t.Context(), request, Watch{Timeout: probeTime})
	if err != nil {
		t.Fatal(err)
	}
	in := NewReader(out)
	var got []string
	for range 5 {
		if c, _ := in.Outcome(); c == 0 && (len(got) == 1 || len(got) == 2 || len(got) == 4) {
			got = append(got, in.Answer())
		} else {
			got = append(got, "-")
		}
	}
	if s := strings.Join(got, " "); s != "- 1 1 - 2" {
		t.Errorf("answers %s", s)
	}
	var none *NoOperationsError
	if _, err := NewMachine(Object{New: func() *channels { return nil }}); !errors.As(err, &none) || len(none.Notes) != 3 {
		t.Errorf("got %v", err)
	}
}

// channels has nothing that a log can name.
type channels struct{}

func (*channels) Listen() chan int      { return nil }
func (*channels) Each(f func(int))      {}
func (*channels) Merge(other *channels) {}
