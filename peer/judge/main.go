// Command judge has Porcupine decide a history: go run ./judge MODEL LIMIT < LOG. The
// model is queue, stack, register, cas-register(0) or set, as a user of Porcupine writes it;
// the log has the format that adtinfer writes. It prints the verdict, the time of the
// search and how much it allocated, as JSON. Pending operations return at the end.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

func main() {
	said, err := run(os.Args[1:], os.Stdin)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(said)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

// judgement is what is printed.
type judgement struct {
	Verdict   string
	Seconds   float64
	Allocated uint64
}

func run(args []string, log io.Reader) (said judgement, err error) {
	if len(args) != 2 {
		return said, errors.New("usage: judge MODEL LIMIT < LOG")
	}
	m, ok := models[args[0]]
	limit, err := time.ParseDuration(args[1])
	if !ok || err != nil {
		return said, fmt.Errorf("no model %q, or no time %q", args[0], args[1])
	}
	sig, err := history.NewSignature(wgl.Methods(args[0])...)
	if err != nil {
		return said, err
	}
	e, err := history.ReadLog(log, "the history", sig)
	if err != nil {
		return said, err
	}
	ops := make([]porcupine.Operation, len(e.Ops))
	for i := range e.Ops {
		o := &e.Ops[i]
		ops[i] = porcupine.Operation{Input: &o.Label, Output: &o.Label, Call: int64(o.Call), Return: int64(o.Return)}
		if !o.Completed() {
			ops[i].Return = int64(e.Events + i)
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	verdict := porcupine.CheckOperationsTimeout(m, ops, limit)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	words := map[porcupine.CheckResult]string{porcupine.Ok: "linearizable", porcupine.Illegal: "violation", porcupine.Unknown: "unknown"}
	return judgement{words[verdict], took.Seconds(), after.TotalAlloc - before.TotalAlloc}, nil
}

// step is what an operation does to a state, and whether it may answer as it does.
func step[S any](init S, f func(s S, l *history.Label) (bool, S)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return init },
		Step: func(state, input, _ any) (bool, any) { return f(state.(S), input.(*history.Label)) },
	}
}

var models = map[string]porcupine.Model{
	"queue":           step("", func(s string, l *history.Label) (bool, string) { return collection(s, l, true) }),
	"stack":           step("", func(s string, l *history.Label) (bool, string) { return collection(s, l, false) }),
	"register":        step(history.Value(""), register),
	"cas-register(0)": step(history.Value("0"), register),
	"set":             set(),
}

// collection has its values as text, each with a blank behind.
func collection(s string, l *history.Label, first bool) (bool, string) {
	if l.Method == "add" {
		return true, s + string(l.Args[0]) + " "
	}
	switch {
	case l.Outcome == history.Pending && s == "", l.Outcome == history.Nil:
		return s == "", s
	case first:
		v, rest, _ := strings.Cut(s, " ")
		return l.Outcome == history.Pending || s != "" && v == string(l.Rets[0]), rest
	}
	rest := s[:strings.LastIndexByte(strings.TrimSuffix(s, " "), ' ')+1]
	return l.Outcome == history.Pending || s != "" && s[len(rest):] == string(l.Rets[0])+" ", rest
}

// register holds a value, "" at first.
func register(s history.Value, l *history.Label) (bool, history.Value) {
	pending := l.Outcome == history.Pending
	switch l.Method {
	case "write", "store":
		return true, l.Args[0]
	case "read", "load":
		return pending || (s == "") == (l.Outcome == history.Nil) && (s == "" || s == l.Rets[0]), s
	}
	if s == l.Args[0] {
		return pending || l.Outcome == history.True, l.Args[1]
	}
	return pending || l.Outcome == history.False, s
}

// set is searched value by value.
func set() porcupine.Model {
	m := step(false, func(there bool, l *history.Label) (bool, bool) {
		ok := l.Outcome == history.Pending || there == (l.Outcome == history.Some)
		if l.Method == "contains" {
			return ok, there
		}
		return ok, l.Method == "insert"
	})
	m.Partition = func(ops []porcupine.Operation) [][]porcupine.Operation {
		parts := map[history.Value][]porcupine.Operation{}
		for _, o := range ops {
			v := o.Input.(*history.Label).Args[0]
			parts[v] = append(parts[v], o)
		}
		all := make([][]porcupine.Operation, 0, len(parts))
		for _, p := range parts {
			all = append(all, p)
		}
		return all
	}
	return m
}
