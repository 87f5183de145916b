package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// textLine is a line of a file, and what of it is still to be read.
type textLine struct {
	file, text string
	number, at int // at is an offset in text
}

// textLines hands the lines of a file to each: without their ends, and but for blank lines
// and those that start with #.
func textLines(src, file string, each func(*textLine) error) error {
	all := lexer{src: src, file: file}
	if err := all.valid(); err != nil {
		return err
	}
	l := textLine{file: file}
	for text := range strings.Lines(src[all.at:]) {
		l.text = strings.TrimRight(text, " \t\r\n")
		l.number++
		l.at = 0
		if l.blanks(); l.rest() == "" || l.text[l.at] == '#' {
			continue
		}
		if err := each(&l); err != nil {
			return err
		}
	}
	return nil
}

// positionOf is the position after the text before it.
func positionOf(file, before string) history.Pos {
	start := strings.LastIndexByte(before, '\n') + 1
	return history.Pos{File: file, Line: 1 + strings.Count(before, "\n"), Col: 1 + utf8.RuneCountInString(before[start:])}
}

func (l *textLine) rest() string { return l.text[l.at:] }

// blanks skips blanks and tabs.
func (l *textLine) blanks() {
	for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t') {
		l.at++
	}
}

// word reads a word and the blanks after it; it is empty at the end of the line.
func (l *textLine) word() (word string, at int) {
	at = l.at
	for l.at < len(l.text) && l.text[l.at] != ' ' && l.text[l.at] != '\t' {
		l.at++
	}
	word = l.text[at:l.at]
	l.blanks()
	return word, at
}

func (l *textLine) pos(at int) history.Pos {
	return history.Pos{File: l.file, Line: l.number, Col: 1 + utf8.RuneCountInString(l.text[:at])}
}

func (l *textLine) errorAt(at int, format string, args ...any) error {
	return &history.ParseError{Pos: l.pos(at), Msg: fmt.Sprintf(format, args...)}
}

// valueOf is a value of a format that has words only: no types, and no strings.
func valueOf(words []string) value {
	switch len(words) {
	case 0:
		return value{}
	case 1:
		return value{kind: scalar, text: words[0]}
	}
	v := value{kind: vector, text: "[" + strings.Join(words, " ") + "]"}
	for _, w := range words {
		v.parts = append(v.parts, value{kind: scalar, text: w})
	}
	return v
}

// The formats that LiMo, FPTLin and their like write say which values are arguments and which
// are answers, so that less has to be guessed than of Jepsen's.

// carried reports whether an invocation holds what a method without arguments will answer, as in
// LiMo's [1] call read(7).
func (a *assembler) carried(m *meaning, inv *entry) bool {
	return inv.value > null && m.read
}

// toldArguments appends those of an invocation.
func (a *assembler) toldArguments(values []history.Value, m *meaning, inv *entry) []history.Value {
	if a.carried(m, inv) {
		return values
	}
	return a.toldValues(values, inv)
}

// toldValues appends those of an entry.
func (a *assembler) toldValues(values []history.Value, e *entry) []history.Value {
	switch {
	case e.value <= null:
		return values
	case e.value == vector:
		return a.partsOf(values, e)
	}
	return append(values, a.text(e))
}

// isTruth refuses true and false of a method that answers neither and has no values that are: they say whether the operation
// succeeded, and no theory without types tells what the method then answers.
func (a *assembler) isTruth(m *meaning, inv, done *entry) error {
	if done.value != boolean || m.sig == nil || m.yes || m.no || a.booleans || m.some >= 0 && len(m.sig.Results) > 0 && a.fits(m, done) {
		return nil
	}
	return a.wrong(done, fmt.Sprintf("%s answers %s, and this one %s, which says whether it succeeded; it was invoked at %s; the log needs a theory whose %s answers true and false, as in --model set-full",
		m.sig.Name, m.returns(), a.text(done), inv.place(), m.sig.Name))
}

// toldAnswer puts in what an operation answered. One that answered nothing found nothing, if its method may.
func (a *assembler) toldAnswer(x *history.Event, m *meaning, inv, done *entry) {
	if done.value == absent && a.carried(m, inv) {
		done = inv
	}
	mayFind := m.sig != nil && m.null || m.sig == nil && a.answers[inv.method] && inv.value == absent
	switch {
	case done.value == null, done.value == absent && mayFind:
		x.Outcome = history.Nil
	case done.value == absent:
		x.Outcome = history.None
	case done.value == boolean && (m.sig == nil || m.yes || m.no):
		x.Outcome = history.Outcome(a.text(done))
	case m.sig != nil: // the words are those of a text log
		x.Values = a.toldValues(x.Values, done)
	default:
		x.Outcome, x.Values = history.Some, a.toldValues(x.Values, done)
	}
}
