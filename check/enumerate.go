package check

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Enumerate decides by going through completions and linearizations one by one
// and evaluating the theory on each ("Monitoring refinement" §6). It is
// complete, and hardly gets beyond some twenty operations: what it is for is to
// be obviously right.
type Enumerate struct{}

// Name is "enumerate".
func (Enumerate) Name() string { return "enumerate" }

// Check decides one execution. The time is proportional to its linearizations,
// of all its completions together.
func (n Enumerate) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, n, t, e)
}

func (Enumerate) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	if err := c.sequential("enumerate"); err != nil {
		return Result{}, err
	}
	p := prefixes{ctx: ctx, e: e, whole: c.whole, decide: func(n int) (answer, error) {
		return decidePrefix(ctx, c, e.Prefix(n), func(in *instance) (bool, error) {
			n := &enumeration{ctx: ctx, in: in, taken: make([]bool, len(in.ops)), choices: map[string]*chosen{}}
			return n.from(0), n.err
		})
	}, explain: symbolicRun{ctx, c, e}.explain}
	return p.check()
}

// enumeration goes through the linearizations of an instance.
type enumeration struct {
	ctx     context.Context
	in      *instance
	taken   []bool
	elems   []int // the linearization so far
	choices map[string]*chosen
	key     []byte
	steps   int
	err     error
}

// from tries all ways to go on; completed operations are missing before the
// number of those taken reaches all.
func (n *enumeration) from(completed int) bool {
	if n.steps++; n.steps&255 == 0 && n.err == nil {
		n.err = n.ctx.Err()
	}
	if n.err != nil {
		return false
	}
	if completed == len(n.in.order.byReturn) && n.admitted() {
		return true
	}
	for op := range n.in.ops {
		if n.taken[op] || !n.first(op) {
			continue
		}
		done := completed
		if n.in.ops[op].Completed() {
			done++
		}
		n.taken[op] = true
		for elem := n.in.first[op]; elem < n.in.first[op+1]; elem++ {
			if n.in.elems[elem].used == formula.False {
				continue
			}
			n.elems = append(n.elems, elem)
			found := n.from(done)
			n.elems = n.elems[:len(n.elems)-1]
			if found || n.err != nil {
				return found
			}
		}
		n.taken[op] = false
	}
	return false
}

// first tells whether everything that precedes an operation was taken.
func (n *enumeration) first(op int) bool {
	for _, b := range n.in.order.byReturn {
		if n.in.ops[b].Return > n.in.ops[op].Call {
			break
		}
		if !n.taken[b] {
			return false
		}
	}
	return true
}

// admitted evaluates the theory on the linearization.
func (n *enumeration) admitted() bool {
	c := n.choice()
	if c.outside {
		return false
	}
	for i, e := range n.elems {
		c.at[c.number[e]] = i
	}
	for _, x := range n.in.theory.excludes {
		l, err := c.grounder.Ground(n.ctx, x.plan)
		if err != nil {
			n.err = err
		}
		if l != formula.False {
			return false
		}
	}
	return true
}

// choice is the set of elements of the linearization, in any order.
func (n *enumeration) choice() *chosen {
	elems := slices.Clone(n.elems)
	slices.Sort(elems)
	n.key = n.key[:0]
	for _, e := range elems {
		n.key = binary.AppendUvarint(n.key, uint64(e))
	}
	c := n.choices[string(n.key)]
	if c == nil {
		c = newChosen(n.ctx, n.in, elems)
		n.choices[string(n.key)] = c
	}
	return c
}

// chosen is a structure of some elements of an instance in a total order that
// may change. Nothing about it is open.
type chosen struct {
	in       *instance
	elems    []int
	number   map[int]int // by element
	at       []int       // by number: its place in the order
	match    []int
	members  [][]int
	grounder *formula.Grounder
	outside  bool // the theory does not speak of these elements together
}

func newChosen(ctx context.Context, in *instance, elems []int) *chosen {
	c := &chosen{in: in, elems: elems, number: map[int]int{}, at: make([]int, len(elems)),
		match: make([]int, len(elems)), members: make([][]int, len(elems))}
	used := map[formula.Lit]bool{}
	for i, e := range elems {
		c.number[e], c.at[i] = i, i
		used[in.elems[e].used] = true
	}
	holds := func(l formula.Lit) bool { return in.circuit.Value(l, func(v formula.Lit) bool { return used[v] }) }
	for i, e := range elems {
		c.match[i] = history.Unmatched
		for _, edge := range in.targets[e] {
			if t, ok := c.number[edge.elem]; ok && holds(edge.lit) {
				c.match[i] = t
				c.members[t] = append(c.members[t], i)
			}
		}
	}
	for _, f := range in.facts {
		c.outside = c.outside || !holds(f)
	}
	c.grounder = formula.NewGrounder(c, in.circuit)
	return c
}

func (c *chosen) Len() int                   { return len(c.elems) }
func (c *chosen) Label(i int) *history.Label { return &c.in.elems[c.elems[i]].label }
func (c *chosen) ReadOnly(i int) bool        { return c.in.readOnly[c.elems[i]] }
func (c *chosen) Used(int) formula.Lit       { return formula.True }
func (c *chosen) Before(i, j int) formula.Lit {
	return constant(c.at[i] < c.at[j])
}
func (c *chosen) Match(i, j int) formula.Lit  { return constant(c.match[i] == j) }
func (c *chosen) Unmatched(i int) formula.Lit { return constant(c.match[i] == history.Unmatched) }
func (c *chosen) Members(j int) []int         { return c.members[j] }
func (c *chosen) Targets(i int) []int {
	if c.match[i] == history.Unmatched {
		return nil
	}
	return c.match[i : i+1]
}

func constant(b bool) formula.Lit {
	if b {
		return formula.True
	}
	return formula.False
}
