package foreign_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// twinType is a data type whose operations take effect one after the other. An answer is "" for none, as is
// an argument; nil is an answer.
type twinType struct {
	theory  string
	aliases map[string][]string
	keyed   bool // methods have a key for a first argument, which :key holds
	ops     []string
	values  func(r *rand.Rand, method string, fresh int) []string
	apply   func(state map[string]string, o *twinOp) (answer string)
}

// twinOp is an operation of a simulated history.
type twinOp struct {
	process      int
	method       string
	args         []string
	key          string
	answer       string
	how          string // ok, fail, info, or "" if its completion is missing
	call, effect int
	done         int // after which nobody waits for it
}

var twinTypes = []twinType{{
	theory:  "casregister",
	aliases: map[string][]string{"load": {"read"}, "store": {"write"}, "compareAndSwap": {"cas"}},
	ops:     []string{"read", "write", "cas"},
	values: func(r *rand.Rand, method string, _ int) []string {
		n := func() string { return strconv.Itoa(r.IntN(3)) }
		return [][]string{nil, {n()}, {n(), n()}}[map[string]int{"read": 0, "write": 1, "cas": 2}[method]]
	},
	apply: func(state map[string]string, o *twinOp) string {
		at := cmp.Or(state["r"], "0")
		switch {
		case o.method == "read":
			return at
		case o.method == "write":
			state["r"] = o.args[0]
			return ""
		case o.args[0] != at:
			return "false"
		}
		state["r"] = o.args[1]
		return "true"
	},
}, {
	theory: "queue",
	ops:    []string{"enqueue", "dequeue"},
	values: func(_ *rand.Rand, method string, fresh int) []string {
		if method == "dequeue" {
			return nil
		}
		return []string{strconv.Itoa(fresh)}
	},
	apply: func(state map[string]string, o *twinOp) string {
		q := strings.Fields(state["q"])
		switch {
		case o.method == "enqueue":
			state["q"] += " " + o.args[0]
			return ""
		case len(q) == 0:
			return "nil"
		}
		state["q"] = strings.Join(q[1:], " ")
		return q[0]
	},
}, {
	theory: "mutex",
	ops:    []string{"tryLock"},
	values: func(*rand.Rand, string, int) []string { return nil },
	apply: func(state map[string]string, _ *twinOp) string {
		if state["m"] != "" {
			return "false"
		}
		state["m"] = "held"
		return "true"
	},
}, {
	theory: "kv",
	keyed:  true,
	ops:    []string{"get", "put"},
	values: func(r *rand.Rand, method string, _ int) []string {
		if method == "get" {
			return nil
		}
		return []string{strconv.Itoa(r.IntN(3) + 1)}
	},
	apply: func(state map[string]string, o *twinOp) string {
		if o.method == "put" {
			state[o.key] = o.args[0]
			return ""
		}
		return cmp.Or(state[o.key], "nil")
	},
}}

// twinRun is a history and how it is written.
type twinRun struct {
	*rand.Rand
	typ         twinType
	ops         []*twinOp
	o           foreign.Options
	failedFalse bool // an answer of false is written as :fail
	full        bool // invocations of what reads carry the answer
	format      string
	coarse      int // one unit of time for so many events
	sorted      bool
}

// simulate makes operations that take effect between call and completion.
func (w *twinRun) simulate() {
	states := map[string]map[string]string{}
	running := map[int]*twinOp{}
	processes := []int{0, 1, 2}
	next := 3
	for at, n := 0, 6+w.IntN(24); at < n; at++ {
		slot := w.IntN(len(processes))
		p := processes[slot]
		o := running[p]
		switch {
		case o == nil:
			m := w.typ.ops[w.IntN(len(w.typ.ops))]
			o = &twinOp{process: p, method: m, args: w.typ.values(w.Rand, m, len(w.ops)+1), call: at, effect: -1, done: 1 << 20}
			if w.typ.keyed || w.o.ByKey {
				o.key = "k" + strconv.Itoa(w.IntN(2))
			}
			running[p] = o
			w.ops = append(w.ops, o)
		case o.effect < 0 && w.IntN(12) > 0:
			o.effect = at
			state := w.object(states, o)
			o.answer = w.typ.apply(state, o)
		default:
			o.done = at
			delete(running, p)
			switch {
			case o.effect < 0 && w.format != "limo" && w.IntN(2) == 0:
				o.how = "fail"
				if w.o.FailedIsFalse && slices.Contains([]string{"cas", "tryLock"}, o.method) {
					o.how = "info" // a failure would say that it answered false
				}
			case o.effect < 0 || w.IntN(10) == 0:
				if o.how = "info"; w.IntN(2) == 0 || w.format == "limo" {
					o.how, o.done = "", 1<<20
				}
			default:
				o.how = "ok"
			}
			if o.how == "info" || o.how == "" {
				processes[slot] = next
				next++
			}
		}
	}
}

func (w *twinRun) object(states map[string]map[string]string, o *twinOp) map[string]string {
	name := ""
	if w.o.ByKey {
		name = o.key
	}
	if states[name] == nil {
		states[name] = map[string]string{}
	}
	return states[name]
}

// spoil gives an operation another answer.
func (w *twinRun) spoil() {
	for range 10 {
		o := w.ops[w.IntN(len(w.ops))]
		if o.how != "ok" || o.answer == "" {
			continue
		}
		switch other := w.ops[w.IntN(len(w.ops))]; {
		case o.answer == "true":
			o.answer = "false"
		case o.answer == "false":
			o.answer = "true"
		case other.method == o.method && other.answer != "":
			o.answer = other.answer
		}
	}
}

// own is the history in our format, of an object.
func (w *twinRun) own(object string) []string {
	type line struct {
		at   int
		text string
	}
	var lines []line
	for i, o := range w.ops {
		reads := o.method == "read" || o.method == "get"
		switch {
		case w.o.ByKey && o.key != object, o.how == "fail":
			continue
		case o.answer == "nil" && reads && o.how == "ok" && !w.o.NilIsUnset:
			continue // unknown
		case o.how == "ok" && o.answer == "false" && w.failedFalse && !w.o.FailedIsFalse:
			continue // written as a failure, which means that it did not happen
		}
		args := o.args
		if w.typ.keyed {
			args = append([]string{o.key}, args...)
		}
		lines = append(lines, line{o.call, fmt.Sprintf("[%d] call %s(%s)", i, o.method, strings.Join(args, ", "))})
		if o.how == "ok" {
			answer := o.answer
			if answer == "nil" {
				answer = "-"
			}
			lines = append(lines, line{o.done, strings.TrimSpace(fmt.Sprintf("[%d] return %s", i, answer))})
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return a.at - b.at })
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.text)
	}
	return texts
}

// twinRecord is what of a record the format writes.
type twinRecord struct {
	at, process int
	kind        string
	o           *twinOp
	value       string
}

func (w *twinRun) records() []twinRecord {
	var rs []twinRecord
	for _, o := range w.ops {
		given, answer := w.vector(o.args), o.answer
		if o.method == "read" && w.full && o.how == "ok" {
			given = answer // a completed history
		}
		rs = append(rs, twinRecord{o.call, o.process, "invoke", o, w.withKey(o, given)})
		how := o.how
		if how == "" {
			continue
		}
		if answer == "" || how != "ok" {
			answer = w.vector(o.args)
		}
		if how == "ok" && len(o.args) > 0 && (answer == "true" || answer == "false") {
			if w.failedFalse && answer == "false" {
				how = "fail"
			}
			if answer == "true" && w.IntN(2) == 0 || how == "fail" {
				answer = w.vector(o.args)
			}
		} else if how == "ok" && answer == "false" && w.failedFalse {
			how, answer = "fail", "nil"
		}
		rs = append(rs, twinRecord{o.done, o.process, how, o, w.withKey(o, answer)})
	}
	slices.SortFunc(rs, func(a, b twinRecord) int { return a.at - b.at })
	return rs
}

func (w *twinRun) vector(args []string) string {
	switch len(args) {
	case 0:
		return "nil"
	case 1:
		return args[0]
	}
	return "[" + strings.Join(args, " ") + "]"
}

func (w *twinRun) withKey(o *twinOp, v string) string {
	if w.o.ByKey {
		return "[" + o.key + " " + v + "]"
	}
	return v
}

// text writes the history in the format.
func (w *twinRun) text() string {
	var lines []string
	rs := w.records()
	for i, r := range rs {
		time := 1000 + r.at/w.coarse
		key, json := "", ""
		if w.typ.keyed {
			key, json = fmt.Sprintf(", :key %q", r.o.key), fmt.Sprintf(`, "key": %q`, r.o.key)
		}
		switch w.format {
		case "edn":
			lines = append(lines, fmt.Sprintf("{:index %d, :process %d, :type :%s, :f :%s, :value %s%s, :time %d}", i, r.process, r.kind, r.o.method, r.value, key, time))
			if w.coarse == 1 && w.IntN(6) == 0 {
				lines = append(lines, fmt.Sprintf("{:process :nemesis, :type :info, :f :kill, :value {:n1 [:a]}, :time %d}", time))
			}
		case "lines":
			if w.IntN(6) == 0 {
				lines = append(lines, "INFO  jepsen.core - Worker 3 starting")
			}
			lines = append(lines, fmt.Sprintf("INFO  jepsen.util - %d\t:%s\t:%s\t%s", r.process, r.kind, r.o.method, r.value))
		case "elle":
			value := strings.NewReplacer(" ", ", ", "k0", `"k0"`, "k1", `"k1"`, "nil", "null").Replace(r.value)
			lines = append(lines, fmt.Sprintf(`{"index": %d, "type": %q, "f": %q, "value": %s%s, "process": %d, "time": %d}`, i, r.kind, r.o.method, value, json, r.process, time))
		case "limo":
			kind, value := "call "+r.o.method, " "+r.value
			switch {
			case r.kind != "invoke":
				kind = "return"
				if value = " " + r.o.answer; r.o.answer == "nil" {
					value = ""
				}
			case len(r.o.args) == 0:
				value = ""
			}
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("[%d] %s%s", r.process, kind, value)))
		}
	}
	if !w.sorted {
		// As where each process has a file of its own, and these are one behind the other.
		slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(fieldIn(a, "process"), fieldIn(b, "process")) })
		w.sorted = slices.IsSortedFunc(lines, func(a, b string) int { return cmp.Compare(fieldIn(a, "time"), fieldIn(b, "time")) })
	}
	all := strings.Join(lines, "\n") + "\n"
	if w.format == "edn" && w.IntN(2) == 0 || w.format == "elle" {
		sep := "\n"
		if w.format == "elle" {
			sep = ",\n"
		}
		all = "[" + strings.Join(lines, sep) + "]\n"
	}
	return all
}

// fieldIn is what is after a field's name in a line.
func fieldIn(line, name string) string {
	_, after, _ := strings.Cut(line, name)
	after, _, _ = strings.Cut(strings.Trim(after, "\": }]"), ",")
	return after
}

// TestTwin compares what is read of histories in other formats with a direct account of what their
// operations did: what is admitted stays so, and what is not has the verdict that it has in our own format.
func TestTwin(t *testing.T) {
	for _, typ := range twinTypes {
		t.Run(typ.theory, func(t *testing.T) {
			t.Parallel()
			th := historytest.Example(t, typ.theory)
			methods, err := th.Signature(typ.aliases)
			if err != nil {
				t.Fatal(err)
			}
			c, err := check.New(th, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			counts := map[check.Verdict]int{}
			for seed := range testsize.Samples(3000) {
				w := newTwinRun(seed, typ)
				w.simulate()
				good := w.IntN(2) == 0
				if !good {
					w.spoil()
				}
				want := w.wanted(t, c, methods)
				src := w.text()
				if w.sorted && w.coarse > 1 {
					continue // an order that is that of time is believed
				}
				got, err := w.read(t, c, methods, src)
				if err != nil {
					t.Fatalf("seed %d, %+v: %v\n%s", seed, w.o, err, src)
				}
				if good && (want != check.Linearizable || got != check.Linearizable) || got != want && w.coarse == 1 {
					t.Fatalf("seed %d, good %v, %+v: %v, in our own format %v\n%s\n%s", seed, good, w.o, got, want, src, strings.Join(w.own("k0"), "\n"))
				}
				counts[want]++
			}
			if n := int(testsize.Samples(3000)) / 40; counts[check.Violation] < n || counts[check.Linearizable] < n {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

func newTwinRun(seed uint64, typ twinType) *twinRun {
	r := rand.New(rand.NewPCG(seed, 16))
	w := &twinRun{Rand: r, typ: typ, coarse: 1, sorted: true, full: r.IntN(3) == 0, failedFalse: r.IntN(2) == 0}
	w.o = foreign.Options{FailedIsFalse: r.IntN(2) == 0, NilIsUnset: r.IntN(2) == 0, ByKey: !typ.keyed && r.IntN(3) == 0}
	switch w.format = []string{"edn", "lines", "elle", "limo"}[r.IntN(4)]; {
	case w.format == "lines" && typ.keyed:
		w.format = "edn" // no place for keys
	case w.format == "limo" && (typ.keyed || typ.theory != "queue"):
		w.format = "elle"
	case w.format == "limo":
		w.o, w.full, w.failedFalse = foreign.Options{NilIsUnset: true}, false, false
	}
	w.o.Format = map[string]foreign.Format{"edn": foreign.Jepsen, "lines": foreign.Jepsen, "elle": foreign.ElleCLI, "limo": foreign.LiMo}[w.format]
	if w.format == "edn" || w.format == "elle" {
		w.sorted = r.IntN(2) == 0
		if !w.sorted && r.IntN(2) == 0 {
			w.coarse = 5
		}
	}
	return w
}

// worst is the worse of two verdicts.
func worst(a, b check.Verdict) check.Verdict {
	if a == check.Violation || b == check.Violation {
		return check.Violation
	}
	if a == check.Linearizable {
		return b
	}
	return a
}

// wanted is the verdict in our own format, object by object.
func (w *twinRun) wanted(t *testing.T, c *check.Checker, methods history.Signature) check.Verdict {
	all := check.Linearizable
	for _, object := range []string{"k0", "k1"} {
		e, err := history.NewReader(strings.NewReader(strings.Join(w.own(object), "\n")+"\n"), "own.log").Execution(methods)
		if err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(w.own(object), "\n"))
		}
		res, err := c.Check(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		all = worst(all, res.Verdict)
	}
	return all
}

func (w *twinRun) read(t *testing.T, c *check.Checker, methods history.Signature, src string) (check.Verdict, error) {
	es, err := foreign.New(strings.NewReader(src), "x", w.o, methods).Executions(methods)
	if err != nil {
		return "", err
	}
	all := check.Linearizable
	for _, e := range es {
		res, err := c.Check(t.Context(), e)
		if err != nil {
			return "", errors.Join(err, errors.New(historytest.Text(e)))
		}
		all = worst(all, res.Verdict)
	}
	return all, nil
}
