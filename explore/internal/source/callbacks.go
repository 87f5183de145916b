package source

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Callbacks. A parameter that is a function is given one of a few by its number, and the operation answers how often the
// function ran before it returned, first of all.

// What a callback does: it returns 1 or the like; it returns how often it ran, or its argument and 1; it returns an error, or
// false; it panics.
const (
	constantly = "constant"
	counting   = "counting"
	failing    = "failing"
	Panicking  = "panicking"
)

// CallbackPanics is what a callback panics with.
const CallbackPanics = "the callback panics"

// callbacks lists what a function of a type may do that an operation is called with; none if it is not called with any: an
// operation without results calls a function of an argument for each of its elements, perhaps not all at the same moment.
func callbacks(t types.Type, results *types.Tuple) []string {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Variadic() || sig.Params().Len() > 1 {
		return nil
	}
	res := sig.Results()
	if sig.Params().Len() == 1 {
		transforms := res.Len() == 1 && types.Identical(res.At(0).Type(), sig.Params().At(0).Type())
		if res.Len() == 0 || results.Len() == 0 && !transforms {
			return nil
		}
	}
	if slices.ContainsFunc(resultsOf(sig), nothing) {
		return nil
	}
	all := []string{constantly}
	if slices.ContainsFunc(resultsOf(sig), isInteger) {
		all = append(all, counting)
	}
	if n := res.Len(); n > 0 && (isError(res.At(n-1).Type()) || isBool(res.At(n-1).Type())) {
		all = append(all, failing)
	}
	return append(all, Panicking)
}

// nothing reports whether a callback has nothing to return of a type but nil, which who calls it may not expect.
func nothing(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Signature, *types.Map:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Interface:
		return !u.Empty() && !isError(t)
	}
	return false
}

func resultsOf(sig *types.Signature) (all []types.Type) {
	for i := range sig.Results().Len() {
		all = append(all, sig.Results().At(i).Type())
	}
	return all
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// callback is the text of a function that does what the variable choice is the number of, and counts in the variable ran.
func (w *writer) callback(t types.Type, all []string, choice, ran string) string {
	sig := t.Underlying().(*types.Signature)
	var b strings.Builder
	param := ""
	if sig.Params().Len() == 1 {
		param = w.prefix + "In " + w.typ(sig.Params().At(0).Type())
	}
	var results []string
	for _, r := range resultsOf(sig) {
		results = append(results, w.typ(r))
	}
	fmt.Fprintf(&b, "func(%s) (%s) {\n", param, strings.Join(results, ", "))
	fmt.Fprintf(&b, "\t\t%sTimes := %s.AddInt64(&%s, 1)\n\t\tswitch _ = %sTimes; %s {\n", w.prefix, w.pkg(counter, "atomic"), ran, w.prefix, choice)
	for k, does := range all {
		fmt.Fprintf(&b, "\t\tcase %d:\n", k)
		if does == Panicking {
			fmt.Fprintf(&b, "\t\t\tpanic(%q)\n", CallbackPanics)
			continue
		}
		var values []string
		for i := range results {
			values = append(values, w.result(sig, i, does))
		}
		if len(values) > 0 {
			fmt.Fprintf(&b, "\t\t\treturn %s\n", strings.Join(values, ", "))
		}
	}
	b.WriteString("\t\t}\n")
	if len(results) > 0 {
		b.WriteString("\t\tpanic(0)\n")
	}
	b.WriteString("\t}")
	return b.String()
}

// failed writes the type of the error that callbacks return.
func (w *writer) failed() {
	if w.fails {
		fmt.Fprintf(&w.body, "type %sFailed struct{}\n\nfunc (%sFailed) Error() string { return %q }\n", w.prefix, w.prefix, "failed")
	}
}

// result is the text of what a callback returns as result i.
func (w *writer) result(sig *types.Signature, i int, does string) string {
	t, last := sig.Results().At(i).Type(), i == sig.Results().Len()-1
	zero := fmt.Sprintf("*new(%s)", w.typ(t))
	b, basic := t.Underlying().(*types.Basic)
	switch {
	case isError(t) && does == failing && last:
		w.fails = true
		return w.prefix + "Failed{}"
	case does == failing && last, does == failing && isError(sig.Results().At(sig.Results().Len()-1).Type()):
		return zero
	case isInteger(t) && does == counting:
		if sig.Params().Len() == 1 && types.Identical(sig.Params().At(0).Type(), t) {
			return w.prefix + "In + 1"
		}
		return fmt.Sprintf("%s(%sTimes)", w.typ(t), w.prefix)
	case basic && b.Info()&types.IsNumeric != 0:
		return fmt.Sprintf("%s(1)", w.typ(t))
	case isBool(t):
		return fmt.Sprintf("%s(true)", w.typ(t))
	case isString(t):
		return fmt.Sprintf("%s(%q)", w.typ(t), "a")
	}
	if u, ok := t.Underlying().(*types.Interface); ok && u.Empty() {
		return "1"
	}
	return zero
}
