package theory

import (
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/origin"
)

// APIVersion is the version of theory files that this package reads and writes.
const APIVersion = "adtinfer/v1alpha1"

// Theory is a data type's specification: which executions it speaks of
// (Language), how their operations match (Matching), and the patterns that no
// admitted history embeds; or, where there are none, the reference itself (Spec.Model).
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
	Model      *origin.Model // nil, or beside Methods the only field: the reference itself, which checking runs
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
	Strategy   string     // "frontier" or "literal"
	Faithful   Check
	Normal     Check
	Beyond     Check // of what is said beyond the language; no executions: nothing is
	Weights    []WeightStatus
	CrossCheck CrossCheck
	LongRuns   *LongRuns     // nil: none were made
	Mutants    *Mutants      // nil: none were made
	NotCovered []string      // what the theory says nothing about, beside what its language leaves out; sentences
	Forced     bool          // written although a check failed
	Trial      *origin.Trial // of a Model: beside NotCovered the only field
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
	Candidates int `json:"candidates"` // histories looked at (cumulative)
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
	Equivalent int      `json:"equivalent"` // of these no difference from the reference was found on Words sequences
	Seen       int      `json:"seen"`       // of these the theory rejects an execution that the reference does not have
	Words      int      `json:"words"`      // sequences tried for each mutant before it counts as equivalent; prefixes included
	Unseen     []Unseen `json:"unseen"`
	Dropped    []string `json:"dropped,omitempty"` // mutants that could not be run, and why; not counted in Made
}

// Unseen is a mutant of the reference that the theory never rejects.
type Unseen struct {
	Name  string `json:"name"`  // what is wrong: "remove does nothing"
	Shows string `json:"shows"` // the shortest execution found that the reference does not have
	Calls int    `json:"calls"` // its length
}
