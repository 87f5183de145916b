package theory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// machine is what the operations of one key are: a random machine with six states,
// written as numbers, the first "" or 0. Half of a state is what tick alone leads to.
type machine struct {
	act  [2][3][6]int // by 0 or value, third of the state
	yes  [2][3][6]bool
	tick [6]int
	size [6]int
}

func newMachine(r *rand.Rand) *machine {
	m := &machine{}
	for s := range 6 {
		for v := range 3 {
			for k := range 2 {
				m.act[k][v][s], m.yes[k][v][s] = r.IntN(3)*2+s%2, r.IntN(2) == 0
			}
		}
		m.tick[s], m.size[s] = r.IntN(3)*2+1-s%2, r.IntN(3)
	}
	for s := range 6 {
		m.size[s] *= 1 - m.untouched(s)
	}
	return m
}

// untouched is 1 for the states that ticks alone lead to.
func (m *machine) untouched(state int) int {
	at := 0
	for range 7 {
		if at == state {
			return 1
		}
		at = m.tick[at]
	}
	return 0
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

// part is the machine as a data type.
func (m *machine) part(state string, l *history.Label) []historytest.Way {
	s := number(state)
	told := func(yes bool, next int) []historytest.Way {
		return []historytest.Way{{Outcome: map[bool]history.Outcome{true: history.True, false: history.False}[yes], Next: strconv.Itoa(next)}}
	}
	switch l.Method {
	case "tick":
		return told(s%2 == 0, m.tick[s])
	case "flip":
		return told(m.yes[0][0][s], m.act[0][0][s])
	case "put":
		v := number(string(l.Args[0]))
		if m.yes[1][v][s] {
			return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{"key"}, Next: strconv.Itoa(m.act[1][v][s])}}
		}
		return told(m.yes[1][v][s], m.act[1][v][s])
	}
	return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(m.size[s]))}, Next: state}}
}

// whole is the product, written without theory.Product: its state is what tick led
// to, and key=state for each key that was touched.
func (m *machine) whole(state string, l *history.Label) []historytest.Way {
	fields := strings.Fields(state)
	if len(fields) == 0 {
		fields = []string{"0"}
	}
	switch fields = slices.Clone(fields); l.Method {
	case "tick":
		for i, f := range fields {
			key, at, keyed := strings.Cut(f, "=")
			if !keyed {
				key, at = "", key
			} else {
				key += "="
			}
			fields[i] = key + strconv.Itoa(m.tick[number(at)])
		}
		w := m.part(strings.Fields(state + " 0")[0], l)
		w[0].Next = strings.Join(fields, " ")
		return w
	case "size":
		sum := 0
		for _, f := range fields[1:] {
			sum += m.size[number(f[strings.Index(f, "=")+1:])]
		}
		return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(sum))}, Next: state}}
	}
	part := history.Label{Kind: l.Kind, Args: l.Args[:len(l.Args)-1]}
	at, prefix := fields[0], string(l.Args[len(l.Args)-1])+"="
	fields = append(fields, prefix+at)
	i := slices.IndexFunc(fields, func(f string) bool { return strings.HasPrefix(f, prefix) })
	if i < len(fields)-1 {
		fields = fields[:len(fields)-1]
	}
	w := m.part(fields[i][len(prefix):], &part)
	for n := range w[0].Rets {
		w[0].Rets[n] = l.Args[len(l.Args)-1]
	}
	fields[i] = prefix + w[0].Next
	slices.Sort(fields[1:])
	w[0].Next = strings.Join(fields, " ")
	return w
}

var machineKeys = []theory.Key{
	{Method: "put", Role: theory.ByKey, Arg: 1, Ret: 1}, {Method: "flip", Role: theory.ByKey},
	{Method: "tick", Role: theory.InAll}, {Method: "size", Role: theory.SumOfAll},
}

// subject makes executions of a product of random machines with the methods that
// have one of the roles.
func (m *machine) subject(r *rand.Rand, roles ...theory.KeyRole) (historytest.Type, *theory.Product) {
	t, p := historytest.Type{Model: m.whole}, &theory.Product{}
	for _, k := range machineKeys {
		if slices.Contains(roles, k.Role) {
			p.Keys = append(p.Keys, k)
		}
	}
	value := func(n int) history.Value { return history.Value(strconv.Itoa(1 + r.IntN(n))) }
	t.Draw = func(_ *rand.Rand, e *history.Execution) history.Label {
		l := history.Label{Kind: history.Kind{Method: p.Keys[r.IntN(len(p.Keys))].Method}}
		switch l.Method {
		case "put":
			l.Args = []history.Value{value(2), value(3)}
		case "flip":
			l.Args = []history.Value{value(3)}
		}
		return l
	}
	t.Spoil = func(_ *rand.Rand, _ *history.Execution, o *history.Operation) {
		o.Outcome, o.Rets = history.True, nil
		if o.Method == "size" || o.Method == "put" {
			o.Outcome, o.Rets = history.Some, []history.Value{value(3)}
		}
		if o.Method == "put" && r.IntN(4) == 0 {
			o.Rets[0] = "key"
		}
	}
	return t, p
}

// TestPartsOfSequences: a sequence is admitted if and only if its parts are, and the
// sums are right.
func TestPartsOfSequences(t *testing.T) {
	said := map[bool]int{}
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 13))
		m := newMachine(r)
		typ, p := m.subject(r, theory.ByKey, theory.InAll, theory.SumOfAll)
		e := typ.Execution(r, 1+r.IntN(12), 1, []int{0, 6}[r.IntN(2)])
		var labels []history.Label
		for _, o := range e.Ops {
			if o.Completed() {
				labels = append(labels, o.Label)
			}
		}
		e = history.Sequential(labels...)
		want := historytest.Model(m.whole).AdmitsAll(labels)
		if got := m.admitted(p, e); got != want {
			t.Fatalf("seed %d: %v: parts say %t, the whole %t", seed, e, got, want)
		}
		said[want]++
	}
	if said[true] == 0 || said[false] == 0 {
		t.Error(said)
	}
}

// admitted reports whether a sequence is, part by part.
func (m *machine) admitted(p *theory.Product, e *history.Execution) bool {
	parts := p.Parts(e)
	for _, part := range parts {
		var labels []history.Label
		for _, o := range part.Execution.Ops {
			labels = append(labels, o.Label)
		}
		if !historytest.Model(m.part).AdmitsAll(labels) {
			return false
		}
	}
	for _, o := range e.Ops {
		if p.Of(o.Method).Role != theory.SumOfAll {
			continue
		}
		sum := 0
		for _, part := range parts {
			state := ""
			for i := range part.Execution.Ops {
				if q := &part.Execution.Ops[i]; q.Call < o.Call {
					state = m.part(state, &q.Label)[0].Next
				}
			}
			sum += number(string(m.part(state, &o.Label)[0].Rets[0]))
		}
		if o.Rets[0] != history.Value(strconv.Itoa(sum)) {
			return false
		}
	}
	return true
}

// TestPartsOfExecutions: with keys alone an execution is linearizable if and only if
// its parts are; with other roles a violation in a part is one of the whole. So are
// the shortest violating prefixes.
func TestPartsOfExecutions(t *testing.T) {
	said := map[string]int{}
	for seed := range testsize.Samples(10_000) {
		r := rand.New(rand.NewPCG(seed, 14))
		m, roles := newMachine(r), []theory.KeyRole{theory.ByKey, theory.InAll, theory.SumOfAll}
		roles = roles[:1+r.IntN(3)]
		typ, p := m.subject(r, roles...)
		typ.Lost = []int{0, 8}[r.IntN(2)]
		e := typ.Execution(r, 1+r.IntN(10), 1+r.IntN(4), []int{0, 6}[r.IntN(2)])
		whole, first := typ.Model.ShortestViolation(e), 0
		for _, part := range p.Parts(e) {
			if n := historytest.Model(m.part).ShortestViolation(part.Execution); n > 0 && (first == 0 || n < first) {
				first = n
			}
		}
		if len(roles) == 1 && first != whole || first > 0 && (whole == 0 || first < whole) {
			t.Fatalf("seed %d: the whole is wrong after %d events, its parts after %d:\n%s", seed, whole, first, historytest.Text(e))
		}
		said[fmt.Sprint(len(roles), whole > 0, first > 0)]++
	}
	for n := 1; n <= 3; n++ {
		for _, verdict := range []bool{true, false} {
			if said[fmt.Sprint(n, verdict, verdict)] == 0 {
				t.Error(said)
			}
		}
	}
	if said["2 true false"]+said["3 true false"] == 0 {
		t.Error("passing parts of roles all and sum always proved the whole")
	}
}
