package foreign

import (
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// parseJepsen reads EDN, or lines.
func parseJepsen(src, file string, each func(*record) error) error {
	head := strings.TrimPrefix(src[:min(len(src), recognized)], "\ufeff")
	if startsEDN(head) {
		return parseEDN(src, file, each)
	}
	for line := range strings.Lines(head) {
		if _, _, at := typeWord(strings.TrimSpace(line)); at >= 0 || strings.Contains(line, "jepsen.util") {
			return parseLines(src, file, each)
		}
	}
	return parseEDN(src, file, each)
}

// parseLines reads what Jepsen writes of operations into history.txt and into its log:
//
//	2	:invoke	:write	4
//	INFO  jepsen.util - 2	:invoke	:write	4
//
// Before the process there may be anything; after it come type, method, value and perhaps an error,
// in EDN, with blanks or tabs between them. Other lines are skipped, such as those of the map of a test that a log
// begins with, but not those that look like an operation and are none: in a log, these are from jepsen.util.
func parseLines(src, file string, each func(*record) error) error {
	e := &edn{lexer: lexer{src: src, file: file}}
	if err := e.valid(); err != nil {
		return err
	}
	logged := logLine().MatchString(src)
	for start := e.at; start < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[start:], '\n'); n >= 0 {
			end = start + n
		}
		e.src = src[:end]
		e.at = start
		operation, err := e.operationLine(src[start:end], logged)
		if err != nil {
			return err
		}
		if operation {
			if err := each(&e.r); err != nil {
				return err
			}
		}
		start = end + 1
	}
	return nil
}

// logLine is the line of an operation in Jepsen's log.
var logLine = wording.Regexp(`(?m)jepsen\.util[ \t:-]+[^ \t\r\n]+[ \t]+:(invoke|ok|fail|info)[ \t]`)

// operationLine reads the line that starts here into the record, and reports whether it is one of
// an operation.
func (e *edn) operationLine(line string, logged bool) (bool, error) {
	start := e.at
	process, processAt, kindAt := typeWord(line)
	if logged {
		if at := messageOf(line); at >= 0 {
			if process, processAt, kindAt = typeWord(line[at:]); kindAt >= 0 {
				processAt, kindAt = processAt+at, kindAt+at
			} else if !startsOperation(line[at:]) {
				return false, nil // about something else
			}
		} else if !bareOperation(line, process, kindAt) {
			return false, nil // of the map of the test, say
		}
	}
	if kindAt < 0 {
		if at := looksLikeOperation(line); at >= 0 {
			return false, e.wrong(start+at, "no type after the process: want :invoke, :ok, :fail or :info")
		}
		return false, nil
	}
	e.at = start + kindAt
	if process == "" {
		return false, e.wrong(e.at, "no process before the type")
	}
	if !isInteger(process) && process[0] != ':' && process != "nil" {
		return false, e.wrong(start+processAt, "want a process before the type, an integer or a name such as :nemesis, not %s", shorten(process))
	}
	e.r = record{pos: e.place(start + processAt)}
	e.r.whose(process)
	if err := e.typeAndMethod(); err != nil {
		return false, err
	}
	return true, e.valueAndError()
}

// messageOf is where the message of a line from jepsen.util begins; -1 if the line is from elsewhere.
func messageOf(line string) int {
	const name = "jepsen.util"
	at := strings.Index(line, name)
	if at < 0 {
		return -1
	}
	at += len(name)
	if at < len(line) && strings.IndexByte(" \t:-\r", line[at]) < 0 {
		return -1
	}
	rest := strings.TrimLeft(strings.TrimPrefix(line[at:], ":"), " \t")
	if bare, ok := strings.CutPrefix(rest, "-"); ok && strings.TrimLeft(bare, " \t\r") != bare || rest == "-" {
		rest = strings.TrimLeft(bare, " \t")
	}
	return len(line) - len(rest)
}

// startsOperation reports whether a message begins as one about an operation does, or may have been cut off there.
func startsOperation(message string) bool {
	n, of := 0, true
	for word := range wordsOf(message) {
		keyword := word[0] == ':'
		if n++; n == 1 {
			of = keyword || isInteger(word)
			continue
		}
		return of && (keyword || kindWords[word])
	}
	return of
}

var kindWords = map[string]bool{"invoke": true, "ok": true, "fail": true, "info": true}

// bareOperation reports whether a line of a log that is not from jepsen.util is about an operation nevertheless, or would be
// one if it were right.
func bareOperation(line, process string, kindAt int) bool {
	if kindAt < 0 {
		return isInteger(firstWord(line)) && startsOperation(line)
	}
	words := strings.Fields(line[kindAt:])
	return len(words) > 1 && words[1][0] == ':' && !strings.ContainsAny(process, ":{([")
}

func firstWord(line string) string {
	for word := range wordsOf(line) {
		return word
	}
	return ""
}

// typeAndMethod reads :invoke :write.
func (e *edn) typeAndMethod() error {
	start := e.at
	if err := e.skip(1); err != nil {
		return err
	}
	if err := e.kind(start, e.src[start:e.at]); err != nil {
		return err
	}
	if err := e.blanks(); err != nil {
		return err
	}
	start = e.at
	if e.end() {
		return e.wrong(start, "the line ends without a method, such as :read")
	}
	if err := e.skip(1); err != nil {
		return err
	}
	name := e.src[start:e.at]
	if name[0] != ':' {
		return e.wrong(start, "want a method such as :read, not %s", shorten(name))
	}
	e.r.method = name[1:]
	return nil
}

// valueAndError reads the value, if there is one, and an error after it, which may be a text without quotes.
func (e *edn) valueAndError() (err error) {
	if err := e.blanks(); err != nil || e.end() {
		return err
	}
	if e.r.value, err = e.value(&e.outer, 1); err != nil {
		return err
	}
	if err := e.blanks(); err != nil || e.end() {
		return err
	}
	start := e.at
	var parts []value
	if e.r.err, err = e.value(&parts, 2); err != nil {
		return err
	}
	for several := false; ; several = true {
		if err := e.blanks(); err != nil {
			return err
		}
		if e.end() {
			if several {
				e.r.err = value{kind: scalar, text: strings.TrimSpace(e.src[start:])}
			}
			return nil
		}
		if err := e.skip(1); err != nil {
			return err
		}
	}
}

// typeWord finds the first word of a line that is a type: its offset, or -1, and the word before it
// with its offset.
func typeWord(line string) (before string, beforeAt, at int) {
	for w, at := range wordsOf(line) {
		switch w {
		case ":invoke", ":ok", ":fail", ":info":
			return before, beforeAt, at
		}
		before, beforeAt = w, at
	}
	return "", 0, -1
}

// looksLikeOperation is the offset of what should be a type: a keyword after an integer. It is -1
// if there is none.
func looksLikeOperation(line string) int {
	before := ""
	for word, at := range wordsOf(line) {
		if isInteger(before) && (word[0] == ':' || kindWords[word]) {
			return at
		}
		before = word
	}
	if at := strings.Index(line, "jepsen.util"); at >= 0 {
		return at
	}
	return -1
}

// wordsOf are the words of a line and their offsets.
func wordsOf(line string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for at := 0; at < len(line); {
			n := strings.IndexAny(line[at:], " \t\r")
			if n < 0 {
				n = len(line) - at
			}
			if n > 0 && !yield(line[at:at+n], at) {
				return
			}
			at += n + 1
		}
	}
}
