package verify_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// victim is a data type whose logs are attacked.
type victim struct {
	historytest.Type
	theory *theory.Theory // nil: linearizations alone
	spec   reference.Spec
	expand func(*history.Label) // gives calls their other arguments; may be nil
}

// victims are eleven types with a theory, and one whose values have an order.
func victims(t testing.TB) []victim {
	kept := func(name string) *theory.Theory {
		return historytest.Theory(t, filepath.Join("evidence/verify/testdata", name+".theory.yaml"))
	}
	cleared := withClear(t, "[{outcome: none}]", "forall x:Op. method(x) != clear")
	at := withClear(t, "[{outcome: 'true'}, {outcome: 'false'}]", "forall x:Op. method(x) = clear -> outcome(x) = false")
	return []victim{
		{historytest.Queue(), historytest.Example(t, "queue"), queue.Spec, nil},
		{historytest.Stack(), historytest.Example(t, "stack"), stack.Spec, nil},
		{historytest.Register(), historytest.Example(t, "register"), register.Spec, nil},
		{historytest.Lock(), historytest.Example(t, "lock"), lock.Spec, nil},
		{historytest.Set(), historytest.Example(t, "set"), set.Spec, nil},
		{historytest.Worksteal(), historytest.Example(t, "worksteal"), worksteal.Spec, nil},
		{presenceType(), kept("presence"), reference.Spec{New: func() *presence { return &presence{} }}, nil},
		{cacheType(), kept("cache"), reference.Spec{New: func() *cache { return &cache{} }}, storing},
		{dequeType(), kept("deque"), reference.Spec{New: func() *deque { return &deque{} }}, nil},
		{clearType("cleared", history.None), cleared, reference.Spec{New: func() *clearing { return &clearing{} }}, nil},
		{clearType("cleared if full", history.True, history.False), at, reference.Spec{New: func() *trying { return &trying{} }}, nil},
		{sorted(), nil, reference.Spec{New: func() *largest { return &largest{} }}, nil},
	}
}

// execution is a random one, of few operations, some of which never return, and
// often with values that come again.
func (v *victim) execution(r *rand.Rand, spoil int) *history.Execution {
	typ := v.Type
	typ.Keyed = false
	if r.IntN(2) == 0 {
		typ.Lost = 4
	}
	if r.IntN(2) == 0 {
		typ = typ.Reusing(3)
	}
	e := typ.Execution(r, 3+r.IntN(5), 1+r.IntN(4), spoil)
	for i := range e.Ops {
		if v.expand != nil {
			v.expand(&e.Ops[i].Label)
		}
	}
	return e
}

func way(next string, out history.Outcome, rets ...history.Value) []historytest.Way {
	return []historytest.Way{{Outcome: out, Rets: rets, Next: next}}
}

func told(next string, yes bool) []historytest.Way {
	if yes {
		return way(next, history.True)
	}
	return way(next, history.False)
}

func first(next, v string) []historytest.Way {
	if v == "" {
		return way(next, history.Nil)
	}
	return way(next, history.Some, history.Value(v))
}

var (
	none   = []history.Outcome{history.None}
	lookup = []history.Outcome{history.Some, history.Nil}
)

func presenceType() historytest.Type {
	model := func(s string, l *history.Label) []historytest.Way {
		k := "," + string(l.Args[0]) + ","
		without := strings.Replace(s, k, "", 1)
		switch l.Method {
		case "join":
			return way(without+k, history.None)
		case "leave":
			return way(without, history.None)
		}
		return told(s, without != s)
	}
	return historytest.Type{Name: "presence", Model: model, Methods: []historytest.Method{
		{Name: "join", Takes: 3, Outcomes: none}, {Name: "leave", Takes: 3, Outcomes: none},
		{Name: "online", Takes: 3, Outcomes: []history.Outcome{history.True, history.False}}}}
}

type presence struct{ in map[int]bool }

func (p *presence) Join(k int)        { p.Leave(k); p.in[k] = true }
func (p *presence) Online(k int) bool { return p.in[k] }
func (p *presence) Leave(k int) {
	if p.in == nil {
		p.in = map[int]bool{}
	}
	delete(p.in, k)
}

// cacheType stores value v under key 1 or 2, as it is odd or even.
func cacheType() historytest.Type {
	model := func(s string, l *history.Label) []historytest.Way {
		call := *l
		if l.Method == "loadOrStore" && len(l.Args) == 1 {
			storing(&call)
		}
		k := ";" + string(call.Args[0]) + "="
		before, rest, stored := strings.Cut(s, k)
		held, after, _ := strings.Cut(rest, ";")
		switch {
		case l.Method == "loadOrStore" && stored:
			return first(s, held)
		case l.Method == "loadOrStore":
			return way(s+k+string(call.Args[1])+";", history.Nil)
		case stored:
			return first(before+after, held)
		}
		return first(s, "")
	}
	return historytest.Type{Name: "cache", Model: model, Methods: []historytest.Method{
		{Name: "loadOrStore", Takes: 4, Outcomes: lookup}, {Name: "loadAndDelete", Takes: 2, Outcomes: lookup}}}
}

func storing(l *history.Label) {
	if l.Method == "loadOrStore" {
		key := history.Value("1")
		if l.Args[0] == "2" || l.Args[0] == "4" {
			key = "2"
		}
		l.Args = []history.Value{key, l.Args[0]}
	}
}

type cache struct{ held map[int]int }

func (c *cache) LoadOrStore(k, v int) (int, bool) {
	if held, ok := c.held[k]; ok {
		return held, true
	}
	if c.held == nil {
		c.held = map[int]int{}
	}
	c.held[k] = v
	return 0, false
}

func (c *cache) LoadAndDelete(k int) (int, bool) {
	held, ok := c.held[k]
	delete(c.held, k)
	return held, ok
}

func dequeType() historytest.Type {
	model := func(s string, l *history.Label) []historytest.Way {
		vs := strings.Split(s, ",") // ends in ""
		switch {
		case l.Method == "pushBack":
			return way(s+string(l.Args[0])+",", history.None)
		case s == "":
			return first(s, "")
		case l.Method == "popFront":
			return first(strings.Join(vs[1:], ","), vs[0])
		}
		n := len(vs) - 2
		return first(strings.Join(slices.Delete(slices.Clone(vs), n, n+1), ","), vs[n])
	}
	return historytest.Type{Name: "deque", Model: model, Methods: []historytest.Method{
		{Name: "pushBack", Takes: historytest.Fresh, Outcomes: none}, {Name: "popFront", Outcomes: lookup}, {Name: "popBack", Outcomes: lookup}}}
}

type deque struct{ values []int }

func (d *deque) PushBack(v int)        { d.values = append(d.values, v) }
func (d *deque) PopFront() (int, bool) { return d.pop(0) }
func (d *deque) PopBack() (int, bool)  { return d.pop(len(d.values) - 1) }
func (d *deque) pop(i int) (int, bool) {
	if len(d.values) == 0 {
		return 0, false
	}
	v := d.values[i]
	d.values = slices.Delete(d.values, i, i+1)
	return v, true
}

// clearType is a queue with a method that empties it, and reports whether that was
// of use if it may answer more than one thing.
func clearType(name string, outcomes ...history.Outcome) historytest.Type {
	typ := historytest.Queue()
	queue := typ.Model
	typ.Name = name
	typ.Methods = append(typ.Methods, historytest.Method{Name: "clear", Outcomes: outcomes})
	typ.Model = func(s string, l *history.Label) []historytest.Way {
		switch {
		case l.Method != "clear":
			return queue(s, l)
		case len(outcomes) == 1:
			return way("", history.None)
		}
		return told("", s != "")
	}
	return typ
}

type line struct{ deque }
type clearing struct{ line }
type trying struct{ line }

func (q *line) Add(v int)              { q.PushBack(v) }
func (q *line) Remove() (int, bool)    { return q.deque.PopFront() }
func (q *clearing) Clear()             { q.values = nil }
func (q *trying) Clear() (useful bool) { useful = len(q.values) > 0; q.values = nil; return useful }

// sorted is a priority queue without peek.
func sorted() historytest.Type {
	typ := historytest.PriorityQueue()
	typ.Methods = typ.Methods[:2]
	return typ
}
