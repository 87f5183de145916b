package ir

// GhostKind is what a Ghost instruction does: field M of it. A directive is what stands between
// GhostBegin and GhostEnd: there a thread reads memory without being seen, and writes none that others
// see. "The operation" is that which the thread runs.
type GhostKind = int32

// The kinds of Ghost instructions.
const (
	GhostBegin     GhostKind = iota
	GhostEnd                 // everything between is one directive
	GhostRuns                // r[Dst] = whether the operation is number To of the program
	GhostIn                  // r[Dst] = whether the controller is in state To
	GhostGoto                // the controller goes to state To
	GhostAnnounce            // operation To: Args are its arguments, N words, and its results. Nothing, if the operation is another one; C=1: it is that of the thread that owns r[A]
	GhostBroadcast           // message To of Args, C=0: to rules that receive before, C=1: after
	GhostOwn                 // until the operation returns, the thread owns the object of pointer r[A]
	GhostOwns                // r[Dst] = whether it does
	GhostGuess               // the operation guesses number To: that it is true, and that it is false
	GhostGuessed             // r[Dst] = whether the operation has guessed that number To is true
	GhostAssume              // unless what the operation has guessed of number To is r[A], there is no such step; nothing, if it has guessed nothing
)

// Policy is what the directives of a program say beside its code.
type Policy struct {
	States     []string // of controllers; an operation begins in the first
	Messages   []string
	Rules      []Rule
	Invariants []Invariant
	Guesses    []string // at most 10; with any, some states lead to no end
}

// Rule is a rule by which the controller of an operation receives a message. Its functions take
// the object's words, the operation's arguments, the message's.
type Rule struct {
	Op      int // in Program.Ops
	State   int // in which it receives; -1: any
	Message int
	After   bool // the message's sender announces before, else after
	If      int  // a function that reports whether it receives
	Do      int  // a function that is one directive
	Pos     int32
}

// Invariant is a function of the object that holds in every state.
type Invariant struct {
	Func int
	Text string
	Pos  int32
}
