package foreign

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// oneShape refuses an operation whose invocation and completion are not of the same key, or not of the same shape. It finds the
// keys that are arguments in values [key nil].
func (a *assembler) oneShape(e *entry) error {
	if err := a.noTransaction(e); err != nil {
		return err
	}
	var done *entry
	if e.mate >= 0 && a.entries[e.mate].kind == ok {
		done = &a.entries[e.mate]
	}
	if a.keyIsArgument(e) {
		a.split(e)
		if done != nil && done.value == vector && done.parts == 2 {
			a.split(done)
		}
	}
	if done == nil || done.key < 0 && done.value <= null || done.key == e.key && done.paired == e.paired {
		return nil
	}
	return a.wrong(done, fmt.Sprintf("%s completes %s with %s, and invoked it with %s at %s: an operation has one key, in one shape",
		a.who(e), a.names[e.method], a.whole(done), a.whole(e), e.place()))
}

// whole is the value of an entry with its key.
func (a *assembler) whole(e *entry) string {
	switch {
	case e.key < 0:
		return shorten(string(a.text(e)))
	case e.paired:
		return shorten("[" + a.names[e.key] + " " + string(a.text(e)) + "]")
	}
	return shorten("the key " + a.names[e.key] + " and " + string(a.text(e)))
}

// keyIsArgument reports whether a read was invoked with [key nil], and the key is its argument.
func (a *assembler) keyIsArgument(e *entry) bool {
	if a.o.ByKey || a.told || e.key >= 0 || !a.isPair(e) || a.shapes[e.first+2] != null {
		return false
	}
	sig, known := a.methods.Method(a.names[e.method])
	return known && sig.Args == 1 && isRead(sig.Name, true)
}

// split takes the key out of a value [key value].
func (a *assembler) split(e *entry) {
	e.key, e.paired = a.name(a.texts[e.first+1]), true
	e.value, e.first, e.parts = a.shapes[e.first+2], e.first+2, 0
}

// isPair reports whether a value has two parts.
func (a *assembler) isPair(e *entry) bool { return e.value == vector && e.parts == 2 }

// keysFit refuses a history that looks like that of a keyed test and is read as that of one object, which would mix up the
// values of all of them: all its values are pairs, or where a method has two arguments, pairs of something and a pair.
func (a *assembler) keysFit() error {
	if a.o.ByKey || a.o.Pairs || a.told {
		return nil
	}
	var first *entry
	advised := true // --by-key will do
	for i := range a.entries {
		e := &a.entries[i]
		inv := e
		switch {
		case e.kind == fail || e.kind == info:
			continue
		case e.kind == ok:
			inv = &a.entries[e.mate]
		}
		m := a.meaning(inv)
		if m.sig == nil {
			if e.kind == ok && a.looksKeyed(inv, e) {
				return a.wrong(inv, keyed("this looks like the value of a keyed test, [key value]", true))
			}
			return nil
		}
		switch {
		case e.kind == ok && m.some > 1: // a pair is what it answers
			return nil
		case e.value <= null && e.key < 0:
			advised = advised && e.kind == ok
		case e.key >= 0, !a.isPair(e), m.args == 2 && a.shapes[e.first+2] != vector, m.args > 2:
			return nil
		case first == nil && m.args < 2:
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return a.wrong(first, keyed("all values here are pairs, as in a keyed test, [key value]", advised))
}

// keyed is what to do where values look like those of a keyed test.
func keyed(what string, advised bool) string {
	if !advised {
		return what + ", but not all operations are invoked with a key: if these pairs are values of one object, say so with --by-key=false"
	}
	return what + ", where operations of each key are of an object of its own: say so with --by-key; if these pairs are values, with --by-key=false"
}

// looksKeyed reports whether an operation was invoked with [key nil] and completed with [key value].
func (a *assembler) looksKeyed(inv, done *entry) bool {
	return inv.key < 0 && a.isPair(inv) && a.isPair(done) && a.texts[inv.first+1] == a.texts[done.first+1] &&
		a.shapes[inv.first+2] == null
}

// microOperation is how the operations within transactions begin: [:r key nil], [:append key value].
var microOperation = wording.Regexp(`^\[+[:"](r|w|read|write|append|add|cas|inc|get|put)"? [^ \]]+ `)

// noTransaction refuses a transaction, unless the method is one.
func (a *assembler) noTransaction(e *entry) error {
	name := a.names[e.method]
	sig, known := a.methods.Method(name)
	switch {
	case a.told || len(a.methods.Methods()) == 0 || known && isTransaction(sig.Name):
		return nil
	case isTransaction(name) && !(known && e.value != vector):
	case e.value != vector || !microOperation().MatchString(a.texts[e.first]):
		return nil
	}
	return a.wrong(e, fmt.Sprintf("%s %s is a transaction, whose operations on several keys take effect together: Elle checks such histories, and adtinfer can if a reference (--ref) has a method Txn(operations string) string that executes them",
		name, shorten(string(a.text(e)))))
}

func isTransaction(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "txn") || strings.Contains(name, "transact")
}

// carriedOnce refuses an invocation that holds another answer than its completion.
func (a *assembler) carriedOnce(m *meaning, e, done *entry) error {
	if done.value > null && a.carried(m, e) && !a.repeats(e, done) {
		return &history.ParseError{Pos: a.pos(done), Msg: fmt.Sprintf("%s was called with %s, at %s, and returns %s", a.names[e.method], a.text(e), e.place(), a.text(done))}
	}
	return nil
}
