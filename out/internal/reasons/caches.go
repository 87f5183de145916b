package reasons

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// A cache keeps a value for each of so many keys; a further key takes the place of the one
// that was used longest ago. Its state is its entries, the one that goes next first.
type cache struct {
	get, put  *history.MethodSig
	most      int
	refreshes bool            // get counts as use
	said      map[bool]string // what put answers, by whether a key has to go
}

type entry struct{ key, value history.Value }

// cacheRows are the rows of a cache; nil: the automaton is none. That it is one is true of
// runs of all lengths: all states of automaton and cache are compared, up to the names of
// values.
func cacheRows(a *automata.Automaton, methods []history.MethodSig) (rows []Row, shape string) {
	if len(methods) != 2 || len(a.Counters) > 0 || len(a.Initial) > 0 {
		return nil, ""
	}
	registers := 0
	for _, l := range a.Locations {
		registers = max(registers, len(l.Registers))
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		get, put := &methods[order[0]], &methods[order[1]]
		if get.Args != 1 || put.Args != 2 || registers < 4 || registers%2 != 0 {
			continue
		}
		for _, refreshes := range []bool{true, false} {
			c := &cache{get: get, put: put, most: registers / 2, refreshes: refreshes, said: map[bool]string{}}
			if c.is(a) {
				return c.rows(a)
			}
		}
	}
	return nil, ""
}

// mostJoint is how many states of automaton and cache are compared.
const mostJoint = 3000

// is compares an automaton with the cache.
func (c *cache) is(a *automata.Automaton) bool {
	type node struct {
		s       automata.State
		entries []entry
	}
	start := node{s: a.Start()}
	queue, seen := []node{start}, map[string]bool{jointKey(start.s, start.entries): true}
	for i := 0; i < len(queue); i++ {
		if i > mostJoint {
			return false
		}
		n := queue[i]
		keys, values := []history.Value{"fresh-key" + history.Value(strconv.Itoa(i))}, []history.Value{"fresh" + history.Value(strconv.Itoa(i))}
		for _, e := range n.entries {
			keys, values = append(keys, e.key), append(values, e.value)
		}
		values = append(values, keys...)
		var calls []history.Label
		for _, k := range append(slices.Clone(keys), values...) {
			calls = append(calls, history.Label{Kind: history.Kind{Method: c.get.Name}, Args: []history.Value{k}})
			for _, v := range compact(values) {
				calls = append(calls, history.Label{Kind: history.Kind{Method: c.put.Name}, Args: []history.Value{k, v}})
			}
		}
		for j := range calls {
			l, ok := a.Answer(n.s, &calls[j])
			if !ok || l.Outcome == history.Pending {
				return false
			}
			entries, ok := c.step(n.entries, &l)
			if !ok {
				return false
			}
			to, _ := a.Step(n.s, &l)
			if k := jointKey(to, entries); !seen[k] {
				seen[k] = true
				queue = append(queue, node{to, entries})
			}
		}
	}
	return true
}

// jointKey is a state with values named in the order in which the cache has them.
func jointKey(s automata.State, entries []entry) string {
	names := map[history.Value]int{}
	name := func(v history.Value) int {
		if _, known := names[v]; !known {
			names[v] = len(names)
		}
		return names[v]
	}
	text := ""
	for _, e := range entries {
		text += fmt.Sprintf("%d=%d ", name(e.key), name(e.value))
	}
	text += strconv.Itoa(s.Location)
	for _, v := range s.Registers {
		text += fmt.Sprintf(" %d", name(v))
	}
	return text
}

// step is the cache after a call; false if it does not answer so.
func (c *cache) step(entries []entry, l *history.Label) (after []entry, ok bool) {
	at := slices.IndexFunc(entries, func(e entry) bool { return e.key == l.Args[0] })
	if l.Method == c.get.Name {
		if at < 0 {
			return entries, len(l.Rets) == 0
		}
		if len(l.Rets) != 1 || l.Rets[0] != entries[at].value {
			return nil, false
		}
		if !c.refreshes {
			return entries, true
		}
		return append(without(entries, at), entries[at]), true
	}
	evicts := at < 0 && len(entries) == c.most
	answer := string(l.Outcome)
	if before, known := c.said[evicts]; len(l.Rets) > 0 || known && before != answer {
		return nil, false
	}
	c.said[evicts] = answer
	switch {
	case at >= 0:
		return append(without(entries, at), entry{l.Args[0], l.Args[1]}), true
	case evicts:
		return append(without(entries, 0), entry{l.Args[0], l.Args[1]}), true
	}
	return append(slices.Clone(entries), entry{l.Args[0], l.Args[1]}), true
}

func without(entries []entry, i int) []entry { return slices.Delete(slices.Clone(entries), i, i+1) }

func (c *cache) rows(a *automata.Automaton) (rows []Row, shape string) {
	ks, vs := pool(c.put, false, 0, c.most+1, true), pool(c.put, false, 1, c.most+1, false)
	if len(ks) <= c.most || len(vs) <= c.most {
		ks, vs = nil, nil
	}
	example := func(calls ...history.Label) []Step {
		if ks == nil {
			return nil
		}
		at := a.Start()
		for i := range calls {
			calls[i], _ = a.Answer(at, &calls[i])
			at, _ = a.Step(at, &calls[i])
		}
		return steps(calls)
	}
	get := func(i int) history.Label {
		if ks == nil {
			return history.Label{}
		}
		return history.Label{Kind: history.Kind{Method: c.get.Name}, Args: []history.Value{ks[i]}}
	}
	puts := func(from, to int) (calls []history.Label) {
		for i := from; i < to && ks != nil; i++ {
			calls = append(calls, history.Label{Kind: history.Kind{Method: c.put.Name}, Args: []history.Value{ks[i], vs[i]}})
		}
		return calls
	}
	n := c.most
	used, shape := "used, by "+c.get.Name+" or "+c.put.Name+",", "LRU, at most "+strconv.Itoa(n)+" keys"
	if !c.refreshes {
		used, shape = c.put.Name, "at most "+strconv.Itoa(n)+" keys, the oldest goes"
	}
	rows = []Row{
		{Says: c.get.Name + " => what the last " + c.put.Name + " of that key brought, while it is there", Example: example(append(puts(0, 1), get(0))...)},
		{Says: fmt.Sprintf("at most %d keys: one more takes the place of the one that was %s longest ago", n, used), Example: example(append(puts(0, n+1), get(0))...)},
	}
	if c.refreshes {
		rows = append(rows, Row{Says: c.get.Name + " counts as use", Example: example(slices.Concat(puts(0, n), []history.Label{get(0)}, puts(n, n+1), []history.Label{get(1)})...)})
	} else {
		rows = append(rows, Row{Says: c.get.Name + " does not count as use", Example: example(slices.Concat(puts(0, n), []history.Label{get(0)}, puts(n, n+1), []history.Label{get(0)})...)})
	}
	if c.said[true] != c.said[false] {
		rows = append(rows, Row{Says: fmt.Sprintf("%s => %s where a key has to go, else %s", c.put.Name, c.said[true], c.said[false]), Example: example(puts(0, n+1)...)})
	}
	return rows, shape
}
