package history

import "strings"

// Outcome is the class of an operation's answer. The predeclared outcomes are
// the ones the reflection adapter tells apart; a Spec may name others.
type Outcome string

const (
	None  Outcome = "none"  // the method has no result to speak of
	Some  Outcome = "value" // the method returned one or more values
	Nil   Outcome = "nil"   // "empty", "not there": (T, false) or a nil pointer
	True  Outcome = "true"
	False Outcome = "false"
	Error Outcome = "error" // (T, error) or error, with an error

	// Pending is the outcome of an operation that has not returned.
	Pending Outcome = ""
)

// Value is a data value in canonical text. Values are only ever compared for
// equality (data independence, seed paper "Symbolic ADT inference" §3).
type Value string

// Kind is a method together with an outcome. Two kinds of one method are
// different labels: contains => true says something else than contains => false.
type Kind struct {
	Method  string
	Outcome Outcome
}

// String is "method" for outcome none and pending, "method => outcome" otherwise.
func (k Kind) String() string {
	if k.Outcome == None || k.Outcome == Pending {
		return k.Method
	}
	return k.Method + " => " + string(k.Outcome)
}

// Label is all that an operation says: its kind, the argument values, and the
// return values (empty unless the outcome carries values).
type Label struct {
	Kind
	Args []Value
	Rets []Value
}

// String draws the label as logs and messages do: "add(1)", "remove => 1",
// "remove => nil", "lock(2) => 1", "read*" while pending.
func (l Label) String() string {
	var b strings.Builder
	b.WriteString(l.Method)
	if len(l.Args) > 0 {
		b.WriteByte('(')
		writeValues(&b, l.Args)
		b.WriteByte(')')
	}
	switch {
	case l.Outcome == Pending:
		b.WriteByte('*')
	case len(l.Rets) > 0:
		b.WriteString(" => ")
		if l.Outcome != Some {
			b.WriteString(string(l.Outcome) + " ")
		}
		writeValues(&b, l.Rets)
	case l.Outcome != None:
		b.WriteString(" => " + string(l.Outcome))
	}
	return b.String()
}

func writeValues(b *strings.Builder, vs []Value) {
	for i, v := range vs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
}
