package equations

// Form says how an expression is made.
type Form byte

// The forms of expressions.
const (
	Var   Form = iota // Name is one of the variables
	Const             // of the value Name, as laws write it
	Obs               // observer Name of the state before, of Args
	Op                // operator Name of Args; see the table in operators.go
)

// Expr is an expression: a term, or a condition. Expressions are not changed once made.
type Expr struct {
	Form Form
	Name string
	Args []*Expr

	value Value     // of a Const, in the Store of its laws
	slot  int       // of a Var in its scope, of an Obs among the observers
	op    *operator // of an Op
}

// Cost is how much there is to read.
func (e *Expr) Cost() int {
	n := 1
	if e.Form == Op {
		n = e.op.cost
	}
	for _, a := range e.Args {
		n += a.Cost()
	}
	return n
}

// Equal reports whether two expressions are the same.
func (e *Expr) Equal(f *Expr) bool {
	if e == nil || f == nil {
		return e == f
	}
	if e.Form != f.Form || e.Name != f.Name || len(e.Args) != len(f.Args) {
		return false
	}
	for i := range e.Args {
		if !e.Args[i].Equal(f.Args[i]) {
			return false
		}
	}
	return true
}

// Walk visits an expression and all in it.
func (e *Expr) Walk(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, a := range e.Args {
		a.Walk(visit)
	}
}

// Env is what an expression speaks of.
type Env struct {
	Vars []Value                                         // of the variables in scope
	Obs  func(observer int, args []Value) (Value, error) // of the state before
}

// Eval is the value of an expression; Undefined if it has none.
func (s *Store) Eval(e *Expr, env *Env) (Value, error) {
	switch e.Form {
	case Var:
		return env.Vars[e.slot], nil
	case Const:
		return e.value, nil
	}
	if e.Form == Op && (e.Name == "and" || e.Name == "or") {
		for _, a := range e.Args {
			v, err := s.Eval(a, env)
			if err != nil || v == Undefined || v == s.Truth(e.Name == "or") {
				return v, err
			}
		}
		return s.Truth(e.Name == "and"), nil
	}
	var room [3]Value
	args := room[:0]
	for _, a := range e.Args {
		v, err := s.Eval(a, env)
		if err != nil {
			return Undefined, err
		}
		if v == Undefined {
			return Undefined, nil
		}
		args = append(args, v)
	}
	if e.Form == Obs {
		return env.Obs(e.slot, args)
	}
	return e.op.eval(s, args), nil
}

// Applied is an operator on values; Undefined where the arguments do not fit. None of them is Undefined.
func (s *Store) Applied(op string) func(args []Value) Value {
	o := operators[op]
	return func(args []Value) Value { return o.eval(s, args) }
}

// NewConst is a constant.
func (s *Store) NewConst(v Value) *Expr { return &Expr{Form: Const, Name: s.Text(v), value: v} }

// ConstOf is the value of a constant.
func (e *Expr) ConstOf() Value { return e.value }

// NewVar is a variable, by its place in the scope.
func NewVar(name string, slot int) *Expr { return &Expr{Form: Var, Name: name, slot: slot} }

// NewObs is an observer, by its place among the observers, of the state before.
func NewObs(name string, slot int, args ...*Expr) *Expr {
	return &Expr{Form: Obs, Name: name, slot: slot, Args: args}
}

// Slot is the place of a variable in its scope, or of an observer among the observers.
func (e *Expr) Slot() int { return e.slot }

// NewOp applies an operator.
func NewOp(name string, args ...*Expr) *Expr {
	return &Expr{Form: Op, Name: name, Args: args, op: operators[name]}
}
