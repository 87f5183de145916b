package product

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// mostTold is how many calls of a witness are written out.
const mostTold = 5

// sentence tells a witness.
func (w *witness) sentence(f *finder) string {
	last := len(w.word) - 1
	names := w.names(f)
	var before []string
	for i := range last {
		before = append(before, names.call(f, w.word[i])+names.answered(answerTo(w.answer, i, returned{})))
	}
	told := strings.Join(before, "; ")
	if len(before) > mostTold {
		told = fmt.Sprintf("%s; and so on, %d calls", strings.Join(before[:2], "; "), last)
	}
	if told != "" {
		told = "after " + told + ": "
	}
	call := names.call(f, w.word[last])
	is := call + names.answered(answerTo(w.answer, last, returned{}))
	if slices.ContainsFunc(f.methods, func(m reference.Method) bool {
		return slices.ContainsFunc(m.Params, func(b values.Basic) bool { return strings.Contains(w.says, b.Numbered(farNumber(f.impl))) })
	}) {
		return fmt.Sprintf("it is no product with %s: %s%s, an answer with the key in it", w.roles(f), told, is)
	}
	alone := "without the calls of other keys"
	switch r := w.choice[w.word[last].Method]; {
	case r.KeyRole == theory.SumOfAll:
		alone = "if what each key has is added up"
	case w.share.rest:
		alone = "for a key that no call has"
	case r.KeyRole == theory.InAll:
		alone = "with the calls of one key alone"
	}
	return fmt.Sprintf("it is no product with %s: %s%s, but %s%s %s", w.roles(f), told, is, call, names.answered(w.says), alone)
}

// roles says which keys were tried.
func (w *witness) roles(f *finder) string {
	var parts []string
	var by [][]string // names of methods, by argument
	for m, r := range w.choice {
		if r.KeyRole == theory.ByKey {
			for len(by) <= r.arg {
				by = append(by, nil)
			}
			by[r.arg] = append(by[r.arg], f.methods[m].Name)
		}
	}
	for arg, names := range by {
		if len(names) > 0 {
			parts = append(parts, "argument "+strconv.Itoa(arg+1)+" of "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, " and ") + " as the key"
}

// names gives the values of a witness short names, but special ones.
type names map[history.Value]string

func (w *witness) names(f *finder) names {
	n := names{}
	for _, c := range w.word {
		for p, v := range c.Args {
			if n[v] == "" && !slices.Contains(special(f.methods[c.Method].Params[p]), v) {
				n[v] = name(len(n))
			}
		}
	}
	return n
}

func name(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return "x" + strconv.Itoa(n)
}

func (n names) of(v history.Value) string {
	if s, ok := n[v]; ok {
		return s
	}
	if v == "" {
		return `""`
	}
	return string(v)
}

// call is a call as text.
func (n names) call(f *finder, c teacher.Call) string {
	if len(c.Args) == 0 {
		return f.methods[c.Method].Name
	}
	var args []string
	for _, v := range c.Args {
		args = append(args, n.of(v))
	}
	return f.methods[c.Method].Name + "(" + strings.Join(args, ", ") + ")"
}

// answered is an answer, as text, behind a call.
func (n names) answered(text string) string {
	switch text {
	case "":
		return ""
	case waits:
		return " " + text
	}
	parts := strings.Split(text, ", ")
	for i, p := range parts {
		parts[i] = n.of(history.Value(p))
	}
	return " => " + strings.Join(parts, ", ")
}
