package theories_test

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// model is an executable data type: what a call answers in a state, and the
// state after it; ok is false while the call has to wait. States are the values
// held, each followed by a comma.
type model func(state string, l *history.Label) (out history.Outcome, rets []history.Value, next string, ok bool)

// admits tells whether an operation may answer as it does, and the state after it.
func (m model) admits(state string, l *history.Label) (next string, ok bool) {
	out, rets, next, ok := m(state, l)
	return next, ok && out == l.Outcome && slices.Equal(rets, l.Rets)
}

// admitsAll tells whether a sequence of operations is admitted.
func (m model) admitsAll(labels []history.Label) bool {
	state, ok := "", true
	for i := range labels {
		if state, ok = m.admits(state, &labels[i]); !ok {
			return false
		}
	}
	return true
}

func found(v history.Value) (history.Outcome, []history.Value) {
	if v == "" {
		return history.Nil, nil
	}
	return history.Some, []history.Value{v}
}

// held and state go from the text of a state to its values and back.
func held(state string) []history.Value {
	var vs []history.Value
	for _, v := range strings.FieldsFunc(state, func(r rune) bool { return r == ',' }) {
		vs = append(vs, history.Value(v))
	}
	return vs
}

func state(vs []history.Value) string {
	var b strings.Builder
	for _, v := range vs {
		b.WriteString(string(v) + ",")
	}
	return b.String()
}

// container is a queue if at is 0, and a stack if it is -1.
func container(at int) model {
	return func(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
		vs := held(s)
		if l.Method == "add" {
			return history.None, nil, state(append(vs, l.Args[0])), true
		}
		if len(vs) == 0 {
			return history.Nil, nil, s, true
		}
		i := (at + len(vs)) % len(vs)
		out, rets := found(vs[i])
		return out, rets, state(slices.Delete(vs, i, i+1)), true
	}
}

func registerModel(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
	if l.Method == "write" {
		return history.None, nil, string(l.Args[0]), true
	}
	out, rets := found(history.Value(s))
	return out, rets, s, true
}

func setModel(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
	vs, v := held(s), l.Args[0]
	at, in := slices.BinarySearch(vs, v)
	out, rets := found("")
	switch {
	case in:
		out, rets = found(v)
		if l.Method == "remove" {
			vs = slices.Delete(vs, at, at+1)
		}
	case l.Method == "insert":
		vs = slices.Insert(vs, at, v)
	}
	return out, rets, state(vs), true
}

func plainSetModel(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
	method := *l
	if l.Method == "add" {
		method.Method = "insert"
	}
	out, _, next, _ := setModel(s, &method)
	switch {
	case l.Method != "contains":
		return history.None, nil, next, true
	case out == history.Some:
		return history.True, nil, next, true
	}
	return history.False, nil, next, true
}

func lockModel(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
	out, rets := found(history.Value(s))
	switch {
	case l.Method == "unlock":
		return out, rets, "", true
	case s == "":
		return out, rets, string(l.Args[0]), true
	}
	return out, rets, s, true
}

// semaphoreModel has room for n tickets.
func semaphoreModel(n int) model {
	return func(s string, l *history.Label) (history.Outcome, []history.Value, string, bool) {
		vs := held(s)
		at := slices.Index(vs, l.Args[0])
		switch {
		case l.Method == "acquire" && len(vs) < n:
			return history.None, nil, state(append(vs, l.Args[0])), true
		case l.Method == "release" && at >= 0:
			return history.None, nil, state(slices.Delete(vs, at, at+1)), true
		}
		return "", nil, s, false
	}
}

// linearizable searches all linearizations of an execution, pending operations
// taken in or left out, for one that the model admits.
func (m model) linearizable(e *history.Execution) bool {
	failed := map[string]bool{}
	done := make([]byte, len(e.Ops))
	var search func(state string) bool
	search = func(state string) bool {
		key := string(done) + state
		if failed[key] {
			return false
		}
		complete := true
		for i := range e.Ops {
			complete = complete && (done[i] == 1 || !e.Ops[i].Completed())
		}
		for i := range e.Ops {
			o := &e.Ops[i]
			if complete || done[i] == 1 || !first(e, done, i) {
				continue
			}
			out, rets, next, ok := m(state, &o.Label)
			if !ok || o.Completed() && (out != o.Outcome || !slices.Equal(rets, o.Rets)) {
				continue
			}
			done[i] = 1
			complete = search(next)
			done[i] = 0
		}
		failed[key] = !complete
		return complete
	}
	return search("")
}

// first tells whether everything before operation i is done.
func first(e *history.Execution, done []byte, i int) bool {
	for j := range e.Ops {
		if done[j] == 0 && e.Before(j, i) {
			return false
		}
	}
	return true
}

// shortestViolation is the number of events of the first prefix that is not
// linearizable, or 0.
func (m model) shortestViolation(e *history.Execution) int {
	if m.linearizable(e) {
		return 0
	}
	for n := 1; ; n++ {
		if !m.linearizable(e.Prefix(n)) {
			return n
		}
	}
}
