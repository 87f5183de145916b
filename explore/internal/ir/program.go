package ir

import (
	"path"
	"strings"
)

// Word is a value, or a part of one.
type Word = uint64

// Pointer is the word of a pointer to a slot of an object; objects count from 1.
func Pointer(object, slot int) Word { return Word(object)<<32 | Word(uint32(slot)) }

// Object is the object of a pointer, 0 for nil.
func Object(p Word) int { return int(p >> 32) }

// Slot is where in its object a pointer points.
func Slot(p Word) int { return int(uint32(p)) }

// Kind is what a word is: a canonical form follows and renames pointers.
type Kind uint8

// The kinds of words.
const (
	Data    Kind = iota // a number, a bool, the number of a string
	Ptr                 // a pointer
	Iface               // the dynamic type of an interface, 0 for nil; a Dynamic word follows
	Dynamic             // the data of an interface: what it is its type says
)

// Layout is what an object consists of: n times Words.
type Layout struct {
	Name  string // the Go type, for readers
	Words []Kind
	// Fields names the words for readers (next, mu, [], key.lo); nil if there is
	// nothing to say.
	Fields []string
	Nums   []Num // of Data words, for readers, and for floats to be compared as such; nil: integers
	// Special says that the words are the parts of something that instructions of its own work on.
	Special Special
	// Key and Val are the numbers of words of a map's keys and elements; of a
	// channel, Val is that of its elements.
	Key, Val int
	Escapes  bool // false: pointers to it do not leave the call that makes it
}

// Special are objects that plain loads and stores do not touch.
type Special uint8

// The special objects. A map has entries of Key+Val words, in the order of their
// keys if these have no pointers, else in that of insertion. A channel has
// ChanHeader words and then as many elements as its capacity.
const (
	Ordinary Special = iota
	Map
	Chan
	Closure // word 0 is the function, then what it has captured
	Box     // what an interface holds that is not one word; never written
)

// ChanHeader words come first in a channel: its capacity, 1 if it is closed, and how
// many elements it holds, which are the first ones after the header, oldest first.
const ChanHeader = 3

// Type is the dynamic type of an interface. Types[0] is that of nil.
type Type struct {
	Name   string
	GoName string // with the package's name, as %T prints it
	// Layout is the boxed value's; its words say what the data word is if there is one
	// of them. A value of one word is not boxed.
	Layout int
	// Methods are functions by the number of the method's name, whose first
	// parameter is the receiver's words.
	Methods map[int]int
	// Comparable is false if values cannot be compared, which panics.
	Comparable bool
	Form       Form // how values are read
}

// Form is how the words of a value are to be read.
type Form struct {
	Kind   Num    // of a basic value
	Of     FormOf // what it is
	Name   string // a named type's name
	Names  []string
	Parts  []Form // of a struct: its fields; of an array, slice, map, pointer: key and element
	Length int    // of an array
	Layout int    // of what a pointer or slice points to, or a map's; -1 elsewhere
	// Choices are what a number of a parameter stands for; nil: it is a value of its own.
	Choices []string
	Counts  bool // a result that is how often a callback ran
}

// FormOf tells forms apart.
type FormOf uint8

// The forms.
const (
	Basic FormOf = iota
	StructOf
	ArrayOf
	SliceOf
	MapOf
	PointerTo
	InterfaceOf
	FuncOf
	ChanOf
)

// Global is an object that is there from the start: a package's variable, or the
// closure of a function that captures nothing. It is object number i+1 for index i.
type Global struct {
	Name   string
	Layout int
	Count  int    // how many times Layout.Words
	Init   []Word // nil: zero
	Pos    int32
	// Argument: operations are called with it, all that are called with the same text.
	Argument bool
}

// Operation is an operation of the type that is explored.
type Operation struct {
	Method string // as in a history: insert
	GoName string // as in Go: (*Set).Insert
	Func   int    // takes the object's words, then the arguments'
	Params []Form
	// Results are those of Func. How they are an outcome and values is for the
	// caller to say.
	Results []Form
	Doc     string
}

// Interface is the methods that a type assertion asks for, by their numbers.
type Interface struct {
	Name    string
	Methods []int
}

// Program is code to explore.
type Program struct {
	Funcs   []*Func
	Layouts []*Layout
	Types   []*Type
	// RuntimeError is the type of the values of panics that Go itself makes. Its data is
	// a string, what Error returns. 0: they cannot be recovered.
	RuntimeError int
	Interfaces   []*Interface
	Methods      []string // names, by number
	Consts       []Word   // what negative operands name
	Globals      []Global
	Strings      *Strings
	Natives      []Native
	Positions    []Position // by Instr.Pos; the first one is unknown

	Notes []string // what of the code is not modelled as it is, in words

	Init       int // a function without parameters: the packages' initialisers, in order
	New        int // a function without parameters that makes the object
	NewResults []Form
	Ops        []Operation
	Policy     *Policy // nil: directives are comments
}

// Native is a function of words that the explorer does not look into: it has no effect
// and depends on nothing else. ok is false if it panics, with text.
type Native struct {
	Name string
	Call func(p *Program, args, rets []Word) (panics string)
}

// Position is a place in the source.
type Position struct {
	File string // relative to the module, or as go list says
	Line int
	Col  int
	// Within says that what happens there happens in the standard library, which is
	// called there.
	Within  bool
	Library string // the package there
}

// Package is the import path of the package that a file of a library belongs to.
func (p *Position) Package() string {
	dir := path.Dir(p.File)
	if at := strings.IndexByte(dir, '@'); at >= 0 { // of a version
		rest := strings.IndexByte(dir[at:], '/')
		if rest < 0 {
			return dir[:at]
		}
		return dir[:at] + dir[at+rest:]
	}
	return dir
}

// Module is Package for a file of another module than the one that is explored, else "".
func (p *Position) Module() string {
	if !strings.Contains(p.File, "@") {
		return ""
	}
	return p.Package()
}

// Func is a function. Its parameters are in registers 0, 1, ..., and what it has
// captured comes next.
type Func struct {
	Name     string
	Params   int // words
	Captured int // words
	Results  int // words
	Kinds    []Kind
	Code     []Instr
	// Live lists, for each instruction, the registers whose values are read at it or
	// later before they are written; see Finish.
	Live [][]int32
	// Defers is the register of the newest deferred call, or -1; see Defer.
	Defers int32
	// Recovers is where to go on after a deferred call has recovered a panic: a Return of
	// the named results; -1 if there are no deferred calls.
	Recovers int32
	Pos      int32
	Standard bool // it belongs to the standard library: readers want the place of its call
}
