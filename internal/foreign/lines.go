package foreign

import "strings"

// parseJepsen reads EDN, or the lines of jepsen.util.
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

// parseLines reads what Jepsen writes of operations into its own log:
//
//	INFO  jepsen.util - 2	:invoke	:write	4
//
// Before the process there may be anything; after it come type, method, value and perhaps an error,
// in EDN, with blanks or tabs between them. Other lines of Jepsen's log are skipped, but not those that look
// like an operation and are none.
func parseLines(src, file string, each func(*record) error) error {
	e := &edn{lexer: lexer{src: src, file: file}}
	if err := e.valid(); err != nil {
		return err
	}
	for start := e.at; start < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[start:], '\n'); n >= 0 {
			end = start + n
		}
		e.src = src[:end]
		e.at = start
		operation, err := e.operationLine(src[start:end])
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

// operationLine reads the line that starts here into the record, and reports whether it is one of
// an operation.
func (e *edn) operationLine(line string) (bool, error) {
	start := e.at
	process, processAt, kindAt := typeWord(line)
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
	e.r = record{pos: e.place(start + processAt)}
	e.r.whose(process)
	if err := e.typeAndMethod(); err != nil {
		return false, err
	}
	return true, e.valueAndError()
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

// valueAndError reads the value, if there is one, and skips an error after it.
func (e *edn) valueAndError() (err error) {
	if err := e.blanks(); err != nil || e.end() {
		return err
	}
	if e.r.value, err = e.value(&e.outer, 1); err != nil {
		return err
	}
	for {
		if err := e.blanks(); err != nil || e.end() {
			return err
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
		if isInteger(before) && (word[0] == ':' || word == "invoke" || word == "ok" || word == "fail" || word == "info") {
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
