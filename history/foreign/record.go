package foreign

import "github.com/adtinfer/adtinfer/history"

// kind is what a record says of an operation.
type kind uint8

const (
	invoke kind = iota
	ok
	fail
	info
)

// record is an invocation or a completion, as a parser found it.
type record struct {
	kind     kind
	process  string // "" if it is an annotation: the nemesis, or nobody
	by       string // whose annotation it is, "" for nobody
	method   string // :f
	key      value  // of a keyed test whose key has a field of its own; else zero
	value    value  // :value
	err      value  // :error
	op       string // the operation's identifier, if the format has one; then processes pair nothing
	time     int64  // in nanoseconds, if timed
	timed    bool
	number   int64 // :index, if it is numbered
	numbered bool
	told     bool // the value of an invocation is its arguments, of a completion its answer, null the nil outcome
	pos      history.Pos
}

// parser hands the records of a file to each, until that returns an error. An error of
// its own is a *history.ParseError with line and column. The record is used again.
type parser func(src, file string, each func(*record) error) error

// value is a value as the format has it.
type value struct {
	kind  valueKind
	text  string  // canonical: of a collection, too
	parts []value // of a vector or list
}

// isBool reports whether a value is true or false; where all values are words, by the word.
func (v *value) isBool(words bool) bool {
	return v.kind == boolean || words && (v.text == "true" || v.text == "false")
}

// shown is a value for a message.
func (v *value) shown() string {
	if v.kind <= null {
		return "neither"
	}
	return "the value " + shorten(v.text)
}

type valueKind uint8

const (
	absent  valueKind = iota // the record has no such field
	null                     // nil, null
	boolean                  // text is true or false
	scalar                   // a number, string, character
	word                     // a keyword or symbol: what may name an outcome
	vector                   // a vector, list or array
	other                    // a set, map or tagged value: text alone
)
