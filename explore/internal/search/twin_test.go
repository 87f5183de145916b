package search

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// twin explores a toy the slow, obvious way.
type twin struct {
	p         *toy
	number    map[[2]int]int
	states    []twinState
	steps     int
	finding   string // "" is none
	length    int    // of the path
	uncovered string
}

type twinState struct {
	node, set int
	depth     int
	next      []int
	end       bool
}

// after is what a step makes of a set.
func (p *toy) after(set int32, k *toyStep) int32 {
	if set == 0 {
		return 0
	}
	if k.Call >= 0 {
		set, _ = p.Call(set, k.Thread, k.Call)
	}
	for _, a := range k.Announced {
		if set, _ = p.Announce(set, a.Thread, a.Answer+10); set == 0 {
			return 0
		}
	}
	if k.Answer >= 0 {
		if set, _ = p.Return(set, k.Thread, k.Answer+10); set == 0 {
			return 0
		}
	}
	for i, t := range k.Perm[:p.threads] {
		if i != int(t) {
			return p.Permute(set, k.Perm[:p.threads])
		}
	}
	return set
}

// waits is Search.waits: all choices of calls, one after the other.
func (p *toy) waits(set int32, left machine.Status) bool {
	type choice struct {
		set     int32
		running []int
	}
	all := []choice{{set, left.Running}}
	for t, calls := range left.Next {
		if len(calls) == 0 {
			continue
		}
		var next []choice
		for _, c := range all {
			for _, call := range calls {
				set, _ := p.Call(c.set, t, call)
				next = append(next, choice{set, append(slices.Clone(c.running), t)})
			}
		}
		all = next
	}
	return !slices.ContainsFunc(all, func(c choice) bool {
		ok, _ := p.MayWait(c.set, c.running)
		return !ok
	})
}

func explore(p *toy, livelocks bool) *twin {
	w := &twin{p: p, number: map[[2]int]int{}}
	w.add(0, p.Start(), 0)
	for n := 0; n < len(w.states) && w.finding == ""; n++ {
		w.expand(n)
	}
	if w.finding == "" && w.uncovered == "" && livelocks {
		for n := range w.states {
			if !w.endsFrom(n) {
				w.finding, w.length = "livelock", w.states[n].depth
				break
			}
		}
	}
	return w
}

func (w *twin) add(node int, set int32, depth int) int {
	key := [2]int{node, int(set)}
	n, ok := w.number[key]
	if !ok {
		n = len(w.states)
		w.number[key] = n
		w.states = append(w.states, twinState{node: node, set: int(set), depth: depth})
	}
	return n
}

func (w *twin) expand(n int) {
	s := w.states[n]
	node := &w.p.nodes[s.node]
	calls := slices.ContainsFunc(node.steps, func(k toyStep) bool { return k.Call >= 0 })
	if !calls {
		w.states[n].end = s.set != 0 && w.p.waits(int32(s.set), node.left) || node.left.Guessed
		if len(node.steps) == 0 && !w.states[n].end && s.set == 0 {
			w.finding, w.length = "not linearizable", s.depth
			return
		}
		if len(node.steps) == 0 && !w.states[n].end {
			w.finding, w.length = "deadlock", s.depth
			return
		}
	}
	for _, k := range node.steps {
		if k.Fault != nil && k.Fault.Kind == machine.Race {
			w.finding, w.length = k.Fault.Error(), s.depth+1
			return
		}
	}
	for i := range node.steps {
		k := &node.steps[i]
		if k.Fault != nil {
			if k.Fault.Kind != machine.NotCovered {
				w.finding, w.length = k.Fault.Error(), s.depth+1
				return
			}
			if w.uncovered == "" {
				w.uncovered = fmt.Sprint(k.Fault.Error(), s.depth+1)
			}
			continue
		}
		set := w.p.after(int32(s.set), k)
		if set == 0 && !k.Open {
			w.finding, w.length = "not linearizable", s.depth+1
			return
		}
		m := w.add(k.to, set, s.depth+1)
		w.states[n].next = append(w.states[n].next, m)
	}
	w.steps += len(node.steps)
}

// edges counts the pairs of different states with a step from one to the other, but for those
// to a state from the one where it was found.
func (w *twin) edges() int {
	found, pairs := make([]bool, len(w.states)), map[[2]int]bool{}
	found[0] = true
	for n, s := range w.states {
		for _, m := range s.next {
			if !found[m] {
				found[m] = true
				pairs[[2]int{n, m}] = false
			} else if _, known := pairs[[2]int{n, m}]; !known && n != m {
				pairs[[2]int{n, m}] = true
			}
		}
	}
	count := 0
	for _, edge := range pairs {
		if edge {
			count++
		}
	}
	return count
}

// endsFrom reports whether an end can be reached.
func (w *twin) endsFrom(n int) bool {
	seen := make([]bool, len(w.states))
	var visit func(n int) bool
	visit = func(n int) bool {
		if seen[n] {
			return false
		}
		seen[n] = true
		return w.states[n].end || slices.ContainsFunc(w.states[n].next, visit)
	}
	return visit(n)
}

// walk makes moves, and returns the states on the way; the last one is -1 if its move has
// a fault or leads to no set.
func (w *twin) walk(moves []machine.Move) ([]int, error) {
	way := []int{0}
	node, set := 0, w.p.Start()
	for i, m := range moves {
		steps := w.p.nodes[node].steps
		at := slices.IndexFunc(steps, func(k toyStep) bool {
			return k.Thread == m.Thread && k.Call == m.Call && slices.Equal(k.Choices, m.Choices)
		})
		if at < 0 {
			return nil, fmt.Errorf("move %d of %v cannot be made", i, moves)
		}
		k := &steps[at]
		if k.Fault != nil {
			return append(way, -1), nil
		}
		if node, set = k.to, w.p.after(set, k); set == 0 && !k.Open {
			return append(way, -1), nil
		}
		n, ok := w.number[[2]int{node, int(set)}]
		if !ok {
			return nil, fmt.Errorf("move %d leads to an unknown state", i)
		}
		way = append(way, n)
	}
	return way, nil
}
