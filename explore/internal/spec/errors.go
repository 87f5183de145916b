package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// ErrorText is what the error of an answer says, or the one that it wraps; "" if it has none.
func (l *List) ErrorText(r *machine.Result) string {
	if r.Panic != "" || l.outcome(r).Outcome != history.Error {
		return ""
	}
	return innermost(r)
}

// errorText is what an error says, if errors.New or fmt.Errorf made it; else it is the error's value.
func errorText(r *machine.Result) string {
	text, _ := saysAndWraps(r)
	return text
}

// innermost is the text of the error that an error wraps, or its own.
func innermost(r *machine.Result) string {
	text, wrapped := saysAndWraps(r)
	for wrapped != "" {
		text, wrapped = messageOf(wrapped)
	}
	return text
}

func saysAndWraps(r *machine.Result) (text, wrapped string) {
	if text = r.Values[len(r.Values)-1]; !plain(r) {
		return text, ""
	}
	return messageOf(text)
}

// plain reports whether all that interfaces of an answer hold was made by errors.New or fmt.Errorf.
func plain(r *machine.Result) bool {
	for _, name := range strings.Fields(r.Dynamics) {
		if name != machine.Nil && name != "*errors.errorString" && name != "*fmt.fmtError" && name != "*fmt.wrapError" && name != "*fmt.wrapErrors" {
			return false
		}
	}
	return true
}

// text is result i as specifications have it: an error is what it says, if that is known.
func (o *operation) text(r *machine.Result, i int) string {
	if isError(&o.results[i]) && plain(r) {
		text, _ := messageOf(r.Values[i])
		return text
	}
	return textOf(&o.results[i], r.Values[i])
}

// Unsaid is the place, from 1 on, of a value of an answer that is or has an error of which nobody knows what it says, and a
// specification has just that; 0: there is none.
func (l *List) Unsaid(r *machine.Result) int {
	if r.Panic != "" || r.Dynamics == "" {
		return 0
	}
	o := &l.ops[r.Op]
	for i := range l.outcome(r).Rets {
		if f := &o.results[i]; isError(f) && !plain(r) && r.Values[i] != "nil" || !isError(f) && hasError(f, 0) {
			return i + 1
		}
	}
	return 0
}

func isError(f *ir.Form) bool { return f.Of == ir.InterfaceOf && f.Name == "error" }

// hasError reports whether values of a form may have errors in them.
func hasError(f *ir.Form, depth int) bool {
	return isError(f) || depth < 8 && slices.ContainsFunc(f.Parts, func(p ir.Form) bool { return hasError(&p, depth+1) })
}

// messageOf reads what an error of errors.New or fmt.Errorf is, &{message} or &{message &{...}}.
func messageOf(text string) (message, wrapped string) {
	rest := strings.TrimPrefix(text, "&{")
	switch quoted, err := strconv.QuotedPrefix(rest); {
	case err == nil:
		message, _ = strconv.Unquote(quoted)
		rest = rest[len(quoted):]
	default:
		end := strings.IndexAny(rest, " }")
		if end < 0 {
			return text, ""
		}
		message, rest = rest[:end], rest[end:]
	}
	if wrapped, ok := strings.CutPrefix(rest, " "); ok && strings.HasPrefix(wrapped, "&{") {
		return message, strings.TrimSuffix(wrapped, "}")
	}
	return message, ""
}
