package theory

import (
	"fmt"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// APIVersion is the version of theory files that this package reads and writes.
const APIVersion = "adtinfer/v1alpha1"

// Theory is a data type's specification: which executions it speaks of
// (Language), how their operations match (Matching), and the patterns that no
// admitted history embeds; or, instead of them or beside them, a product, an
// automaton, or the reference itself.
type Theory struct {
	Name   string
	New    string // Go expression that made the reference's objects; "" for the usual constructor
	Spec   Spec
	Status Status
}

// Spec is the part of a theory that means something to a checker.
type Spec struct {
	Width      int // of the histories that the theory is about: 1 means sequences
	Methods    []history.MethodSig
	Language   []Rule
	MayFail    []history.Kind // come in every state, and change nothing
	Beyond     []Rule         // hold of every admitted execution, whether in the language or not
	Predicates []formula.Predicate
	Matching   Matching
	Axioms     []Rule // hold of every admitted execution in the language; beside the patterns, or instead of them
	Patterns   []Pattern

	// Descriptions that need no formulas. Each covers all executions on its own, and
	// they agree with one another and, in the language, with the patterns.
	Product   *Product            // nil: none
	Automaton *automata.Automaton // nil: none
	Model     *origin.Model       // nil: none. The reference itself, which checking runs where nothing else decides

	// Laws say what methods do, beside a Model, for people. Nil: there are none.
	Laws *equations.Document

	// Control is what an execution must be beside what the patterns say of it: they
	// alone do not describe the data type. Nil: they do, if there are any.
	Control *Control
}

// Description names a way in which a theory describes a data type.
type Description string

// The descriptions, in the order in which one is the headline.
const (
	ByPatterns  Description = "patterns"
	ByProduct   Description = "product"
	ByAutomaton Description = "automaton"
	ByCounters  Description = "counters" // an automaton with one location and no registers
	ByModel     Description = "model"
)

// Headline is the description that is told first: the first one that there is.
// A theory that has formulas of any kind, or nothing at all, is one by patterns.
func (s *Spec) Headline() Description {
	formulas := len(s.Patterns)+len(s.Axioms)+len(s.Beyond) > 0
	switch a := s.Automaton; {
	case formulas:
	case s.Product != nil:
		return ByProduct
	case a != nil && len(a.Locations) == 1 && len(a.Locations[0].Registers) == 0 && len(a.Counters) > 0:
		return ByCounters
	case a != nil:
		return ByAutomaton
	case s.Model != nil:
		return ByModel
	}
	return ByPatterns
}

// Determined reports whether laws say what each call answers, so that logs can be checked
// where the reference cannot be run.
func (s *Spec) Determined() bool { return s.Model != nil && s.Laws != nil && s.Laws.Closed }

// NoPatterns is the error of what needs patterns or axioms, such as an engine, which is
// who, and gets a theory that describes a data type otherwise; do says what to do
// instead. It is nil if there are some.
func (t *Theory) NoPatterns(who, do string) error {
	switch h := t.Spec.Headline(); h {
	case ByPatterns:
		return nil
	case ByModel:
		return t.Spec.Model.NoPatterns(t.Name, who, do)
	case ByCounters:
		return fmt.Errorf("theory %s describes its data type by counters and has no patterns, without which %s knows nothing of it; %s", t.Name, who, do)
	default:
		return fmt.Errorf("theory %s describes its data type by its %s and has no patterns, without which %s knows nothing of it; %s", t.Name, h, who, do)
	}
}

// Formulas is the theory without its other descriptions, where it has formulas; else
// it is the theory.
func (t *Theory) Formulas() *Theory {
	if t.Spec.Headline() != ByPatterns || t.Spec.Control != nil {
		return t
	}
	own := *t
	own.Spec.Product, own.Spec.Automaton, own.Spec.Model = nil, nil, nil
	own.Status.Product, own.Status.Automaton = nil, nil
	return &own
}

// Product says that a data type is made of independent parts, one for each key:
// an execution of one operation at a time is admitted if and only if for each key
// its operations in that part are ("Faster linearizability checking via
// P-compositionality" §3). Executions with overlapping operations are decided part
// by part, too, if all Keys are of role ByKey.
type Product struct {
	Keys []Key // of each method, in the order of Spec.Methods
	Part Spec  // what the operations of one key are; their key is left out of their arguments
}

// Key says to which parts of a Product the operations of a method belong.
type Key struct {
	Method string
	Role   KeyRole
	Arg    int // of ByKey: the argument that is the key, from 0
	Ret    int // of ByKey: the value of answers that is the key, from 1; 0: none is
}

// KeyRole says how a method is a part of a Product.
type KeyRole string

// The roles. A violation in one part is a violation whatever the roles; with InAll
// and SumOfAll parts that are linearizable do not prove that the whole is.
const (
	ByKey    KeyRole = "key" // an operation belongs to the part of its key
	InAll    KeyRole = "all" // it belongs to all parts
	SumOfAll KeyRole = "sum" // it belongs to all parts, and answers the sum of what it answers in them
)

// Control is an automaton beside patterns: an execution of one operation at a time is
// admitted if and only if the automaton admits it, and the patterns what is left of
// it without the operations in Hidden. The automaton answers automata.Any where the
// patterns say which value it is.
type Control struct {
	Automaton *automata.Automaton
	Hidden    []history.Kind
	Complete  bool // nothing was found that both admit and the reference does not
	Guards    bool // arguments alone say what is Hidden, and the patterns say all else
}

// Rule is a closed formula with a name and a one-sentence reading.
type Rule struct {
	Name    string
	Formula formula.Formula
	Reading string
}

// Matching is a matching scheme <M, R>.
type Matching struct {
	// Past: only the operation itself and earlier ones are match targets, as in the
	// lists of "Symbolic ADT inference". Else matching is timeless: a function of
	// labels alone.
	Past bool

	// Target has free variables x and y: the match target of x is the y that
	// satisfies the first formula that any y satisfies.
	Target []formula.Formula

	// ReadOnly has the free variable x.
	ReadOnly formula.Formula
}

// Pattern is a minimal violation.
type Pattern struct {
	Name    string
	Weight  int
	Group   string // patterns that are one reason at different stages share it
	Reading string // one sentence
	History history.History
	Drawing string          // the history, drawn; parsed and compared when read
	Formula formula.Formula // EMBED: some operations show the pattern
}

// Status says what was checked, to which bound, with which result. It is
// written by the inference and never edited by hand.
type Status struct {
	Synthesis  *Synthesis // how language and matching were found; nil if the reference brought them
	Strategy   string     // "frontier", if patterns were looked for
	Faithful   Check
	Normal     Check
	Beyond     Check // of what is said beyond the language; no executions: nothing is
	Weights    []WeightStatus
	CrossCheck CrossCheck
	LongRuns   *LongRuns     // nil: none were made
	Mutants    *Mutants      // nil: none were made
	NotCovered []string      // what the theory says nothing about, beside what its language leaves out; sentences
	Forced     bool          // written although a check failed
	Trial      *origin.Trial // of a Model without other descriptions: beside NotCovered and Tried the only field

	Product   *ProductStatus // of Spec.Product
	Automaton *Extent        // of Spec.Automaton
	Control   *Extent        // of Spec.Control
	Tried     []string       // descriptions that were looked for, and why they do not fit; sentences
}

// Extent says how far an automaton was compared with the reference. There was no
// difference.
type Extent struct {
	// States is how many states reference and automaton have together, up to renaming
	// of values, if all of them were compared: then the automaton is exact for
	// executions of all lengths, given that values are only compared for equality.
	// Otherwise it is 0, and Why says why.
	States int    `json:"states,omitempty"`
	Why    string `json:"why,omitempty"`

	Words   int `json:"words"`   // sequences compared: random ones, power words, phases
	Calls   int `json:"calls"`   // in all of them
	Longest int `json:"longest"` // calls of one
}

// ProductStatus says how a product was found, and how far its part was looked at.
type ProductStatus struct {
	Words   int    `json:"words"`   // sequences compared with what their parts answer
	Calls   int    `json:"calls"`   // in all of them
	Longest int    `json:"longest"` // calls of one
	Part    Status `json:"-"`       // of Product.Part
}

// Synthesis says what a synthesized language and matching rest on.
type Synthesis struct {
	Languages  int `json:"languages"`  // tried, the last one with success
	Length     int `json:"length"`     // of the longest admitted executions looked at
	Executions int `json:"executions"` // admitted executions looked at
	Pairs      int `json:"pairs"`      // of an admitted execution and a removal from it that is not admitted
}

// Check is the result of a bounded check: all executions up to Length.
type Check struct {
	Length     int    `json:"length"`
	Executions int    `json:"executions"`
	Holds      bool   `json:"holds"`
	Witness    string `json:"witness,omitempty"` // when it does not hold
}

// WeightStatus counts what the enumeration saw at weights up to Weight.
type WeightStatus struct {
	Weight     int `json:"weight"`
	Candidates int `json:"candidates"` // histories that the reference was asked about (cumulative)
	Admitted   int `json:"admitted"`   // of the reference (cumulative)
	New        int `json:"new"`        // patterns first found at this weight
}

// CrossCheck compares the patterns with the reference on all histories up to a length.
type CrossCheck struct {
	Length      int `json:"length"`
	Histories   int `json:"histories"` // empty history included
	Admitted    int `json:"admitted"`
	FalseAlarms int `json:"falseAlarms"` // admitted, yet some pattern embeds
	Missed      int `json:"missed"`      // not admitted, yet no pattern embeds
}

// LongRuns are random sequences of the reference that the theory was held against.
type LongRuns struct {
	Sequences int    `json:"sequences"`
	Calls     int    `json:"calls"`             // of all sequences
	Longest   int    `json:"longest"`           // calls of one
	Witness   string `json:"witness,omitempty"` // the shortest run about which the theory is wrong, and why; empty: it is about none
}

// Mutants are wrong versions of the reference that the theory was held against.
type Mutants struct {
	Made       int      `json:"made"`
	Equivalent int      `json:"equivalent"`         // of these no difference from the reference was found
	Alike      int      `json:"alike,omitempty"`    // of the equivalent ones: after each call the object is in the very state that the reference's is in
	States     int      `json:"states,omitempty"`   // in which that was looked at; the other equivalent ones did not differ on Words sequences
	Seen       int      `json:"seen"`               // of these the theory rejects an execution that the reference does not have
	Words      int      `json:"words"`              // sequences tried for each mutant before it counts as equivalent; prefixes included
	Rejected   []Mutant `json:"rejected,omitempty"` // those seen; empty in files of earlier versions
	Unseen     []Mutant `json:"unseen"`
	Dropped    []string `json:"dropped,omitempty"` // mutants that could not be run, and why; not counted in Made
}

// Mutant is a wrong version of the reference.
type Mutant struct {
	Name  string `json:"name"`  // what is wrong: "remove does nothing"
	Shows string `json:"shows"` // an execution of it that the theory rejects, else the shortest found that the reference does not have
	Calls int    `json:"calls"` // its length
}
