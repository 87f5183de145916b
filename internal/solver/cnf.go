package solver

// CNF translates literals of a Circuit to clauses in the manner of Plaisted and
// Greenbaum: a gate that is only ever asserted positively gets only the
// clauses of that direction. Clauses go to add as lists of non-zero integers;
// newVar introduces a variable and returns its positive literal.
//
//	cnf := NewCNF(circuit, solver.NewVar, solver.Add)
//	cnf.Assert(l)          // l holds
//	cnf.Assert(-a, -b, l)  // a & b -> l
type CNF struct {
	c      *Circuit
	newVar func() int
	add    func(clause ...int)
	vars   []int32 // by circuit variable; 0: none yet
	done   []uint8 // directions of the gate that were emitted
}

const (
	positive uint8 = 1 << iota // the variable implies the gate
	negative                   // the gate implies the variable
)

// NewCNF returns a translator for c, which may go on growing.
func NewCNF(c *Circuit, newVar func() int, add func(clause ...int)) *CNF {
	return &CNF{c: c, newVar: newVar, add: add}
}

// Assert says that one of the literals holds. An asserted conjunction becomes
// several assertions and an asserted disjunction one clause; no variable is
// spent on either.
func (t *CNF) Assert(ls ...Lit) {
	if len(ls) == 1 {
		if in := t.inputs(ls[0]); ls[0] > 0 && len(in) > 0 {
			for _, l := range in {
				t.Assert(l)
			}
			return
		}
	}
	t.clause(t.flatten(ls))
}

// AssertIf says that l holds where cond does, without a variable for l.
func (t *CNF) AssertIf(cond, l Lit) {
	if in := t.inputs(l); l > 0 && len(in) > 0 {
		for _, l := range in {
			t.AssertIf(cond, l)
		}
		return
	}
	t.Assert(-cond, l)
}

// flatten replaces each disjunction by its literals, one level deep: deeper
// ones may be shared by many clauses and keep their variable.
func (t *CNF) flatten(ls []Lit) []Lit {
	var dst []Lit
	for _, l := range ls {
		if in := t.inputs(l); l < 0 && len(in) > 0 {
			for _, l := range in {
				dst = append(dst, -l)
			}
			continue
		}
		dst = append(dst, l)
	}
	return dst
}

func (t *CNF) clause(ls []Lit) {
	out := make([]int, 0, len(ls))
	for _, l := range ls {
		switch l {
		case True:
			return
		case False:
		default:
			out = append(out, t.encode(l))
		}
	}
	t.add(out...)
}

// Lit is the solver's literal for l, which may then be assumed: where it is
// assumed, l holds. Constants get a variable of their own.
func (t *CNF) Lit(l Lit) int {
	if l == True || l == False {
		v := t.variable(True)
		t.add(v)
		return v * int(l)
	}
	return t.encode(l)
}

// Holds reports whether the variable or negated variable l holds in a model of
// the solver. Variables that the solver has not seen count as false.
func (t *CNF) Holds(l Lit, model func(lit int) bool) bool {
	v := int(abs(l))
	return (v < len(t.vars) && t.vars[v] != 0 && model(int(t.vars[v]))) == (l > 0)
}

func (t *CNF) inputs(l Lit) []Lit { return t.c.gates[abs(l)].in }

func (t *CNF) variable(l Lit) int {
	v := int(abs(l))
	if v >= len(t.vars) {
		t.vars = append(t.vars, make([]int32, max(t.c.Len(), v+1)-len(t.vars))...)
		t.done = append(t.done, make([]uint8, len(t.vars)-len(t.done))...)
	}
	if t.vars[v] == 0 {
		t.vars[v] = int32(t.newVar())
	}
	return int(t.vars[v])
}

// encode returns the solver's literal for l and emits the clauses that make
// it imply l.
func (t *CNF) encode(l Lit) int {
	v, in := t.variable(l), t.inputs(l)
	if len(in) == 0 {
		if l < 0 {
			return -v
		}
		return v
	}
	if l > 0 {
		if t.done[l]&positive == 0 {
			t.done[l] |= positive
			for _, i := range in {
				t.add(-v, t.encode(i))
			}
		}
		return v
	}
	if t.done[-l]&negative == 0 {
		t.done[-l] |= negative
		clause := make([]int, 0, len(in)+1)
		clause = append(clause, v)
		for _, i := range in {
			clause = append(clause, t.encode(-i))
		}
		t.add(clause...)
	}
	return -v
}
