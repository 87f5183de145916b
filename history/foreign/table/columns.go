package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// role is what a column of a table holds.
type role string

const (
	callColumn      role = "call"
	returnColumn    role = "return"
	processColumn   role = "process"
	methodColumn    role = "method"
	argumentsColumn role = "arguments"
	answerColumn    role = "answer"
	idColumn        role = "id"
	objectColumn    role = "object"
	skippedColumn   role = "-"
)

// columnNames are the names of columns that need no explanation, by what they hold, without blanks and the like.
var columnNames = map[role]string{
	callColumn:      "call calltime calledat invoke invoketime invocation invocationtime start starttime startedat begin begintime",
	returnColumn:    "return returntime returnedat end endtime endedat finish finishtime finishedat complete completion completiontime completedat stop stoptime",
	processColumn:   "process processid proc pid thread threadid tid client clientid worker workerid goroutine",
	methodColumn:    "method op operation function func f",
	argumentsColumn: "arguments argument args arg input inputs parameters params",
	answerColumn:    "answer result results returnvalue returned output ret rets",
	idColumn:        "id opid operationid",
	objectColumn:    "object objectname",
}

// roles lists what columns may hold, in the order of documents.
var roles = []role{callColumn, returnColumn, processColumn, methodColumn, argumentsColumn, answerColumn, idColumn, objectColumn, skippedColumn}

// column is a column of a table.
type column struct {
	role role
	unit string // of its times, if it is known
}

// columnOf is what a header or a flag says of a column: call, or call:ms, call_ms and call (ms).
func columnOf(name string) (c column, ok bool) {
	for unit := range units {
		if before, is := strings.CutSuffix(strings.TrimRight(strings.ToLower(name), ")]"), unit); is && before != "" && strings.ContainsAny(before[len(before)-1:], " _-:([./") {
			if c, ok := columnOf(before); ok && (c.role == callColumn || c.role == returnColumn) {
				c.unit = unit
				return c, true
			}
		}
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	for role, names := range columnNames {
		if plain != "" && slices.Contains(strings.Fields(names), plain) {
			return column{role: role}, true
		}
	}
	if number, is := strings.CutPrefix(plain, "arg"); is && number != "" && isDigits(number) {
		return column{role: argumentsColumn}, true
	}
	return column{}, false
}

// columnNamed is what --columns says.
func columnNamed(text string) (column, error) {
	if text == string(skippedColumn) {
		return column{role: skippedColumn}, nil
	}
	name, unit, given := strings.Cut(text, ":")
	c := column{role(name), unit}
	if !slices.Contains(roles, c.role) {
		return c, fmt.Errorf("--columns: a column holds one of %v, not %q%s", roles, name, wording.Hint(name, texts(roles)))
	}
	if isTime := c.role == callColumn || c.role == returnColumn; given && (!isTime || units[unit] == 0) {
		return c, fmt.Errorf("--columns: only call and return have a unit, one of ns, us, ms and s; not %q", text)
	}
	return c, nil
}

func texts(roles []role) (all []string) {
	for _, r := range roles {
		all = append(all, string(r))
	}
	return all
}

// Columns are what --columns says of the columns of a table.
type Columns struct {
	inOrder []column          // of a table without a header
	named   map[string]column // by header
}

// ParseColumns reads process,call:ms,return:ms,method,arguments,answer for a table without a header, or HEADER=COLUMN, with
// commas between them, for one that has a header.
func ParseColumns(text string) (*Columns, error) {
	c := &Columns{}
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		at := strings.LastIndexByte(part, '=')
		own, err := columnNamed(strings.TrimSpace(part[at+1:]))
		if err != nil {
			return nil, err
		}
		header := strings.TrimSpace(part[:max(at, 0)])
		switch {
		case at < 0:
			c.inOrder = append(c.inOrder, own)
		case c.named[header].role != "":
			return nil, fmt.Errorf("--columns names %q twice", header)
		default:
			if c.named == nil {
				c.named = map[string]column{}
			}
			c.named[header] = own
		}
	}
	if c.inOrder != nil && c.named != nil {
		return nil, fmt.Errorf("--columns has either columns in their order, for a table without a header, or HEADER=COLUMN; not both")
	}
	if c.inOrder != nil {
		if msg := lacks(c.inOrder); msg != "" {
			return nil, fmt.Errorf("--columns: %s", msg)
		}
	}
	return c, nil
}

// lacks says what is missing of columns, or is there too often; "" if nothing is.
func lacks(columns []column) string {
	for _, want := range []struct {
		role
		what string
	}{{callColumn, "when operations were called"}, {returnColumn, "when operations returned"}, {methodColumn, "which method was called"}} {
		if !slices.ContainsFunc(columns, func(c column) bool { return c.role == want.role }) {
			return fmt.Sprintf("no column says %s: name one %s", want.what, want.role)
		}
	}
	seen := map[role]column{}
	for _, c := range columns {
		if c.role == argumentsColumn || c.role == answerColumn || c.role == skippedColumn {
			continue // each has further values
		}
		if seen[c.role].role != "" {
			return fmt.Sprintf("two columns hold %s", c.role)
		}
		seen[c.role] = c
	}
	if call, ret := seen[callColumn].unit, seen[returnColumn].unit; call != ret {
		return fmt.Sprintf("the times of calls and of returns have different units, %q and %q", call, ret)
	}
	return ""
}
