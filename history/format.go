package history

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// jsonFormat is the version of JSON Lines in which a string is a value and an
// outcome has a field of its own. A log states it in its first line. In older logs
// the string "empty" was the nil outcome, and "\"empty\"" the value. A log that
// states no format is read as this one, but a string that shows it to be an older
// one is refused.
const jsonFormat = 2

// openFormat is the version in which a return may have an error in a field of its own, and what nobody knows. Writers
// state it where they need it.
const openFormat = 3

// words is what must be known of a log to tell values from outcomes.
type words struct {
	old      bool            // the log is read as an old one
	declared bool            // the log says its format
	open     bool            // that is openFormat
	began    bool            // there were events of JSON Lines
	said     int             // the line that first has an outcome in a field
	known    map[string]bool // arguments that could name outcomes, if the log may be an old one
}

// setFormat takes the format that a JSON Lines log states.
func (w *words) setFormat(n string, pos Pos) error {
	switch {
	case w.old:
		return errNew(pos, "format")
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

// passed remembers the arguments of a call that could name outcomes, as long as
// the log may be an old one.
func (w *words) passed(args []raw) {
	if w.declared || w.old {
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
// what makes it doubtful.
func (w *words) returnedString(e *event) {
	if v := &e.values[0]; couldName(v.text) {
		v.quoted = true
		e.doubt, e.passed, e.said = !w.declared, w.known[v.text], w.said
	}
}

// isOld reports whether the first of Rets shows the log to be an old one: method m
// returned such an outcome then, and it cannot be a value, or is not known to be
// one that a call passed. Of the words for nil that is enough to be a value.
func (ev *event) isOld(m *MethodSig, isValue bool) bool {
	if !ev.doubt || !m.namedBefore(ev.values[0].text, len(ev.values)) {
		return false
	}
	return !isValue || !ev.passed || !isNilWord(ev.values[0].text)
}

// errDoubt refuses a string that may be a value, or an outcome of an old log.
func (ev *event) errDoubt() error {
	pos, s := ev.at(ev.valuesAt), strconv.Quote(ev.values[0].text)
	if ev.said > 0 {
		return old(errorAt(pos, `the log mixes old and new words: the string %s was an outcome before format %d, but line %d has its outcome in a field; write "outcome" here, too, or, if %s is a value, begin the log with {"format":%d}`,
			s, jsonFormat, ev.said, s, jsonFormat))
	}
	return old(errorAt(pos, `the string %s is a value, but before format %d it was an outcome: if this is an old log, %s; if %s is a value, begin the log with {"format":%d}`,
		s, jsonFormat, convertJSON(pos.File), s, jsonFormat))
}

// errQuotes refuses a string with quotes, which old logs had around values.
func errQuotes(pos Pos, s string) error {
	return old(errorAt(pos, `the string %s has quotes, which before format %d were not part of a value: if this is an old log, %s; if they are part of the value, begin the log with {"format":%d}`,
		s, jsonFormat, convertJSON(pos.File), jsonFormat))
}

// errBlank refuses a value with blanks.
func errBlank(pos Pos, text string) error {
	if why, is := strings.CutPrefix(text, "error "); is {
		return old(errorAt(pos, "an error that says more has a colon: write error: %s; a value with blanks is in quotes: %q", strings.TrimSpace(why), text))
	}
	return old(errorAt(pos, `commas separate values, and a value with blanks is in quotes: write %s if it is one value; if this is an old log, %s`,
		strconv.Quote(text), convertText(pos.File)))
}

// errNew refuses what old logs do not have in one that is read as such.
func errNew(pos Pos, field string) error {
	return errorAt(pos, "%q is new in format %d, but --words reads the log as an older one: leave --words out; a log cannot mix old and new words", field, jsonFormat)
}

func old(err *ParseError) error {
	err.Old = true
	return err
}

func convertJSON(file string) string { return convertOld(file, ".jsonl", ".json") }
func convertText(file string) string { return convertOld(file, ".log", ".txt") }

// convertOld says how to convert an old log into a format with these extensions.
func convertOld(file string, extensions ...string) string {
	ext := filepath.Ext(file)
	to := strings.TrimSuffix(file, ext) + ".new"
	if !slices.Contains(extensions, ext) {
		ext = extensions[0]
	}
	if file == "standard input" {
		file, to = "-", "new"
	}
	return fmt.Sprintf("convert it with `adtinfer convert --words %s %s`", shellWord(file), shellWord(to+ext))
}

// shellWord is a file name as a shell takes it.
func shellWord(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool {
		return !strings.ContainsRune("-_./+,:@%", c) && (c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z')
	}) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}
