package history

import (
	"cmp"
	"strings"
)

// plainEvent is an event line as programs write them. In a text log that is: no
// quotes, brackets in values or characters beyond ASCII, and blanks only where
// the format's examples have them; for JSON Lines see readJSON. Everything else,
// mistakes included, is left to Reader.
//
// The texts are parts of the log's text.
type plainEvent struct {
	op      string
	number  int // that op is in decimal, or -1
	call    bool
	method  string // of a call; of a return only if the log repeats it
	values  [maxPlain]string
	n       int  // values that there are
	quoted  bool // the first value is a string of JSON, and names no outcome
	named   bool // the first value is an outcome that has a field of its own
	doubt   bool // quoted, in a log that does not say its format
	process string
	time    stamp
	outcome string // that has a field of its own

	indent                        int // of the line
	methodAt, valuesAt, outcomeAt int // where they are in the text; 0 unknown
}

// maxPlain is the largest number of values of a plain event.
const maxPlain = 4

// Classes of characters.
const (
	plainValue  = 1 << iota // in values
	plainMethod             // in names of methods
	plainID                 // in identifiers
	plainString             // in strings of JSON
)

// plainClass has the classes of each character. It is a constant table.
var plainClass = func() (class [256]uint8) {
	for c := ' '; c <= '~'; c++ {
		switch c {
		case ' ', ']':
		case '(':
			class[c] = plainID
		case ',', ')', '"', '#', '[', '{', '}':
			class[c] = plainID | plainMethod
		default:
			class[c] = plainID | plainMethod | plainValue
		}
		if c != '"' && c != '\\' {
			class[c] |= plainString
		}
	}
	return class
}()

// read takes the line of src that begins at i. It returns where the next line
// begins, or -1 if the line is not plain.
func (p *plainEvent) read(src string, i int) int {
	start := i
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	p.indent = i - start
	if i = p.readOp(src, i); i < 0 || len(src)-i < len(" return") {
		return p.readShort(src, i)
	}
	p.n, p.method, p.methodAt, p.valuesAt, p.quoted, p.named, p.doubt = 0, "", 0, 0, false, false, false
	switch {
	case src[i:i+6] == " call ":
		p.call = true
		return p.readCall(src, i+6)
	case src[i:i+7] == " return":
		p.call = false
		return p.readReturn(src, i+7)
	}
	return -1
}

// readShort takes the rest of a line at the end of the log: " call m".
func (p *plainEvent) readShort(src string, i int) int {
	if i < 0 || len(src)-i < 6 || src[i:i+6] != " call " {
		return -1
	}
	p.call, p.n, p.valuesAt, p.quoted, p.named, p.doubt = true, 0, 0, false, false, false
	return p.readCall(src, i+6)
}

// readOp takes "[ID]".
func (p *plainEvent) readOp(src string, i int) int {
	if i == len(src) || src[i] != '[' {
		return -1
	}
	i++
	start, n := i, 0
	for i < len(src) && src[i]-'0' <= 9 {
		n = n*10 + int(src[i]-'0')
		i++
	}
	p.number = n
	if i < len(src) && src[i] != ']' || i-start > maxDigits || i-start > 1 && src[start] == '0' {
		p.number = -1
		for i < len(src) && plainClass[src[i]]&plainID != 0 {
			i++
		}
	}
	if i == len(src) || src[i] != ']' || i == start {
		return -1
	}
	p.op = src[start:i]
	return i + 1
}

// readCall takes "m", "m()" or "m(V1, V2)".
func (p *plainEvent) readCall(src string, i int) int {
	start := i
	for i < len(src) && plainClass[src[i]]&plainMethod != 0 {
		i++
	}
	if p.method, p.methodAt = src[start:i], start; i == start {
		return -1
	}
	if i < len(src) && src[i] == '(' {
		i++
		p.valuesAt = i
		if i == len(src) || src[i] != ')' {
			if i = p.readValues(src, i); i < 0 {
				return -1
			}
		}
		if i == len(src) || src[i] != ')' {
			return -1
		}
		i++
	}
	return endOfLine(src, i)
}

// readReturn takes " V1, V2" or nothing.
func (p *plainEvent) readReturn(src string, i int) int {
	if i < len(src) && src[i] == ' ' {
		p.valuesAt = i + 1
		if i = p.readValues(src, i+1); i < 0 || strings.HasPrefix(p.values[0], "error:") {
			return -1
		}
	}
	return endOfLine(src, i)
}

// readValues takes one value or more, with ", " or "," between them.
func (p *plainEvent) readValues(src string, i int) int {
	for p.n < maxPlain {
		start := i
		for i < len(src) && plainClass[src[i]]&plainValue != 0 {
			i++
		}
		if i == start {
			return -1
		}
		p.values[p.n] = src[start:i]
		p.n++
		if i == len(src) || src[i] != ',' {
			return i
		}
		i++
		if i < len(src) && src[i] == ' ' {
			i++
		}
	}
	return -1
}

// endOfLine moves past the end of a line, or of the log; -1 if something else
// is there.
func endOfLine(src string, i int) int {
	if i < len(src) && src[i] == '\r' {
		i++
	}
	switch {
	case i == len(src):
		return i
	case src[i] == '\n':
		return i + 1
	}
	return -1
}

// plain takes a plain line apart as parseJSON and textLine do, only faster.
// Before it, indent bytes were taken off.
func (r *Reader) plain(line string, indent int) (e Event, ok bool) {
	var p plainEvent
	if r.format == jsonFormat {
		ok = p.readJSON(line, 0) >= 0
	} else {
		ok = p.read(line, 0) >= 0
	}
	if !ok || r.careful || r.old && p.named {
		return e, false
	}
	e = Event{Op: p.op, Call: p.call, Method: p.method, Process: p.process, Time: p.time.text, Pos: Pos{r.file, r.no, indent + 1}}
	if p.methodAt > 0 {
		e.methodCol = indent + p.methodAt + 1
	}
	if p.valuesAt > 0 {
		e.valuesCol = indent + p.valuesAt + 1
	}
	values := &e.Rets
	if e.Call {
		values = &e.Args
	}
	var buf [maxPlain]Raw
	for i, s := range p.values[:p.n] {
		buf[i].Text = s
	}
	*values = r.keep(buf[:p.n])
	switch {
	case e.Call:
		r.passed(e.Args)
	case p.named:
		e.Rets[0].Outcome = true
		r.said = cmp.Or(r.said, r.no)
	case p.quoted && !r.old:
		r.returnedString(&e)
	}
	return e, true
}

// first is the first value of a return.
func (p *plainEvent) first() Raw {
	return Raw{Text: p.values[0], Quoted: p.quoted, Outcome: p.named}
}

// doubtful reports whether the first value may be an outcome of an old log.
func (p *plainEvent) doubtful(m *MethodSig) bool {
	return p.doubt && couldName(p.values[0]) && m.namedBefore(p.values[0], p.n)
}
