// # Enumeration
//
// Enumerate decides executions by going through completions and
// linearizations one by one and evaluating the theory on each ("Monitoring
// refinement" §6). It is complete, and hardly gets beyond some twenty operations:
// what it is for is to be obviously right. Tests compare other engines with it, and
// experiments repeat those of the paper.
package checktest

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// Enumerate is a theory made ready. It is safe for concurrent use.
type Enumerate struct{ theory *ground.Theory }

// NewEnumerate makes a theory ready. It must be about sequences of operations.
func NewEnumerate(t *theory.Theory) (*Enumerate, error) {
	if err := ground.Sequential(t, "enumerate"); err != nil {
		return nil, err
	}
	g, err := ground.Compile(t, nil)
	return &Enumerate{g}, err
}

// Check decides an execution, and finds its shortest violating prefix. The time is
// proportional to its linearizations, of all its completions together. Errors are
// those of ground.Theory.
func (n *Enumerate) Check(ctx context.Context, e *history.Execution) (logs.Result, error) {
	e, err := n.theory.Resolve(e)
	if err != nil {
		return logs.Result{}, err
	}
	return logs.Search(ctx, e, func(k int) (logs.Answer, error) {
		return n.theory.DecideBy(ctx, e.Prefix(k), func(in *ground.Instance) (bool, error) {
			s := newEnumeration(ctx, n.theory, in)
			return s.from(0), s.err
		})
	})
}

// Core names patterns and axioms that together exclude every linearization of a
// violation.
func (n *Enumerate) Core(ctx context.Context, e *history.Execution) ([]string, error) {
	return n.theory.Core(ctx, e)
}

func newEnumeration(ctx context.Context, t *ground.Theory, in *ground.Instance) *enumeration {
	n := &enumeration{ctx: ctx, theory: t, in: in, ops: in.Operations(), choices: map[string]*chosen{}}
	n.taken, n.elements = make([]bool, len(n.ops)), make([][]int, len(n.ops))
	for i := range n.ops {
		if n.ops[i].Completed() {
			n.byReturn = append(n.byReturn, i)
		}
	}
	slices.SortFunc(n.byReturn, func(a, b int) int { return n.ops[a].Return - n.ops[b].Return })
	for i := range in.Len() {
		if in.Used(i) != solver.False {
			n.elements[in.Operation(i)] = append(n.elements[in.Operation(i)], i)
		}
	}
	return n
}

// enumeration goes through the linearizations of an instance.
type enumeration struct {
	ctx      context.Context
	theory   *ground.Theory
	ops      []history.Operation
	byReturn []int   // completed operations
	elements [][]int // by operation: the ways in which it may take part
	in       *ground.Instance
	taken    []bool
	elems    []int // the linearization so far
	choices  map[string]*chosen
	key      []byte
	steps    int
	err      error
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
	if completed == len(n.byReturn) && n.admitted() {
		return true
	}
	for op := range n.ops {
		if n.taken[op] || !n.first(op) {
			continue
		}
		done := completed
		if n.ops[op].Completed() {
			done++
		}
		n.taken[op] = true
		for _, elem := range n.elements[op] {
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

// first reports whether everything that precedes an operation was taken.
func (n *enumeration) first(op int) bool {
	for _, b := range n.byReturn {
		if n.ops[b].Return > n.ops[op].Call {
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
	ok, err := n.theory.Allows(n.ctx, c.grounder)
	if err != nil {
		n.err = err
	}
	return ok
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
	in       *ground.Instance
	elems    []int
	number   map[int]int // by element
	at       []int       // by number: its place in the order
	match    []int
	members  [][]int
	grounder *ground.Grounder
	outside  bool // the theory does not speak of these elements together
}

func newChosen(ctx context.Context, in *ground.Instance, elems []int) *chosen {
	c := &chosen{in: in, elems: elems, number: map[int]int{}, at: make([]int, len(elems)),
		match: make([]int, len(elems)), members: make([][]int, len(elems))}
	used := map[solver.Lit]bool{}
	for i, e := range elems {
		c.number[e], c.at[i] = i, i
		used[in.Used(e)] = true
	}
	holds := func(l solver.Lit) bool {
		return in.Circuit().Value(l, func(v solver.Lit) bool { return used[v] })
	}
	for i, e := range elems {
		c.match[i] = history.Unmatched
		for _, target := range in.Targets(e) {
			if t, ok := c.number[target]; ok && holds(in.Match(e, target)) {
				c.match[i] = t
				c.members[t] = append(c.members[t], i)
			}
		}
	}
	for _, f := range in.Facts() {
		c.outside = c.outside || !holds(f)
	}
	c.grounder = ground.NewGrounder(c, in.Circuit())
	return c
}

func (c *chosen) Len() int                   { return len(c.elems) }
func (c *chosen) Label(i int) *history.Label { return c.in.Label(c.elems[i]) }
func (c *chosen) ReadOnly(i int) bool        { return c.in.ReadOnly(c.elems[i]) }
func (c *chosen) Used(int) solver.Lit        { return solver.True }
func (c *chosen) Before(i, j int) solver.Lit {
	return constant(c.at[i] < c.at[j])
}
func (c *chosen) Match(i, j int) solver.Lit  { return constant(c.match[i] == j) }
func (c *chosen) Unmatched(i int) solver.Lit { return constant(c.match[i] == history.Unmatched) }
func (c *chosen) Members(j int) []int        { return c.members[j] }
func (c *chosen) Targets(i int) []int {
	if c.match[i] == history.Unmatched {
		return nil
	}
	return c.match[i : i+1]
}

func constant(b bool) solver.Lit {
	if b {
		return solver.True
	}
	return solver.False
}
