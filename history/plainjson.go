package history

import "strings"

// readJSON takes the line of src that begins at i, of a JSON Lines log, as read
// does of a text log. Plain is an object of fields that an event has, each once
// and in any order, with strings of ASCII characters without escapes, and not
// many values.
func (p *plainEvent) readJSON(src string, i int) int {
	start := i
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	p.indent, p.n, p.method, p.methodAt, p.valuesAt, p.process, p.time = i-start, 0, "", 0, 0, "", stamp{}
	p.quoted, p.named, p.doubt, p.outcome = false, false, false, ""
	if i == len(src) || src[i] != '{' {
		return -1
	}
	var seen jsonField
	for more := true; more; {
		var f jsonField
		if f, i = p.readField(src, skipBlanks(src, i+1), seen); f == 0 || i < 0 {
			return -1
		}
		seen |= f
		if i = skipBlanks(src, i); i == len(src) || src[i] != ',' && src[i] != '}' {
			return -1
		}
		more = src[i] == ','
	}
	if !p.complete(seen) || seen&outcomeField != 0 && !p.name() {
		return -1
	}
	return endOfLine(src, i+1)
}

// jsonField is a field of an event, or a set of them.
type jsonField uint8

const (
	opField jsonField = 1 << iota
	eventField
	methodField
	argsField
	retsField
	processField
	timeField
	outcomeField
)

// readName takes the name of a field and the colon after it. The place is that of
// what follows, or -1.
func readName(src string, i int) (f jsonField, end int) {
	switch s := src[i:]; { // faster, a constant each, than finding the name's end first
	case strings.HasPrefix(s, `"op"`):
		f, i = opField, i+len(`"op"`)
	case strings.HasPrefix(s, `"event"`):
		f, i = eventField, i+len(`"event"`)
	case strings.HasPrefix(s, `"method"`):
		f, i = methodField, i+len(`"method"`)
	case strings.HasPrefix(s, `"args"`):
		f, i = argsField, i+len(`"args"`)
	case strings.HasPrefix(s, `"rets"`):
		f, i = retsField, i+len(`"rets"`)
	case strings.HasPrefix(s, `"outcome"`):
		f, i = outcomeField, i+len(`"outcome"`)
	case strings.HasPrefix(s, `"process"`):
		f, i = processField, i+len(`"process"`)
	case strings.HasPrefix(s, `"time"`):
		f, i = timeField, i+len(`"time"`)
	default:
		return 0, -1
	}
	if i = skipBlanks(src, i); i == len(src) || src[i] != ':' {
		return 0, -1
	}
	return f, skipBlanks(src, i+1)
}

// complete tells whether a line has the fields that its event needs, and no
// others.
func (p *plainEvent) complete(seen jsonField) bool {
	needs, not := opField|eventField, argsField
	if p.call {
		needs, not = needs|methodField, retsField|outcomeField
	}
	return seen&needs == needs && seen&not == 0
}

// name puts the outcome that has a field of its own before the values; false if
// it is not plain.
func (p *plainEvent) name() bool {
	if p.n == maxPlain || !couldName(p.outcome) || p.outcome == string(None) || p.outcome == string(Some) {
		return false
	}
	copy(p.values[1:], p.values[:p.n])
	p.values[0], p.n, p.valuesAt = p.outcome, p.n+1, p.outcomeAt
	p.quoted, p.named = false, true
	return true
}

// readField takes a field, name and all, that is not among those seen. It
// returns where the field ends.
func (p *plainEvent) readField(src string, i int, seen jsonField) (f jsonField, end int) {
	start := i
	if f, i = readName(src, i); f&seen != 0 {
		return 0, -1
	}
	switch f {
	case opField:
		p.op, i = readJSONText(src, i)
		p.number = numberOf(p.op)
	case eventField:
		i = p.readEvent(src, i)
	case methodField:
		p.method, i = readJSONText(src, i)
		p.methodAt = start
	case argsField, retsField: // not both: complete sees to that
		i = p.readArray(src, i)
		p.valuesAt = start
	case outcomeField:
		p.outcome, i = readJSONString(src, i)
		p.outcomeAt = start
	case processField:
		p.process, i = readJSONText(src, i)
	case timeField:
		var text string
		text, i = readJSONNumber(src, i)
		p.time = newStamp(text)
	}
	return f, i
}

func (p *plainEvent) readEvent(src string, i int) int {
	switch s := src[i:]; {
	case strings.HasPrefix(s, `"call"`):
		p.call = true
		return i + len(`"call"`)
	case strings.HasPrefix(s, `"return"`):
		p.call = false
		return i + len(`"return"`)
	}
	return -1
}

// readArray takes the values of an event.
func (p *plainEvent) readArray(src string, i int) int {
	if i == len(src) || src[i] != '[' {
		return -1
	}
	if i = skipBlanks(src, i+1); i < len(src) && src[i] == ']' {
		return i + 1
	}
	p.quoted = i < len(src) && src[i] == '"'
	for p.n < maxPlain {
		if p.values[p.n], i = readJSONValue(src, i); i < 0 {
			return -1
		}
		p.n++
		if i = skipBlanks(src, i); i == len(src) || src[i] != ',' && src[i] != ']' {
			return -1
		}
		if src[i] == ']' {
			return i + 1
		}
		i = skipBlanks(src, i+1)
	}
	return -1
}

// skipBlanks is the place of the next character that is no blank.
func skipBlanks(src string, i int) int {
	for i < len(src) && src[i] == ' ' {
		i++
	}
	return i
}

// readJSONValue takes a string, number, boolean or null; end is -1 if there is
// none that is plain.
func readJSONValue(src string, i int) (text string, end int) {
	if i == len(src) {
		return "", -1
	}
	switch src[i] {
	case '"':
		return readJSONString(src, i)
	case 't':
		return readWord(src, i, "true", string(True))
	case 'f':
		return readWord(src, i, "false", string(False))
	case 'n':
		return readWord(src, i, "null", string(Nil))
	}
	return readJSONNumber(src, i)
}

// readWord takes a word that stands for a text.
func readWord(src string, i int, word, text string) (string, int) {
	if len(src)-i < len(word) || src[i:i+len(word)] != word {
		return "", -1
	}
	return text, i + len(word)
}

// readJSONText takes a string that is not empty, or a number.
func readJSONText(src string, i int) (text string, end int) {
	if i < len(src) && src[i] == '"' {
		if text, i = readJSONString(src, i); text == "" {
			return "", -1
		}
		return text, i
	}
	return readJSONNumber(src, i)
}

// readJSONString takes a string without escapes.
func readJSONString(src string, i int) (text string, end int) {
	if i == len(src) || src[i] != '"' {
		return "", -1
	}
	i++
	start := i
	for i < len(src) && plainClass[src[i]]&plainString != 0 {
		i++
	}
	if i == len(src) || src[i] != '"' {
		return "", -1
	}
	return src[start:i], i + 1
}

// readJSONNumber takes a number as it is written.
func readJSONNumber(src string, i int) (text string, end int) {
	start := i
	if i < len(src) && src[i] == '-' {
		i++
	}
	first := i
	if i = skipDigits(src, i); i == first || i > first+1 && src[first] == '0' {
		return "", -1
	}
	if i < len(src) && src[i] == '.' {
		point := i
		if i = skipDigits(src, i+1); i == point+1 {
			return "", -1
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		first := i
		if i = skipDigits(src, i); i == first {
			return "", -1
		}
	}
	return src[start:i], i
}

func skipDigits(src string, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}
