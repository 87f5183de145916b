package foreign

import (
	"strings"

	"github.com/adtinfer/adtinfer/history/foreign/table"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// recognized is how much of a file Recognize looks at.
const recognized = 64 << 10

// Recognize tells by its beginning whose format a file is in; "" if it may be a log of our own, or
// nobody's. A log of our own is never taken for another's: its first line that is neither
// blank nor a comment is [ID] call METHOD(ARGUMENTS) or a JSON object with other fields than elle-cli's.
//
// A file of Violin's is a log of our own. LiMo's is told from it by arguments without parentheses only;
// where all its methods lack them, --from has to say that an operation has the name of its thread.
func Recognize(src string) Format {
	src = src[:min(len(src), recognized)]
	src = strings.TrimPrefix(src, "\ufeff")
	line, header := firstLine(src)
	switch {
	case ourEvent().MatchString(line):
		if !ourArgument().MatchString(src) && limoArgument().MatchString(src) {
			return LiMo
		}
		return ""
	case startsEDN(src):
		return ednFormat(src)
	case noRecords().MatchString(line):
		return Jepsen
	case line == "":
		return ""
	case line[0] == '{' || line[0] == '[':
		if elleFields(src) {
			return ElleCLI
		}
	case fptlinTypes[header] && fptlinLine().MatchString(line):
		return FPTLin
	}
	if utilLine().MatchString(src) {
		return Jepsen
	}
	if table.Recognize(src) {
		return CSV
	}
	return ""
}

var (
	ourEvent     = wording.Regexp(`^\[[^\]]*\][ \t]*(call|return)\b`)
	limoArgument = wording.Regexp(`(?m)^[ \t]*\[[ \t]*-?[0-9]+[ \t]*\][ \t]+call[ \t]+[\pL_][\pL\pN_]*[ \t]+[^ \t\r\n]`)
	ourArgument  = wording.Regexp(`\([ \t]*[^) \t]`)
	fptlinLine   = wording.Regexp(`^[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+[A-Z_]+([ \t]|$)`)
	utilLine     = wording.Regexp(`(?m)^(-?[0-9]+|:[a-z][a-z-]*)[ \t]+:(invoke|ok|fail|info)[ \t]+:[^ \t\r\n]|^[^\[{#\r\n][^\r\n]*[ \t-][ \t]*[^ \t\r\n]+[ \t]+:(invoke|ok|fail|info)[ \t]+:[^ \t\r\n]`)
	noRecords    = wording.Regexp(`^(\[\s*\]|\(\s*\))$`)
	jsonStart    = wording.Regexp(`^[\[\s]*\{\s*("|$)`)
	ednStart     = wording.Regexp(`^([\[(][\s,]*)?(#[\pL][^\s,;()\[\]{}"#]*[\s,]*)?\{[\s,]*:[\pL]`)
	ednKey       = wording.Regexp(`[\s,{]:key[\s]`)

	fptlinTypes = map[string]bool{"stack": true, "queue": true, "priorityqueue": true, "rmw": true, "semaphore": true, "set": true}
)

// startsEDN reports whether a file begins with a map that has keywords, or a list of such maps.
func startsEDN(src string) bool {
	for {
		src = strings.TrimLeft(src, " \t\r\n\f\v,")
		if !strings.HasPrefix(src, ";") {
			return ednStart().MatchString(src)
		}
		_, src, _ = strings.Cut(src, "\n")
	}
}

// ednFormat is Porcupine's if keys have a field of their own.
func ednFormat(src string) Format {
	if ednKey().MatchString(src) {
		return Porcupine
	}
	return Jepsen
}

// firstLine is the first line that is neither blank nor a comment, and the comment on the first line.
func firstLine(src string) (line, header string) {
	n := 0
	for text := range strings.Lines(src) {
		n++
		switch text = strings.TrimSpace(text); {
		case text == "":
		case text[0] != '#':
			return text, header
		case n == 1:
			header = strings.TrimSpace(text[1:])
		}
	}
	return "", header
}

// elleFields reports whether the first object of a file has the fields of elle-cli's, and none of
// those that ours have.
func elleFields(src string) bool {
	start := strings.IndexByte(src, '{')
	if between := strings.TrimSpace(src[:max(start, 0)]); start < 0 || between != "" && between != "[" {
		return false
	}
	p := newElle(src[start:], "")
	if _, _, err := p.token(); err != nil {
		return false
	}
	has := map[string]bool{}
	for {
		t, _, err := p.inner()
		name, isName := t.(string)
		if err != nil || !isName {
			break
		}
		has[name] = true
		v, at, err := p.inner()
		if err != nil {
			break
		}
		if _, err := p.value(v, at, 1); err != nil {
			break
		}
	}
	return has["type"] && has["f"] && !has["op"] && !has["event"] && !has["format"]
}
