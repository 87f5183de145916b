package foreign

import (
	"strconv"
	"strings"
)

// A fptlinShape is how the values after a method are meant.
type fptlinShape uint8

const (
	fptlinArgument fptlinShape = iota // the argument
	fptlinAnswer                      // the answer; -1 if there was none
	fptlinSuccess                     // 1 or 0: whether it succeeded
	fptlinAsked                       // an argument, then 1 or 0
	fptlinSwap                        // what was there, then what was put there
)

// fptlinValues is how many values a shape has.
var fptlinValues = [...]int{fptlinArgument: 1, fptlinAnswer: 1, fptlinSuccess: 1, fptlinAsked: 2, fptlinSwap: 2}

// fptlinMethods are the methods of fptlin's types. INSERT is in the list twice: of a priority
// queue it has an argument, of a set also an answer.
var fptlinMethods = []struct {
	name  string
	shape fptlinShape
}{
	{"PUSH", fptlinArgument}, {"POP", fptlinAnswer}, {"PEEK", fptlinAnswer},
	{"ENQ", fptlinArgument}, {"DEQ", fptlinAnswer},
	{"INSERT", fptlinArgument}, {"POLL", fptlinAnswer},
	{"INSERT", fptlinAsked}, {"REMOVE", fptlinAsked}, {"CONTAINS", fptlinAsked},
	{"INCR", fptlinSuccess}, {"DECR", fptlinSuccess},
	{"READ_MODIFY_WRITE", fptlinSwap},
}

// parseFPTLin reads histories of FPTLin:
//
//	# stack
//	0 1 5 PUSH 1
//	1 2 6 POP 1
//
// A line is a complete operation: process, start, end, method and values. The lines are in any
// order, and a process may have several operations at once. Names of methods are made lower case.
func parseFPTLin(src, file string, each func(*record) error) error {
	n := 0
	return textLines(src, file, func(l *textLine) error {
		n++
		call := record{told: true, timed: true, kind: invoke, op: strconv.Itoa(n)}
		call.pos = l.pos(l.at)
		var err error
		if call.process, err = fptlinNumber(l, "a process"); err != nil {
			return err
		}
		ret := call
		ret.kind = ok
		if call.time, err = fptlinTime(l, "a start"); err != nil {
			return err
		}
		end := l.at
		if ret.time, err = fptlinTime(l, "an end"); err != nil {
			return err
		}
		if ret.time < call.time {
			return l.errorAt(end, "the operation ends at %d, before its start at %d", ret.time, call.time)
		}
		if err := fptlinCall(l, &call, &ret); err != nil {
			return err
		}
		if err := each(&call); err != nil {
			return err
		}
		return each(&ret)
	})
}

// fptlinCall reads a method and its values.
func fptlinCall(l *textLine, call, ret *record) error {
	name, at := l.word()
	if name == "" {
		return l.errorAt(at, "a line without a method: want process start end METHOD value")
	}
	first := l.at
	vals := strings.Fields(l.rest())
	var known bool
	for _, m := range fptlinMethods {
		if m.name != name {
			continue
		}
		known = true
		if fptlinValues[m.shape] == len(vals) {
			call.method = strings.ToLower(name)
			ret.method = call.method
			return fptlinMeaning(l, first, m.shape, vals, call, ret)
		}
	}
	if known {
		return l.errorAt(first, "%s with too few or too many values: %d", name, len(vals))
	}
	return l.errorAt(at, "unknown method %q: FPTLin has PUSH, POP, PEEK, ENQ, DEQ, INSERT, POLL, REMOVE, CONTAINS, INCR, DECR and READ_MODIFY_WRITE", name)
}

// fptlinMeaning makes values arguments and answers.
func fptlinMeaning(l *textLine, at int, shape fptlinShape, vals []string, call, ret *record) error {
	for _, v := range vals {
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return l.errorAt(at+strings.Index(l.text[at:], v), "want an integer, not %q", v)
		}
	}
	last := vals[len(vals)-1]
	switch shape {
	case fptlinArgument:
		call.value = valueOf(vals)
		return nil
	case fptlinAnswer:
		if ret.value = valueOf(vals); last == "-1" {
			ret.value = value{kind: null, text: "nil"}
		}
		return nil
	case fptlinSwap:
		call.value, ret.value = valueOf(vals[1:]), valueOf(vals[:1])
		return nil
	}
	call.value = valueOf(vals[:len(vals)-1])
	ret.value = value{kind: boolean, text: strconv.FormatBool(last == "1")}
	if last != "0" && last != "1" {
		return l.errorAt(strings.LastIndex(l.text, last), "want 1 or 0, whether it succeeded, not %q", last)
	}
	return nil
}

// fptlinNumber reads a number of digits.
func fptlinNumber(l *textLine, what string) (string, error) {
	word, at := l.word()
	if _, err := strconv.ParseUint(word, 10, 63); err != nil {
		return "", l.errorAt(at, "want %s, a number, not %q", what, word)
	}
	return word, nil
}

func fptlinTime(l *textLine, what string) (int64, error) {
	word, err := fptlinNumber(l, what)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(word, 10, 64)
}
