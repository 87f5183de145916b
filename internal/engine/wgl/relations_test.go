package wgl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// A relation is a data type as a list of all that may happen: where a model keeps what it does not know as bounds, a relation
// has a state for each case.
type relation struct {
	ways  historytest.Model // of random executions
	all   historytest.Model // nil: ways
	calls []string          // "name 3 2": arguments from 1 to 3, from 1 to 2
	spoil []string          // answers, "3" or "=true"
	texts func(r *rand.Rand, v history.Value) history.Value
}

// relations are those of the models, by their names.
var relations = map[string]relation{
	"deque":                      {dequeWays, nil, []string{"pushFront 9", "pushBack 9", "popFront", "popBack"}, []string{"1", "2", "3", "=nil"}, nil},
	"unique-ids":                 {idWays, nil, []string{"generate"}, []string{"1", "2", "3", "4"}, nil},
	"set-full":                   {setWays, nil, []string{"add 3", "remove 3", "contains 3", "read", "read"}, []string{"{}", "{1}", "{2}", "{1 2}", "{2 3}", "=none", "=true", "=false"}, setText},
	"versioned-register":         {versionWays("", 0), nil, versionCalls, []string{"1 1", "2 1", "2", "1", "=true", "=false", "=none", "=nil"}, nil},
	"versioned-register(2)":      {versionWays("2", 0), nil, versionCalls, []string{"1 1", "2 0", "2", "1", "=true", "=false", "=error"}, nil},
	"mutex":                      {mutexWays, nil, []string{"acquire", "release", "acquire 2", "release 2", "acquire nil", "release nil"}, []string{"=true", "=false", "=none", "=panic"}, nil},
	"fenced-lock":                {tokenWays(false), nil, []string{"acquire", "acquire", "release 6"}, []string{"1", "2", "3", "4", "=none", "=false", "=nil"}, nil},
	"lease-lock":                 {tokenWays(true), nil, []string{"acquire", "acquire", "release 6", "renew 6"}, []string{"1", "2", "3", "4", "=none", "=false", "=true"}, nil},
	"bank({1 2, 2 0})":           {bankWays([][]int{{2, 0}}, 0), nil, bankCalls, []string{"{1 1 2 1}", "{1 2 2 0}", "{1 0 2 2}", "=true", "=false"}, bankText},
	"bank":                       {bankWays(starts(0, 4), 0), bankWays(starts(0, 14), 0), bankCalls, []string{"{1 1 2 1}", "{1 2 2 0}", "{1 0 2 2}", "=true", "=false"}, bankText},
	"overdraft-bank":             {bankWays(starts(-2, 2), -99), bankWays(starts(-12, 12), -99), bankCalls, []string{"{1 1 2 1}", "{1 2 2 0}", "{1 0 2 2}", "=true", "=false"}, bankText},
	"overdraft-bank({1 0, 2 0})": {bankWays([][]int{{0, 0}}, -99), nil, bankCalls, []string{"{1 1 2 1}", "{1 -2 2 2}", "=true", "=false"}, bankText},
}

// way is a way to answer: "3 4" are values, "=true" is an outcome.
func way(answer, next string) historytest.Way {
	if o, ok := strings.CutPrefix(answer, "="); ok {
		return historytest.Way{Outcome: history.Outcome(o), Next: next}
	}
	w := historytest.Way{Outcome: history.Some, Next: next}
	if strings.HasPrefix(answer, "{") {
		w.Rets = []history.Value{history.Value(answer)}
		return w
	}
	for _, v := range strings.Fields(answer) {
		w.Rets = append(w.Rets, history.Value(v))
	}
	return w
}

// either is a way for each of some answers, with the same state after it.
func either(next string, answers ...string) (all []historytest.Way) {
	for _, a := range answers {
		all = append(all, way(a, next))
	}
	return all
}

func did(next string) []historytest.Way     { return either(next, "=none", "=true") }
func failed(state string) []historytest.Way { return either(state, "=false", "=error", "=panic") }

func dequeWays(state string, l *history.Label) []historytest.Way {
	all := strings.Fields(state)
	switch l.Method {
	case "pushFront":
		return either(strings.TrimSpace(string(l.Args[0])+" "+state), "=none")
	case "pushBack":
		return either(strings.TrimSpace(state+" "+string(l.Args[0])), "=none")
	}
	switch {
	case len(all) == 0:
		return either(state, "=nil")
	case l.Method == "popFront":
		return either(strings.Join(all[1:], " "), all[0])
	}
	return either(strings.Join(all[:len(all)-1], " "), all[len(all)-1])
}

func idWays(state string, _ *history.Label) (all []historytest.Way) {
	for n := '1'; n <= '9'; n++ {
		if !strings.ContainsRune(state, n) {
			ids := []rune(state + string(n))
			slices.Sort(ids)
			all = append(all, way(string(n), string(ids)))
		}
	}
	return all
}

func setWays(state string, l *history.Label) []historytest.Way {
	all := strings.Fields(state)
	if l.Method == "read" {
		return either(state, "{"+state+"}")
	}
	v := string(l.Args[0])
	there := slices.Contains(all, v)
	switch {
	case l.Method == "contains":
		return either(state, "="+strconv.FormatBool(there))
	case there == (l.Method == "add"):
		return either(state, "=none", "=false")
	case there:
		return either(strings.Join(slices.DeleteFunc(all, func(w string) bool { return w == v }), " "), "=none", "=true")
	}
	all = append(all, v)
	slices.Sort(all)
	return either(strings.Join(all, " "), "=none", "=true")
}

// setText is a set as somebody writes it.
func setText(r *rand.Rand, v history.Value) history.Value {
	all := strings.Fields(strings.Trim(string(v), "{}"))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	switch r.IntN(4) {
	case 0:
		return history.Value("{" + strings.Join(all, ", ") + "}")
	case 1:
		return history.Value("#{" + strings.Join(all, " ") + "}")
	case 2:
		return history.Value("[" + strings.Join(all, ",") + "]")
	}
	return history.Value("(" + strings.Join(all, " ") + ")")
}

var versionCalls = []string{"read", "read", "write 2", "write 2 3", "cas 3 2"}

func versionWays(first string, version int) historytest.Model {
	return func(state string, l *history.Label) []historytest.Way {
		v, n := first, version
		if at, text, ok := strings.Cut(state, "@"); ok {
			n, _ = strconv.Atoi(text)
			v = at
		}
		if l.Method == "read" && v == "" {
			return either(state, "=nil")
		} else if l.Method == "read" {
			return either(state, v+" "+strconv.Itoa(n))
		}
		value, expected := l.Args[0], ""
		if len(l.Args) == 2 {
			expected = string(l.Args[1])
		}
		if l.Method == "cas" {
			value, expected = l.Args[1], string(l.Args[0])
		}
		if expected != "" && expected != strconv.Itoa(n) {
			return failed(state)
		}
		next := fmt.Sprintf("%s@%d", value, n+1)
		return append(did(next), way(strconv.Itoa(n+1), next))
	}
}

// mutexWays has an owner for each case: 1 and 2 have names, 3 is anybody else.
func mutexWays(state string, l *history.Label) (all []historytest.Way) {
	who := ""
	if len(l.Args) > 0 {
		who = string(l.Args[0])
	}
	switch {
	case (l.Method == "acquire") == (state != ""):
		return failed(state)
	case l.Method == "acquire" && (who == "" || who == "nil"):
		return slices.Concat(did("1"), did("2"), did("3"))
	case l.Method == "acquire":
		return did(who)
	case who == "nil":
		return append(did(""), failed(state)...)
	case who == "" || who == state:
		return did("")
	}
	return failed(state)
}

// tokenWays has a token for each case: those that nobody was told go further than those that somebody was.
func tokenWays(lease bool) historytest.Model {
	const told, most = 6, 12
	return func(state string, l *history.Label) (all []historytest.Way) {
		last, live := -8, strings.HasSuffix(state, "!")
		if state != "" {
			last, _ = strconv.Atoi(strings.TrimSuffix(state, "!"))
		}
		states := []bool{live}
		if lease && live {
			states = append(states, false) // the lease ends just before
		}
		for _, live := range states {
			now := strconv.Itoa(last)
			if live {
				now += "!"
			}
			switch {
			case l.Method == "acquire" && live:
				all = append(all, append(failed(now), way("=nil", now))...)
			case l.Method == "acquire":
				for n := last + 1; n <= most; n++ {
					if all = append(all, did(strconv.Itoa(n)+"!")...); n > 0 && n <= told {
						all = append(all, way(strconv.Itoa(n), strconv.Itoa(n)+"!"))
					}
				}
			case !live || string(l.Args[0]) != strconv.Itoa(last):
				all = append(all, failed(now)...)
			case l.Method == "renew":
				all = append(all, did(now)...)
			default:
				all = append(all, did(strconv.Itoa(last))...)
			}
		}
		return all
	}
}

var bankCalls = []string{"read", "read", "transfer12 2", "transfer21 2"}

// starts are the pairs of balances in a range.
func starts(least, most int) (all [][]int) {
	for a := least; a <= most; a++ {
		for b := least; b <= most; b++ {
			all = append(all, []int{a, b})
		}
	}
	return all
}

func bankWays(first [][]int, least int) historytest.Model {
	return func(state string, l *history.Label) (all []historytest.Way) {
		from := first
		if state != "" {
			var a, b int
			_, _ = fmt.Sscan(state, &a, &b)
			from = [][]int{{a, b}}
		}
		for _, balances := range from {
			a, b := balances[0], balances[1]
			same := fmt.Sprint(a, b)
			if l.Method == "read" {
				all = append(all, way(fmt.Sprintf("{1 %d 2 %d}", a, b), same))
				continue
			}
			n, _ := strconv.Atoi(string(l.Args[2]))
			if l.Args[0] == "2" {
				n = -n
			}
			if a-n < least && n > 0 || b+n < least && n < 0 {
				all = append(all, failed(same)...)
			} else {
				all = append(all, did(fmt.Sprint(a-n, b+n))...)
			}
		}
		return all
	}
}

// bankText is balances as somebody writes them.
func bankText(r *rand.Rand, v history.Value) history.Value {
	all := strings.Fields(strings.Trim(string(v), "{}"))
	switch r.IntN(5) {
	case 0:
		return history.Value(fmt.Sprintf("{2 %s, 1 %s}", all[3], all[1]))
	case 1:
		return history.Value(fmt.Sprintf(`{"1":%s,"2":%s}`, all[1], all[3]))
	case 2:
		return history.Value(fmt.Sprintf("map[2:%s 1:%s]", all[3], all[1]))
	case 3:
		return history.Value(fmt.Sprintf(`{"2" %s "1" %s}`, all[3], all[1]))
	}
	return v
}

// draw is a random call.
func (x *relation) draw(r *rand.Rand) history.Label {
	words := strings.Fields(x.calls[r.IntN(len(x.calls))])
	l := history.Label{Kind: history.Kind{Method: words[0]}}
	for _, w := range words[1:] {
		v := history.Value(w)
		if n, err := strconv.Atoi(w); err == nil {
			v = history.Value(strconv.Itoa(1 + r.IntN(n)))
		}
		l.Args = append(l.Args, v)
	}
	if accounts, ok := strings.CutPrefix(l.Method, "transfer"); ok {
		l.Method, l.Args = "transfer", []history.Value{history.Value(accounts[:1]), history.Value(accounts[1:]), l.Args[0]}
	}
	return l
}

// written is an execution with values as somebody writes them.
func (x *relation) written(r *rand.Rand, e *history.Execution) *history.Execution {
	own := *e
	own.Ops = slices.Clone(e.Ops)
	for i := range own.Ops {
		o := &own.Ops[i]
		if len(o.Rets) == 1 && x.texts != nil && strings.HasPrefix(string(o.Rets[0]), "{") {
			o.Rets = []history.Value{x.texts(r, o.Rets[0])}
		}
		if o.Method == "transfer" && r.IntN(3) == 0 {
			o.Args = []history.Value{history.Value(fmt.Sprintf("{:from %s, :to %s, :amount %s}", o.Args[0], o.Args[1], o.Args[2]))}
		}
	}
	return &own
}

// TestRelations compares the search over a model, on random executions right and wrong, with a search that tries every order
// of every case.
func TestRelations(t *testing.T) {
	for name, x := range relations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := wgl.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			size := 4_000
			if strings.HasSuffix(name, "bank") {
				size = 1_200 // has hundreds of cases
			}
			n, bad := testsize.Samples(uint64(size)), 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 40))
				s := historytest.Type{Name: name, Model: x.ways, Lost: int(seed%3) * 6,
					Draw: func(r *rand.Rand, _ *history.Execution) history.Label { return x.draw(r) },
					Spoil: func(r *rand.Rand, _ *history.Execution, o *history.Operation) {
						for _, w := range either("", x.spoil[r.IntN(len(x.spoil))]) {
							o.Outcome, o.Rets = w.Outcome, w.Rets
						}
					}}
				e := s.Execution(r, 2+r.IntN(4), 1+r.IntN(4), 6)
				written := x.written(r, e)
				if x.all != nil {
					s.Model = x.all
				}
				first := s.Model.ShortestViolation(e)
				for _, o := range []wgl.Options{{}, {Partition: true}} {
					got, err := wgl.Check(t.Context(), m, written, o)
					if err != nil || got.Prefix != first || got.Linearizable != (first == 0) {
						historytest.Fatal(t, written, "seed %d: %+v, %v, want %d", seed, got, err, first)
					}
					if wrong := explains(s.Model, e, got); wrong != "" {
						historytest.Fatal(t, e, "seed %d: %v: %s", seed, got.Order, wrong)
					}
				}
				if first > 0 {
					bad++
				}
			}
			if n > 50 && (bad < int(n)/12 || bad > int(n)*11/12) {
				t.Errorf("too one-sided a sample: %d of %d violate", bad, n)
			}
			t.Logf("%d executions, %d of them violations", n, bad)
		})
	}
}

// TestRelationsReadOnly: what a model calls read-only leads back to the state.
func TestRelationsReadOnly(t *testing.T) {
	for name, x := range relations {
		m, err := wgl.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		reader, ok := m.(wgl.Reader)
		if !ok {
			continue
		}
		r := rand.New(rand.NewPCG(1, 41))
		for range 400 {
			s := m.Init()
			for range 8 {
				l := x.draw(r)
				for _, w := range either("", x.spoil[r.IntN(len(x.spoil))]) {
					l.Outcome, l.Rets = w.Outcome, w.Rets
				}
				next, ok := m.Step(s, &l)
				if !ok {
					continue
				}
				if reader.ReadOnly(&l) && (!next.Equal(s) || next.Hash() != s.Hash()) {
					t.Fatalf("%s: %s is called read-only in %v, and leads to %v", name, l, s, next)
				}
				s = next
			}
		}
	}
}
