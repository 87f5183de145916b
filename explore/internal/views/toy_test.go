package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// toy is a set, stack, queue, cell, or a count modulo 4 of waits since the last fire as an observer: a list of
// values in words. Those of a cell are what its condition looks at and its value.
type toy struct {
	kind    string
	shared  *machine.Shared
	list    *spec.List
	numbers map[string]int32
	states  []string
}

func (o *toy) number(state []string) int32 {
	text := strings.Join(state, " ")
	n, ok := o.numbers[text]
	if !ok {
		n = int32(len(o.states))
		o.numbers[text] = n
		o.states = append(o.states, text)
	}
	return n
}

func (o *toy) Start() int32 {
	switch o.kind {
	case "flagged":
		return o.number([]string{"true", "1"})
	case "controlled":
		return o.number([]string{"1", "1"})
	}
	return o.number(nil)
}

func (o *toy) Step(state, call, answer int32) (int32, bool, error) {
	has := strings.Fields(o.states[state])
	l, r := o.list.Labels[call], o.shared.Result(answer)
	next, want := apply(o.kind, l.Method, fmt.Sprint(l.Args), has)
	if got := strings.Join(r.Values, " "); r.Panic != "" || got != want {
		return 0, false, nil
	}
	return o.number(next), true, nil
}

// apply is what an operation does, and its results.
func apply(kind, method, arg string, has []string) ([]string, string) {
	arg = strings.Trim(arg, "[]")
	next := slices.Clone(has)
	if kind == "set" {
		i, is := slices.BinarySearch(has, arg)
		switch {
		case method == "add" && !is:
			return slices.Insert(next, i, arg), "true"
		case method == "remove" && is:
			return slices.Delete(next, i, i+1), "true"
		case method == "contains" && is:
			return next, "true"
		}
		return next, "false"
	}
	switch args := strings.Fields(arg); {
	case method == "setFlag" || method == "setControl":
		return []string{arg, has[1]}, ""
	case method == "read":
		return next, has[1]
	case method == "ccas" && has[0] == "true" && has[1] == args[0]:
		return []string{has[0], args[1]}, has[1]
	case method == "rdcss" && has[0] == args[0] && has[1] == args[1]:
		return []string{has[0], args[2]}, has[1]
	case method == "ccas" || method == "rdcss":
		return next, has[1]
	case method == "fire":
		return nil, ""
	case method == "call":
		return next, ""
	case method == "wait" && len(has) == 3 && kind != "endless":
		return nil, ""
	case method == "wait":
		return append(next, "wait"), ""
	case method == "push" || method == "enqueue":
		return append(next, arg), ""
	case len(has) == 0:
		return next, "0 false"
	case kind == "stack":
		return next[:len(has)-1], has[len(has)-1] + " true"
	}
	return next[1:], has[0] + " true"
}
