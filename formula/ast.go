package formula

// A Formula is a first-order formula over operations.
//
//	Const            true, false
//	Atom             before(x, y), unmatched(x), completed(x), readonly(x), or a declared predicate
//	Equal            term = term (a != b is Not{Equal})
//	Less             term < term, of values
//	Not, And, Or, Implies, Iff
//	Quantified       forall x:Op, y:Op. body   /   exists x:Op. body
type Formula interface{ formula() }

type (
	// Const is true or false.
	Const bool

	// Atom is a predicate applied to variables.
	Atom struct {
		Name string
		Args []string
	}

	// Equal compares two terms of one sort. A term without a value (arg of a
	// method that has none, ret of a pending operation, match of an unmatched
	// one) equals nothing, not even itself.
	Equal struct{ A, B Term }

	// Less says that A is the smaller one of two values that are integers. A term
	// without a value, or with one that Integer does not take, is neither smaller
	// nor larger than anything.
	Less struct{ A, B Term }

	Not     struct{ F Formula }
	And     []Formula // the empty conjunction is true
	Or      []Formula // the empty disjunction is false
	Implies struct{ A, B Formula }
	Iff     struct{ A, B Formula }

	// Quantified binds one or more variables, all of sort Op, to distinct or
	// equal operations alike.
	Quantified struct {
		Forall bool
		Vars   []string
		Body   Formula
	}
)

func (Const) formula()      {}
func (Atom) formula()       {}
func (Equal) formula()      {}
func (Less) formula()       {}
func (Not) formula()        {}
func (And) formula()        {}
func (Or) formula()         {}
func (Implies) formula()    {}
func (Iff) formula()        {}
func (Quantified) formula() {}

// Sort is the sort of a term.
type Sort int

const (
	opSort      Sort = iota // operations
	MethodSort              // method names
	OutcomeSort             // outcome classes
	ValueSort               // data values
)

// A Term denotes an operation, a method, an outcome or a value.
//
//	Fn "" with Var x           the operation x itself (opSort)
//	Fn "match" with Var x      its match target (opSort)
//	Fn "method" with Var x     its method (MethodSort)
//	Fn "outcome" with Var x    its outcome (OutcomeSort)
//	Fn "arg"/"ret" with Var x  its Index-th argument or return value, from 1 (ValueSort)
//	Name with Sort             a method or outcome constant, or a value literal
//
// Index is 1 where the text says arg(x); arg(x, 2) is the second argument.
type Term struct {
	Fn    string
	Var   string
	Index int

	Name string // constant; then Fn and Var are empty
	Sort Sort
}
