package history

import (
	"strconv"
	"strings"
)

// jsonFormat is the version of JSON Lines in which a string is a value and an
// outcome has a field of its own. A log states it in its first line. A log that
// states no format is read as this one, but a string that may be meant as an outcome
// is refused.
const jsonFormat = 2

// openFormat is the version in which a return may have an error in a field of its own, and what nobody knows. Writers
// state it where they need it.
const openFormat = 3

// words is what must be known of a log to tell values from outcomes.
type words struct {
	declared bool            // the log states its format
	open     bool            // that is openFormat
	began    bool            // there were events of JSON Lines
	known    map[string]bool // arguments that could name outcomes, unless the log states its format
}

// setFormat takes the format that a JSON Lines log states.
func (w *words) setFormat(n string, pos Pos) error {
	switch {
	case n != strconv.Itoa(jsonFormat) && n != strconv.Itoa(openFormat):
		return errorAt(pos, "the log has format %s, but this version reads formats %d and %d", n, jsonFormat, openFormat)
	case w.began && !(w.declared && n == strconv.Itoa(openFormat)):
		return errorAt(pos, `"format" must come before the first event`)
	}
	w.declared, w.open = true, w.open || n == strconv.Itoa(openFormat)
	return nil
}

// maxWords is how many arguments are remembered, besides the words for nil, so that
// memory does not grow with the log.
const maxWords = 1 << 16

// passed remembers the arguments of a call that could name outcomes: a call may return them.
func (w *words) passed(args []raw) {
	if w.declared {
		return
	}
	for _, v := range args {
		if couldName(v.text) && !w.known[v.text] && (len(w.known) < maxWords || isNilWord(v.text)) {
			if w.known == nil {
				w.known = map[string]bool{}
			}
			w.known[strings.Clone(v.text)] = true
		}
	}
}

// returnedString makes the string that a call returned first a value, and notes
// whether it may be meant as an outcome: no call passed it, and the log states no format.
func (w *words) returnedString(e *event) {
	if v := &e.values[0]; couldName(v.text) {
		v.quoted = true
		e.doubt = !w.declared && !w.known[v.text]
	}
}

// errDoubt refuses a string that may be meant as an outcome.
func (ev *event) errDoubt() error {
	s := strconv.Quote(ev.values[0].text)
	return errorAt(ev.at(ev.valuesAt), `the string %s is a value, but may be meant as an outcome: if so, write "outcome":%s; if %s is a value, begin the log with {"format":%d}`, s, s, s, jsonFormat)
}

// errBlank refuses a value with blanks.
func errBlank(pos Pos, text string) error {
	if why, is := strings.CutPrefix(text, "error "); is {
		return errorAt(pos, "an error that says more has a colon: write error: %s; a value with blanks is in quotes: %q", strings.TrimSpace(why), text)
	}
	return errorAt(pos, `commas separate values, and a value with blanks is in quotes: write %q if it is one value`, text)
}
