package foreign

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign/table"
)

// Options say what a file does not say itself.
type Options struct {
	Format Format // "": recognized by content, where that is safe

	// Columns are what the columns of a table hold; nil: its first row names them.
	Columns *table.Columns

	// Skewed: times will be moved, so that their unit must be known.
	Skewed bool

	// ByKey: the values of a keyed test, [k v], or the field :key, name an object k, and
	// operations are those of that object. Else a :key is the first argument.
	ByKey bool

	// Pairs: values [a b] are values, however much they look like keys. Not with ByKey.
	Pairs bool

	// Answers: a completion that repeats the value of its invocation answers with it. Else, where its method need
	// not answer, it has returned.
	Answers bool

	// Outcomes are what the file says where an outcome is meant.
	Outcomes []OutcomeName

	// FailedIsFalse: an operation that failed answered false, if its method can. Else it
	// did not happen, as Jepsen says.
	FailedIsFalse bool

	// NilIsUnset: a nil that was read is an answer, the nil outcome or the value nil. Else
	// nobody knows what was read, and the operation is dropped, and Unread told.
	NilIsUnset bool

	// Unread, if it is there, is told how many reads are dropped since nobody knows what they read, and where
	// the first one completed.
	Unread func(n int, first history.Pos)

	// Followed: the file still grows, so that only a log of ours can be read.
	Followed bool

	// Annotate, if it is there, is told the annotations of a file that is read, in their order.
	Annotate func(Annotation)
}

// Annotation is a record of what no client did, such as the nemesis of Jepsen.
type Annotation struct {
	At   int    // so many events come before it
	By   string // "nemesis"; "" if the record does not say
	Text string // what it did, and with what
	Pos  history.Pos
}
