package source

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Policy is the directives of a package, as functions. Directives in bodies have become calls
// of the functions in Ghosts.
type Policy struct {
	States   []string // of controllers; an operation begins in the first, "start"
	Messages []string
	Guesses  []string // booleans that operations guess
	// Ghosts are functions without a body, and what a call of one does: of generic ones, which have
	// an empty body, the origin.
	Ghosts     map[*ssa.Function]Ghost
	Rules      []Rule
	Invariants []Invariant
	Lint       []Problem // what is suspicious, and no error
}

// Ghost is what a call of a function without a body does. Its parameters are the operands of
// the instruction; of GhostAnnounce the operation's arguments and results, after the pointer
// whose owner is meant if For says that there is one.
type Ghost struct {
	Kind   ir.GhostKind
	Number int // the operation, in Package.Ops; the state; the message; the guess
	For    bool
	After  bool // of GhostBroadcast
}

// Rule is a receiving rule. Its functions take the object, the operation's arguments, the
// message's.
type Rule struct {
	Op, State, Message int // State is -1 for any
	After              bool
	If, Do             *ssa.Function
	Pos                token.Pos
}

// Invariant is a function of the object that reports whether it holds.
type Invariant struct {
	Func *ssa.Function
	Text string
	Pos  token.Pos
}

// begins reports whether a directive begins with a call.
func (g Ghost) begins() bool { return g.Kind == ir.GhostBegin || g.Kind == ir.GhostGuess }

// Directed reports whether the package's files have directives of a linearization policy.
func (p *Package) Directed() bool {
	for _, f := range p.files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if text, ok := strings.CutPrefix(c.Text, "//lin:"); ok && !declares(text) {
					return true
				}
			}
		}
	}
	return false
}

// declares reports whether a directive says which declarations are the object, its constructor
// and operations.
func declares(text string) bool {
	for _, word := range []string{"object", "new", "op"} {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}
