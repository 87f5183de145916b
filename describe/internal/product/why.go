package product

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// mostTold is how many calls of a witness are written out.
const mostTold = 5

// sentence tells a witness. What it says is run once more, word for word: the search
// puts another value in the place of keys, which the type may treat otherwise.
func (w *witness) sentence(f *finder) (string, error) {
	last := len(w.word) - 1
	names := w.names(f)
	told := names.before(f, w.word[:last], w.answer)
	call := names.call(f, w.word[last])
	is := call + names.answered(answerTo(w.answer, last, returned{}))
	if slices.ContainsFunc(f.methods, func(m reference.Method) bool {
		return slices.ContainsFunc(m.Params, func(b values.Basic) bool { return strings.Contains(w.says, b.Numbered(farNumber(f.impl))) })
	}) {
		return fmt.Sprintf("it is no product with %s: %s%s, an answer with the key in it", w.roles(f), told, is), nil
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
	x, err := f.refuteWith(w.choice, []word{w.word}, false)
	if err != nil {
		return "", err
	}
	if x == nil || len(x.word) < len(w.word) || x.says != w.says {
		return w.unlike(f, names, told+is)
	}
	return fmt.Sprintf("it is no product with %s: %s%s, but %s%s %s", w.roles(f), told, is, call, names.answered(w.says), alone), nil
}

// unlike tells a witness that is one only with another value in the place of the key.
func (w *witness) unlike(f *finder, names names, is string) (string, error) {
	last := len(w.share.calls) - 1
	answers, err := f.ask([]word{w.share.calls})
	if err != nil {
		return "", err
	}
	other := names.before(f, w.share.calls[:last], answers[0]) + names.call(f, w.share.calls[last]) + names.answered(answerTo(answers[0], last, returned{}))
	return fmt.Sprintf("it is no product with %s, since it does not treat all values of that alike: %s, but with another value %s", w.roles(f), is, other), nil
}

// before tells calls that come before the last one.
func (n names) before(f *finder, calls word, answers teacher.Answers) string {
	if len(calls) == 0 {
		return ""
	}
	var told []string
	for i, c := range calls {
		told = append(told, n.call(f, c)+n.answered(answerTo(answers, i, returned{})))
	}
	if len(told) > mostTold {
		return fmt.Sprintf("after %s; and so on, %d calls: ", strings.Join(told[:2], "; "), len(told))
	}
	return "after " + strings.Join(told, "; ") + ": "
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
