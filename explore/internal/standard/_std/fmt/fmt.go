// Package fmt is what fmt is to the explorer: it prints numbers, bools, strings, slices of these,
// errors and Stringers as they are, and other values as the name of their type.
package fmt

import "io"

// split takes apart a format: text, the next verb, and where to go on.
func split(format string, at int) (text, verb string, next int)

// format prints a value by a verb.
func format(verb string, v any) string

func isString(v any) bool

// one prints an operand.
func one(verb string, v any) string {
	switch verb[len(verb)-1] {
	case 'v', 's', 'q', 'x', 'X', 'd':
		if verb == "%#v" {
			if g, ok := v.(GoStringer); ok {
				return g.GoString()
			}
			break
		}
		if verb[len(verb)-1] == 'd' {
			if x, ok := v.([]int); ok {
				return several(verb, x)
			}
			break
		}
		switch x := v.(type) {
		case error:
			return format(verb, x.Error())
		case Stringer:
			return format(verb, x.String())
		case []byte:
			if verb[len(verb)-1] != 'v' {
				return format(verb, string(x))
			}
			return several(verb, x)
		case []int:
			return several(verb, x)
		case []string:
			return several(verb, x)
		case []any:
			return several(verb, x)
		}
	}
	return format(verb, v)
}

// several prints the elements of a slice.
func several[T any](verb string, list []T) string {
	out := "["
	for i, v := range list {
		if i > 0 {
			out += " "
		}
		out += one(verb, v)
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
			out += one("%v", a[used])
			used++
		default:
			out += one(verb, a[used])
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
			out += one("%v", v)
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
		out += one("%v", v)
	}
	return out
}

func Sprintln(a ...any) string {
	out := ""
	for i, v := range a {
		if i > 0 {
			out += " "
		}
		out += one("%v", v)
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
