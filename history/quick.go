package history

import "strings"

// quickLines takes apart the lines that nearly all events of a long text log
// have: a small number as identifier, a method that was called before, at most
// one value, and nothing that could be left out, within quickRoom bytes. That is
// a part of what plainEvent takes, and more than twice as fast.
//
// A processor is fast as long as it guesses right where the next part begins; it
// is slow if that has to be computed first. So numbers are taken to have as many
// digits as those before, which then mostly turns out to be so, and names are
// compared with names that occurred.
type quickLines struct {
	opDigits, valueDigits int
	names                 []quickName
}

// quickName is a name of a method.
type quickName struct {
	start, mask eight // its first eight bytes, or fewer
	name        string
	method      int
}

const (
	quickRoom  = 64 // bytes that must follow the start of a line
	quickNames = 16 // that are remembered
	longName   = 24 // and not longer than that
)

// What follows an identifier, eight bytes of it.
const (
	thenCall   eight = ']' | ' '<<8 | 'c'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | ' '<<48
	thenReturn eight = ']' | ' '<<8 | 'r'<<16 | 'e'<<24 | 't'<<32 | 'u'<<40 | 'r'<<48 | 'n'<<56
	sevenBytes eight = 1<<56 - 1
)

// returned stands for the method of a return.
const returned = -1

// read takes the line of src that begins at i, if it can: the number of the
// operation, its method or returned, the value or "", and where the next line
// begins. That is 0 if the line is for plainEvent.
func (q *quickLines) read(src string, i int) (number, method int, value string, next int) {
	if len(src)-i < quickRoom {
		return
	}
	line := src[i : i+quickRoom]
	w := eightOf(line, 1)
	at := 1 + q.opDigits
	if n := w.digits(); n != q.opDigits {
		if n == 8 {
			return
		}
		q.opDigits, at = n, 1+n
	}
	if line[0] != '[' || line[1]-'1' > 8 {
		return
	}
	number = w.decimal(q.opDigits)
	switch w = eightOf(line, at); {
	case w == thenReturn:
		if at += 8; line[at] == ' ' {
			start := at + 1
			if at = q.value(line, start); at == start {
				return
			}
			value = line[start:at]
		}
		method = returned
	case w&sevenBytes == thenCall:
		if method, at = q.method(line, at+7); line[at] == '(' {
			start := at + 1
			if at = start; line[at] != ')' {
				at = q.value(line, start)
				value = line[start:at]
			}
			if line[at] != ')' {
				return
			}
			at++
		}
	default:
		return
	}
	if line[at] != '\n' {
		return
	}
	return number, method, value, i + at + 1
}

// value is the end of the value that begins at a place, and before quickRoom.
func (q *quickLines) value(line string, at int) int {
	if n := eightOf(line, at).digits(); n == q.valueDigits {
		at += q.valueDigits
	} else {
		q.valueDigits = n
		at += n
	}
	for at < quickRoom-2 && plainClass[line[at]]&plainValue != 0 {
		at++
	}
	return at
}

// method finds the method whose name begins at a place, and where that ends. The
// place is 0, where no name ends, if it finds none.
func (q *quickLines) method(line string, at int) (method, end int) {
	w := eightOf(line, at)
	for k := range q.names {
		if n := &q.names[k]; (w^n.start)&n.mask == 0 {
			if len(n.name) > 8 && !strings.HasPrefix(line[at:], n.name) {
				continue
			}
			if end = at + len(n.name); line[end] == '(' || line[end] == '\n' {
				return n.method, end
			}
		}
	}
	return 0, 0
}

// learn remembers the name of a method that occurred.
func (q *quickLines) learn(name string, method int) {
	if len(q.names) == quickNames || len(name) > longName {
		return
	}
	n := quickName{name: name, method: method}
	for i := range len(name) {
		if plainClass[name[i]]&plainMethod == 0 {
			return
		}
		if i < 8 {
			n.start |= eight(name[i]) << (8 * i)
			n.mask |= 0xff << (8 * i)
		}
	}
	for k := range q.names {
		if q.names[k].name == name {
			return
		}
	}
	q.names = append(q.names, n)
}
