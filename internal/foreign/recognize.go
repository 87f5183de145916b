package foreign

import "strings"

// recognize is the format of a file that begins so; "": none that is told safely.
// Our own logs begin with [id] or with a JSON object, whose first key is a string.
func recognize(head string) Format {
	l := lexer{src: strings.TrimPrefix(head, "\ufeff")}
	if l.blanks() != nil || l.end() {
		return ""
	}
	rest := l.src[l.at:]
	if strings.HasPrefix(rest, "#jepsen.") {
		return Jepsen
	}
	if rest[0] == '[' || rest[0] == '(' {
		l.at++
		if l.blanks() != nil || l.end() {
			return ""
		}
		if rest = l.src[l.at:]; strings.HasPrefix(rest, "#jepsen.") {
			return Jepsen
		}
	}
	if rest[0] != '{' {
		return ""
	}
	l.at++
	if l.blanks() == nil && !l.end() && l.src[l.at] == ':' {
		return Jepsen
	}
	return ""
}
