package historytest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

func answer(next string, out history.Outcome, rets ...history.Value) []Way {
	return []Way{{out, rets, next}}
}

// found answers with a value, or nil if there is none.
func found(next string, v history.Value) []Way {
	if v == "" {
		return answer(next, history.Nil)
	}
	return answer(next, history.Some, v)
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

// container holds values in the order in which they came. A call with an
// argument brings one; others take the one at a place, counted from the end if
// it is negative.
func container(at int) Model {
	return func(s string, l *history.Label) []Way {
		if len(l.Args) > 0 {
			return answer(s+string(l.Args[0])+",", history.None)
		}
		vs := held(s)
		if len(vs) == 0 {
			return found(s, "")
		}
		i := (at + len(vs)) % len(vs)
		v := vs[i]
		return found(state(slices.Delete(vs, i, i+1)), v)
	}
}

// register holds the value written last.
func register(s string, l *history.Label) []Way {
	if l.Method == "write" {
		return answer(string(l.Args[0]), history.None)
	}
	return found(s, history.Value(s))
}

// set answers with the value if it was there before the call.
func set(s string, l *history.Label) []Way {
	vs, v := held(s), l.Args[0]
	at, in := slices.BinarySearch(vs, v)
	switch {
	case in && l.Method == "remove":
		return found(state(slices.Delete(vs, at, at+1)), v)
	case in:
		return found(s, v)
	case l.Method == "insert":
		vs = slices.Insert(vs, at, v)
	}
	return found(state(vs), "")
}

// plainSet is a set whose changes answer nothing.
func plainSet(s string, l *history.Label) []Way {
	call := *l
	if l.Method == "add" {
		call.Method = "insert"
	}
	w := set(s, &call)[0]
	switch {
	case l.Method != "contains":
		return answer(w.Next, history.None)
	case w.Outcome == history.Some:
		return answer(w.Next, history.True)
	}
	return answer(w.Next, history.False)
}

// presence is plainSet with other names.
func presence(s string, l *history.Label) []Way {
	call := *l
	call.Method = map[string]string{"join": "add", "leave": "remove", "online": "contains"}[l.Method]
	return plainSet(s, &call)
}

// hashmap holds keys and values in turn.
func hashmap(s string, l *history.Label) []Way {
	vs := held(s)
	for i := 0; i < len(vs); i += 2 {
		switch {
		case vs[i] != l.Args[0]:
		case l.Method == "loadAndDelete":
			v := vs[i+1]
			return found(state(slices.Delete(vs, i, i+2)), v)
		default:
			return found(s, vs[i+1])
		}
	}
	if l.Method == "loadOrStore" {
		s += state(l.Args)
	}
	return found(s, "")
}

// lock holds the key of its holder, and answers with the one it had.
func lock(s string, l *history.Label) []Way {
	switch {
	case l.Method == "unlock":
		return found("", history.Value(s))
	case s == "":
		return found(string(l.Args[0]), "")
	}
	return found(s, history.Value(s))
}

// semaphore has room for n tickets; other calls wait.
func semaphore(n int) Model {
	return func(s string, l *history.Label) []Way {
		vs := held(s)
		at := slices.Index(vs, l.Args[0])
		switch {
		case l.Method == "acquire" && len(vs) < n:
			return answer(state(append(vs, l.Args[0])), history.None)
		case l.Method == "release" && at >= 0:
			return answer(state(slices.Delete(vs, at, at+1)), history.None)
		}
		return nil
	}
}

// priorityQueue is a bag from which the largest number comes first.
func priorityQueue(s string, l *history.Label) []Way {
	ways := bag(s, l)
	if l.Method != "remove" && l.Method != "peek" || len(held(s)) == 0 {
		return ways
	}
	size := func(w Way) int { n, _ := strconv.Atoi(string(w.Rets[0])); return n }
	best := slices.MaxFunc(ways, func(a, b Way) int { return size(a) - size(b) })
	return []Way{best}
}

// bag holds values in no order: remove takes any, peek answers any, empty tells
// whether there is none, and has whether one is there.
func bag(s string, l *history.Label) (all []Way) {
	vs := held(s)
	switch {
	case l.Method == "add":
		at, _ := slices.BinarySearch(vs, l.Args[0])
		return answer(state(slices.Insert(vs, at, l.Args[0])), history.None)
	case l.Method == "empty" && len(vs) == 0:
		return answer(s, history.True)
	case l.Method == "has" && slices.Contains(vs, l.Args[0]):
		return answer(s, history.True)
	case l.Method == "empty" || l.Method == "has":
		return answer(s, history.False)
	case len(vs) == 0:
		return found(s, "")
	}
	for i, v := range vs {
		next := s
		if l.Method == "remove" {
			next = state(slices.Delete(slices.Clone(vs), i, i+1))
		}
		if i == 0 || v != vs[i-1] {
			all = append(all, found(next, v)...)
		}
	}
	return all
}
