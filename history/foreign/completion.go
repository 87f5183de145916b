package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// saying is what a completion says that its operation answered; or that an entry is of an operation that is left out.
type saying uint8

const (
	saysNothing saying = iota
	saysWhole          // its value
	saysParts          // the parts of its vector
	saysLeaves         // these, as the fields of structs
	saysValue          // the outcome value, which has no values
	saysNil
	saysTrue
	saysFalse
	saysNamed   // the outcome in assembler.named
	saysFailed  // its error, as a text log has it
	saysTuple   // all its results, as Go has them
	saysUnknown // that it returned, and nobody knows with what
	saysNo      // the value false
	saysDropped
)

// OutcomeName is what logs say where a method's outcome is meant: None for the nil of a dequeue.
type OutcomeName struct {
	Method, Word string // the word may be :fail, or :ok of a completion that says nothing else
	Outcome      history.Outcome
}

// word is the word as completions are looked up: :fail and :ok for types.
func (n *OutcomeName) word() string {
	switch w := strings.TrimPrefix(n.Word, ":"); w {
	case "fail", "ok":
		return ":" + w
	case "null":
		return "nil"
	default:
		return w
	}
}

// understand decides what every record means: what an operation's arguments are, what it answered, and whether it is part of
// the history at all. What a method's signature does not allow is refused.
func (a *assembler) understand() error {
	a.kinds = make([]*meaning, 2*len(a.names))
	if err := a.outcomesFit(); err != nil {
		return err
	}
	for i := range a.entries {
		if e := &a.entries[i]; e.kind == invoke {
			if err := a.oneShape(e); err != nil {
				return err
			}
			a.survey(e)
		}
	}
	if err := a.keysFit(); err != nil {
		return err
	}
	for i := range a.entries {
		e := &a.entries[i]
		if e.kind != invoke {
			continue
		}
		happened, err := a.operation(e)
		if err != nil {
			return err
		}
		if happened {
			continue
		}
		if e.says = saysDropped; e.mate >= 0 {
			a.entries[e.mate].says = saysDropped
		}
	}
	a.indexed = a.numbered()
	if len(a.unread) > 0 && a.o.Unread != nil {
		a.o.Unread(len(a.unread), a.pos(&a.entries[a.unread[0]]))
	}
	return nil
}

// outcomesFit refuses names of outcomes that the methods do not have.
func (a *assembler) outcomesFit() error {
	for _, w := range a.o.Outcomes {
		sig, known := a.methods.Method(w.Method)
		said := fmt.Sprintf("--outcome %s:%s=%s: ", w.Method, w.Word, w.Outcome)
		if !known {
			var names []string
			for _, m := range a.methods.Methods() {
				names = append(names, m.Name)
			}
			return fmt.Errorf("%sthere is no method %q; the methods are %s", said, w.Method, strings.Join(names, ", "))
		}
		if m := (&meaning{sig: sig}); !m.has(w.Outcome) {
			return fmt.Errorf("%s%s has no such outcome without values: it answers %s", said, sig.Name, m.returns())
		}
	}
	return nil
}

// survey notes what an operation's completion is like.
func (a *assembler) survey(e *entry) {
	m := a.meaning(e)
	if m.sig == nil || e.mate < 0 || a.entries[e.mate].kind != ok {
		return
	}
	switch done := &a.entries[e.mate]; {
	case done.value <= null:
	case a.repeats(e, done):
		if m.repeated < 0 {
			m.repeated = done.at
		}
	case m.answered < 0:
		m.answered = done.at
	}
	if done := &a.entries[e.mate]; done.value <= null && m.null && !m.none && m.answered < 0 {
		m.answered = done.at
	}
}

// repeats reports whether a completion has the value of its invocation.
func (a *assembler) repeats(e, done *entry) bool {
	return e.value > null && done.value > null && a.texts[e.first] == a.texts[done.first]
}

// operation looks at an operation, and reports whether it is part of the history. These are not:
//
//   - what failed, unless it answered false;
//   - a read of which nobody knows what was read: it is pending, or read nil and nil says nothing. A read changes
//     nothing and can be done in any state, so that a history has a linearization with it if and only if it has
//     one without it.
//
// Nothing else is left out: a pending dequeue may have taken an element. Names tell what reads, as a signature does
// not; of what is not known to be a read, an operation without an answer is pending, which allows all it may have done.
func (a *assembler) operation(e *entry) (happened bool, err error) {
	m := a.meaning(e)
	if m.sig != nil && !a.told {
		if err := a.takes(m, e); err != nil {
			return false, err
		}
	}
	if e.mate < 0 {
		return !m.read, nil
	}
	done := &a.entries[e.mate]
	switch {
	case a.told:
		return true, cmp.Or(a.carriedOnce(m, e, done), a.isTruth(m, e, done))
	case done.kind == fail && m.words[":fail"] != "":
		a.sayNamed(done, m.words[":fail"])
		return true, nil
	case done.kind >= fail && a.failedSo(m, e, done):
		return true, nil
	case done.kind == info:
		return !m.read, nil
	case done.kind == fail:
		if done.says = saysFalse; !m.no && m.isBool() {
			done.says = saysNo
		}
		return a.o.FailedIsFalse && (m.no || m.isBool() || m.sig == nil && m.tries), nil
	case m.read && done.value <= null && !a.o.NilIsUnset && m.words["nil"] == "":
		a.unread = append(a.unread, done.at)
		return false, nil
	case m.sig == nil:
		return true, nil
	}
	return true, a.completion(m, e, done)
}

// isBool reports whether the value of a method is true or false, by its type.
func (m *meaning) isBool() bool {
	return m.sig != nil && m.some == 1 && len(m.sig.Results) > 0 && m.sig.Results[0].Kind == values.KindBool
}

// failedSo reports whether an operation that failed, or of which the client does not know, has an error with a name of those that its
// method returns: it happened, and that was its answer.
func (a *assembler) failedSo(m *meaning, inv, done *entry) bool {
	if m.sig == nil {
		return false
	}
	find := m.failure
	if done.kind == info {
		find = m.returned
	}
	for _, e := range a.failures(inv, done) {
		if find(&e) != nil {
			a.sayError(done, e)
			return true
		}
	}
	return false
}

// failures are what a completion may have an error in: its :error, and its value, if that is not the one of its invocation.
func (a *assembler) failures(inv, done *entry) (all []value) {
	if done.err > 0 {
		all = append(all, a.errors[done.err-1])
	}
	if done.value > null && !a.repeats(inv, done) {
		v := value{kind: done.value, text: string(a.text(done))}
		for i := range int(done.parts) {
			v.parts = append(v.parts, value{kind: a.shapes[int(done.first)+1+i], text: a.texts[int(done.first)+1+i]})
		}
		all = append(all, v)
	}
	return all
}

// sayError makes a completion say an error.
func (a *assembler) sayError(done *entry, e value) {
	a.errors = append(a.errors, e)
	done.err, done.says = int32(len(a.errors)), saysFailed
}

// sayNamed makes a completion say an outcome.
func (a *assembler) sayNamed(done *entry, outcome history.Outcome) {
	if a.named == nil {
		a.named = map[int32]history.Outcome{}
	}
	a.named[done.at], done.says = outcome, saysNamed
}

// completion finds what a completion says. The method decides: one without results has returned, whether its completion
// repeats the value of the invocation or says nothing; of one with results, what fits is the answer.
func (a *assembler) completion(m *meaning, e, done *entry) error {
	silent := done.value <= null
	repeats := m.args > 0 && a.repeats(e, done)
	if outcome, ok := m.words[string(a.text(done))]; ok && !repeats {
		a.sayNamed(done, outcome)
		return nil
	}
	silent = silent || repeats && (!a.isAnswer(m, e) || len(m.sig.Results) > 0 && !a.fits(m, done))
	if done.err > 0 && m.fails {
		return a.failed(m, e, done, silent)
	}
	if silent {
		if outcome, ok := m.words[":ok"]; ok {
			a.sayNamed(done, outcome)
			return nil
		}
		return a.silence(m, e, done)
	}
	typed, text, b := len(m.sig.Results) > 0, a.text(done), ""
	if done.value == boolean || done.value < vector && m.some < 0 {
		b = cmp.Or(wording.Bool(string(text)), string(text))
	}
	switch {
	case b == "true" && m.yes:
		done.says = saysTrue
	case b == "false" && m.no:
		done.says = saysFalse
	case done.value == word && m.null && isNilWord(text):
		done.says = saysNil
	case done.value == word && m.has(history.Outcome(text)):
		a.sayNamed(done, history.Outcome(text))
	case typed && len(m.sig.Results) > m.some && a.isWhole(m, done):
		done.says = saysTuple
	case !typed && m.some == 1 && (m.null || m.fails) && a.isTold(m, done) && !a.isPassed(done):
		return a.wrong(done, fmt.Sprintf("%s completes with %s: whether that is one value, or a value and what comes behind it in Go, a theory without types does not say; --ref names a reference, which knows",
			m.sig.Name, shorten(string(text))))
	case m.some >= 0 && a.fits(m, done) && (typed || done.value != boolean || a.booleans):
		done.says = [...]saying{saysValue, saysWhole, saysParts}[min(m.whole, 2)]
	case m.whole < m.some && a.partsFit(done, m.some, 0, m.leaf):
		done.says = saysLeaves
	case typed && a.isWhole(m, done):
		done.says = saysTuple
	case (done.value == word || done.value == scalar) && m.failure(&value{text: string(text)}) != nil,
		strings.HasPrefix(string(text), "error:") && m.fails:
		a.sayError(done, value{kind: done.value, text: string(text)})
	case (b != "" || done.value == word) && wording.Fits(m.outcomes(), history.Outcome(cmp.Or(b, string(text)))):
		a.sayNamed(done, history.Outcome(cmp.Or(b, string(text)))) // which the checker knows to be none of its answers
	default:
		return a.cannot(m, e, done)
	}
	return nil
}

// isTold reports whether a completion's value looks like all that a method returned.
func (a *assembler) isTold(m *meaning, done *entry) bool {
	if !a.isWhole(m, done) {
		return false
	}
	at := done.first + done.parts
	last := value{kind: a.shapes[at], text: a.texts[at]}
	return last.kind == boolean || last.kind == null || m.failure(&last) != nil
}

// isPassed reports whether some call of the log is invoked with what another one completes with.
func (a *assembler) isPassed(done *entry) bool {
	if a.passed == nil {
		a.passed = map[string]bool{}
		for i := range a.entries {
			if e := &a.entries[i]; e.kind == invoke {
				a.passed[string(a.text(e))] = true
			}
		}
	}
	return a.passed[string(a.text(done))]
}

// failed finds what a completion says that has an error: with the values that come with it, or with none. What is no error that has a name
// may be a note of the client's, unless types tell that the method returns errors; of a method that has none it is one.
func (a *assembler) failed(m *meaning, e, done *entry, silent bool) error {
	switch {
	case m.failure(&a.errors[done.err-1]) == nil && len(m.sig.Results) == 0:
		done.says = saysUnknown
	case silent || m.some <= 0:
		done.says = saysFailed
	case a.fits(m, done):
		done.says = saysTuple
	default:
		return a.cannot(m, e, done)
	}
	return nil
}

// isAnswer reports whether completions that repeat the values of their invocations are answers: someone says so, or
// others in this file can only be answers; which does not make a list of arguments the one value of a method that need not
// answer.
func (a *assembler) isAnswer(m *meaning, e *entry) bool {
	list := m.none && m.some == 1 && m.args > 1 && e.value == vector
	return m.some >= 0 && (a.o.Answers || m.answered >= 0 && !list)
}

// silence finds what a completion says that has no value, or the one of its invocation.
func (a *assembler) silence(m *meaning, e, done *entry) error {
	silent := done.value <= null
	switch {
	case silent && m.null && (!m.none || m.answered >= 0):
		done.says = saysNil
	case m.none:
		done.says = saysNothing
	case silent && m.read && m.whole == 1: // and nil is an answer
		done.says = saysWhole
	case done.value == null && m.whole == 1 && a.fits(m, done) && m.result(0) != nil:
		done.says = saysWhole
	case m.some < 0 && m.yes && (m.tries || !m.no):
		done.says = saysTrue
	case len(m.sig.Results) > 0:
		done.says = saysUnknown
	case m.some >= 0 && !silent:
		return a.wrong(done, fmt.Sprintf("%s completes with %s, and was invoked with the same at %s: whether that is its answer nobody can tell; say that it is with --answers",
			m.sig.Name, a.text(done), e.place()))
	case m.yes:
		return a.wrong(done, fmt.Sprintf("%s answers %s, and this completion says neither; if it is true, say so with --outcome %s:ok=true", m.sig.Name, m.returns(), m.sig.Name))
	default:
		return a.cannot(m, e, done)
	}
	return nil
}

// cannot refuses what a method does not answer.
func (a *assembler) cannot(m *meaning, e, done *entry) error {
	what := "nil"
	if done.value > null {
		what = string(a.text(done))
	}
	msg := fmt.Sprintf("%s answers %s, and completes with %s; it was invoked at %s", m.sig.Name, m.returns(), shorten(what), e.place())
	for _, o := range m.sig.Outcomes {
		if done.value < vector && m.has(o.Outcome) && o.Outcome != history.Panic && o.Outcome != history.None {
			msg += fmt.Sprintf("; if that means %s, say so with --outcome '%s:%s=%[1]s'", o.Outcome, m.sig.Name, shorten(what))
			break
		}
	}
	return a.wrong(done, msg)
}

// numbered reports whether all operations have numbers in the file, in their order.
func (a *assembler) numbered() bool {
	if a.byOp {
		return false
	}
	last := int32(-1)
	for i := range a.entries {
		if e := &a.entries[i]; e.kind == invoke {
			if a.numbers[i] <= last {
				return false
			}
			last = a.numbers[i]
		}
	}
	return true
}

// isNilWord reports whether a keyword says that nothing was there.
func isNilWord(word history.Value) bool {
	return slices.Contains([]string{"nil", "null", "empty", "none", "not-found", "missing"}, strings.ToLower(string(word)))
}
