// Package fmt is what fmt is to the explorer: it prints everything as it is, but for pointers, which are
// the name of their type, and values in Go syntax.
package fmt

import "io"

// split takes apart a format: text, the next verb, and where to go on.
func split(format string, at int) (text, verb string, next int)

// format prints a value by a verb.
func format(verb string, v any) string

func isString(v any) bool

// shape is 1 for structs, 2 for arrays and slices, 3 for maps.
func shape(v any) int

// parts lists what such a value consists of, of a map keys and elements in turn.
func parts(v any) []any

// field names a field of a struct.
func field(v any, i int) string

func isBytes(v any) bool

// less orders keys of maps.
func less(a, b any) bool

// one prints an operand. What is in fields that are not exported is raw: its methods are not
// asked.
func one(verb string, v any, raw bool) string {
	last := verb[len(verb)-1]
	switch last {
	case 'v', 's', 'q', 'x', 'X':
		if text, ok := said(verb, v); ok && !raw {
			return text
		}
	case 'T', 'p':
		return format(verb, v)
	}
	kind := shape(v)
	switch {
	case kind == 0 || verb == "%#v":
		return format(verb, v)
	case isBytes(v) && last != 'v' && last != 'd':
		text := ""
		for _, b := range parts(v) {
			text += string([]byte{b.(byte)})
		}
		return format(verb, text)
	case kind == 1:
		return structure(verb, v, raw)
	case kind == 3:
		return entries(verb, v, raw)
	}
	out := "["
	for i, x := range parts(v) {
		if i > 0 {
			out += " "
		}
		out += one(verb, x, raw)
	}
	return out + "]"
}

// said is what a value says of itself.
func said(verb string, v any) (text string, ok bool) {
	if verb == "%#v" {
		if g, ok := v.(GoStringer); ok {
			return g.GoString(), true
		}
		return "", false
	}
	switch x := v.(type) {
	case error:
		return format(verb, x.Error()), true
	case Stringer:
		return format(verb, x.String()), true
	}
	return "", false
}

func structure(verb string, v any, raw bool) string {
	out := "{"
	for i, x := range parts(v) {
		if i > 0 {
			out += " "
		}
		name := field(v, i)
		if verb == "%+v" {
			out += name + ":"
		}
		out += one(verb, x, raw || name[0] == '_' || name[0] >= 'a' && name[0] <= 'z')
	}
	return out + "}"
}

func entries(verb string, v any, raw bool) string {
	list := parts(v)
	for i := 2; i < len(list); i += 2 {
		for j := i; j > 0 && less(list[j], list[j-2]); j -= 2 {
			list[j], list[j-2], list[j+1], list[j-1] = list[j-2], list[j], list[j-1], list[j+1]
		}
	}
	out := "map["
	for i := 0; i < len(list); i += 2 {
		if i > 0 {
			out += " "
		}
		out += one(verb, list[i], raw) + ":" + one(verb, list[i+1], raw)
	}
	return out + "]"
}

// printed prints operands by a format, and lists those of %w.
func printed(formatted string, a []any) (out string, wrapped []error) {
	used := 0
	for at := 0; at < len(formatted); {
		text, verb, next := split(formatted, at)
		out, at = out+text, next
		switch {
		case verb == "":
		case verb == "%":
			out += verb
		case verb == "!":
			out += "%!(NOVERB)"
		case used == len(a):
			out += "%!" + verb[1:] + "(MISSING)"
		case verb == "%w":
			if err, ok := a[used].(error); ok {
				wrapped = append(wrapped, err)
			}
			out += one("%v", a[used], false)
			used++
		default:
			out += one(verb, a[used], false)
			used++
		}
	}
	if used < len(a) {
		out += "%!(EXTRA "
		for i, v := range a[used:] {
			if i > 0 {
				out += ", "
			}
			if v != nil {
				out += format("%T", v) + "="
			}
			out += one("%v", v, false)
		}
		out += ")"
	}
	return out, wrapped
}

func Sprintf(format string, a ...any) string {
	out, _ := printed(format, a)
	return out
}

func Sprint(a ...any) string {
	out := ""
	for i, v := range a {
		if i > 0 && !isString(v) && !isString(a[i-1]) {
			out += " "
		}
		out += one("%v", v, false)
	}
	return out
}

func Sprintln(a ...any) string {
	out := ""
	for i, v := range a {
		if i > 0 {
			out += " "
		}
		out += one("%v", v, false)
	}
	return out + "\n"
}

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }
func (e *wrapError) Unwrap() error { return e.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (e *wrapErrors) Error() string   { return e.msg }
func (e *wrapErrors) Unwrap() []error { return e.errs }

type fmtError struct{ s string }

func (e *fmtError) Error() string { return e.s }

func Errorf(format string, a ...any) (err error) {
	text, wrapped := printed(format, a)
	switch len(wrapped) {
	case 0:
		return &fmtError{text}
	case 1:
		return &wrapError{text, wrapped[0]}
	}
	return &wrapErrors{text, wrapped}
}

func Append(b []byte, a ...any) []byte                 { return append(b, Sprint(a...)...) }
func Appendf(b []byte, format string, a ...any) []byte { return append(b, Sprintf(format, a...)...) }
func Appendln(b []byte, a ...any) []byte               { return append(b, Sprintln(a...)...) }

func Fprint(w io.Writer, a ...any) (n int, err error)   { return io.WriteString(w, Sprint(a...)) }
func Fprintln(w io.Writer, a ...any) (n int, err error) { return io.WriteString(w, Sprintln(a...)) }
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	return io.WriteString(w, Sprintf(format, a...))
}

func Print(a ...any) (n int, err error)                 { return len(Sprint(a...)), nil }
func Println(a ...any) (n int, err error)               { return len(Sprintln(a...)), nil }
func Printf(format string, a ...any) (n int, err error) { return len(Sprintf(format, a...)), nil }
