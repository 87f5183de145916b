package historytest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// Public is a history that others recorded, with the verdict that they published.
type Public struct {
	File         string `json:"file"`
	Format       string `json:"format"` // porcupine-etcd, porcupine-kv or edn
	Type         string `json:"type"`   // cas-register, mutex or kv (append)
	Linearizable bool   `json:"linearizable"`
}

// PublicHistories lists the public histories kept beside the project. Without them
// the test is skipped.
func PublicHistories(tb testing.TB) (all []Public) {
	tb.Helper()
	truth, err := os.ReadFile(Shared(tb, "public/truth.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range bytes.Lines(truth) {
		var p Public
		if err := json.Unmarshal(line, &p); err != nil {
			tb.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// Read reads the history with the methods of the built-in models of its type.
func (p *Public) Read(tb testing.TB) *history.Execution {
	tb.Helper()
	return ReadClients(tb, Shared(tb, filepath.Join("public", p.File)), p.Format)
}

// clientEvent is a line or a map of a client's log. An operation fails, or nobody
// knows (info).
type clientEvent struct{ process, what, method, key, value string }

var (
	comment    = regexp.MustCompile(`(?m)^\s*;.*$`)
	jepsenLine = regexp.MustCompile(`(?m)^INFO +jepsen\.util - (\d+)\s+:(\w+)\s+:(\w+)\s+(.*)$`)
	ednMap     = regexp.MustCompile(`\{[^{}]*\}`)
	ednField   = regexp.MustCompile(`:(process|type|f|key|value)\s+:?("[^"]*"|\[[^\]]*\]|[^\s,}]+)`)
)

func clientEvents(text, format string) (all []clientEvent) {
	if format == "porcupine-etcd" {
		for _, m := range jepsenLine.FindAllStringSubmatch(text, -1) {
			all = append(all, clientEvent{process: m[1], what: m[2], method: m[3], value: m[4]})
		}
		return all
	}
	for _, m := range ednMap.FindAllString(comment.ReplaceAllString(text, ""), -1) {
		field := map[string]string{}
		for _, f := range ednField.FindAllStringSubmatch(m, -1) {
			field[f[1]] = f[2]
		}
		all = append(all, clientEvent{field["process"], field["type"], field["f"], field["key"], field["value"]})
	}
	return all
}

// ReadClients reads what clients of a register, store or mutex logged. Nobody knows
// of an operation without an answer whether it took effect. A compare-and-swap that
// failed answered false in porcupine-etcd; other failed operations, and in edn all,
// did nothing. In edn a read of nil read what is not known.
func ReadClients(tb testing.TB, path, format string) *history.Execution {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	e := &history.Execution{}
	running, dropped := map[string]int{}, map[int]bool{}
	for _, ev := range clientEvents(string(text), format) {
		i, runs := running[ev.process]
		switch {
		case ev.process == "nemesis":
		case ev.what == "invoke":
			running[ev.process] = len(e.Ops)
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Process: ev.process, Call: e.Events, Return: history.NoReturn,
				Label: history.Label{Kind: history.Kind{Method: ev.method}, Args: ev.args()}})
			e.Events++
		case !runs || ev.what == "info":
			delete(running, ev.process)
		default:
			o := &e.Ops[i]
			o.Return, o.Outcome, o.Rets = e.Events, ev.outcome(format), ev.rets()
			if o.Outcome != history.Some {
				o.Rets = nil
			}
			dropped[i] = o.Outcome == history.Pending
			e.Events++
			delete(running, ev.process)
		}
	}
	return without(e, dropped)
}

func unquoted(text string) history.Value {
	if v, err := strconv.Unquote(text); err == nil {
		text = v
	}
	return history.Value(text)
}

func (ev *clientEvent) args() (args []history.Value) {
	if ev.key != "" {
		args = append(args, unquoted(ev.key))
	}
	switch ev.method {
	case "cas":
		for _, v := range strings.Fields(strings.Trim(ev.value, "[]")) {
			args = append(args, history.Value(v))
		}
	case "write", "put", "append":
		args = append(args, unquoted(ev.value))
	}
	return args
}

func (ev *clientEvent) rets() []history.Value { return []history.Value{unquoted(ev.value)} }

// outcome is Pending if the operation says nothing.
func (ev *clientEvent) outcome(format string) history.Outcome {
	switch reads := ev.method == "read" || ev.method == "get"; {
	case ev.what == "fail" && ev.method == "cas" && format != "edn":
		return history.False
	case ev.what == "fail", reads && ev.value == "nil" && format == "edn":
		return history.Pending
	case reads && ev.value == "nil":
		return history.Nil
	case reads:
		return history.Some
	case ev.method == "cas":
		return history.True
	}
	return history.None
}

// without leaves operations out and numbers the other events anew.
func without(e *history.Execution, dropped map[int]bool) *history.Execution {
	type event struct{ at, op int }
	var events []event
	kept := &history.Execution{}
	for i, o := range e.Ops {
		if dropped[i] {
			continue
		}
		events = append(events, event{o.Call, len(kept.Ops)})
		if o.Completed() {
			events = append(events, event{o.Return, len(kept.Ops)})
		}
		kept.Ops = append(kept.Ops, o)
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for n, ev := range events {
		if o := &kept.Ops[ev.op]; o.Call == ev.at {
			o.Call = n
		} else {
			o.Return = n
		}
	}
	kept.Events = len(events)
	return kept
}
