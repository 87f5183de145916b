package foreign_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// oracleOp is an operation of a simulated history.
type oracleOp struct {
	history.Label        // as the model answered
	process       int    //
	object        string // of a keyed test
	call, done    int    // done: -1 never
	effect        bool
	how           string // ok, fail, info, or "" if its completion is missing
	args          []string
}

// oracleRecord is what of a record formats write. A value nobody writes is "".
type oracleRecord struct {
	at, process, index int
	kind, method       string
	key, value         string
}

// oracleRun is a history and how it is written.
type oracleRun struct {
	*rand.Rand
	typ     oracleType
	sigs    []history.MethodSig
	model   wgl.Model
	ops     []*oracleOp
	values  []history.Value
	o       foreign.Options
	keyed   bool            // values are [key value]
	byField bool            // keys are in :key
	inPair  bool            // what a get is about is in [key nil]
	mode    map[string]bool // by method: completions of what need not answer do
	silent  string          // how a completion says nothing: repeated, nil, absent
	full    bool            // invocations of reads have the answer
	listed  bool            // transfers have a list of arguments, no map
}

func newOracleRun(seed uint64, name string, keys bool) *oracleRun {
	m, err := wgl.Builtin(name)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(seed, 40))
	w := &oracleRun{Rand: r, typ: oracleTypes[name], sigs: wgl.Methods(name), model: m, mode: map[string]bool{}, full: r.IntN(5) == 0, listed: r.IntN(3) == 0}
	w.silent = []string{"repeated", "nil", "absent"}[r.IntN(3)]
	w.keyed = r.IntN(4) == 0
	w.byField = keys && !w.keyed && r.IntN(2) == 0 && w.typ.key
	w.inPair = w.typ.key && !w.keyed && !w.byField && r.IntN(2) == 0
	w.o = foreign.Options{ByKey: w.keyed, Answers: r.IntN(3) == 0, NilIsUnset: r.IntN(2) == 0, FailedIsFalse: r.IntN(2) == 0}
	if w.o.Answers && w.silent == "repeated" {
		w.silent = "nil" // what is repeated is an answer then
	}
	for _, s := range w.sigs {
		w.mode[s.Name] = w.needs(s.Name) || r.IntN(2) == 0
	}
	return w
}

func (w *oracleRun) sig(method string) *history.MethodSig {
	return &w.sigs[slices.IndexFunc(w.sigs, func(s history.MethodSig) bool { return s.Name == method })]
}

func (w *oracleRun) has(method string, o history.Outcome) bool {
	return slices.ContainsFunc(w.sig(method).Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == o })
}

// needs reports whether a method always answers.
func (w *oracleRun) needs(method string) bool { return !w.has(method, history.None) }

func (w *oracleRun) answers(o *oracleOp) bool { return w.mode[o.Method] && o.Outcome != history.None }

// isRead reports whether nobody knows what an operation read if that was nil.
func (w *oracleRun) isRead(o *oracleOp) bool {
	return o.Method == "read" && len(o.Args) == 0 && w.has(o.Method, history.Some) || o.Method == "get" && (w.byField || w.inPair)
}

// take lets an operation take effect with an answer that the model allows, if there is one.
func (w *oracleRun) take(states map[string]wgl.State, o *oracleOp) {
	s := states[o.object]
	if s == nil {
		s = w.model.Init()
	}
	candidates := w.candidates(s, o.Method)
	for _, i := range w.Perm(len(w.sig(o.Method).Outcomes)) {
		out := w.sig(o.Method).Outcomes[i]
		switch {
		case out.Outcome == history.Error || out.Outcome == history.Panic, out.Outcome == history.None && w.mode[o.Method] && len(w.sig(o.Method).Outcomes) > 1,
			out.Outcome != history.None && !w.mode[o.Method] && !w.needs(o.Method):
			continue
		}
		rets := [][]history.Value{nil}
		if out.Rets > 0 {
			rets = candidates
		}
		for _, r := range rets {
			l := history.Label{Kind: history.Kind{Method: o.Method, Outcome: out.Outcome}, Args: o.Args, Rets: r}
			if len(r) != out.Rets {
				continue
			}
			if next, ok := w.model.Step(s, &l); ok {
				states[o.object], o.Label, o.effect = next, l, true
				return
			}
		}
	}
}

// candidates are what a call may answer in a state, or at all, in any order.
func (w *oracleRun) candidates(s wgl.State, method string) (all [][]history.Value) {
	if w.typ.answers != nil {
		all = w.typ.answers(s, method)
	} else {
		for _, v := range w.values {
			all = append(all, []history.Value{v})
		}
	}
	if w.IntN(2) == 0 {
		w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

// simulate makes operations that take effect between call and completion.
func (w *oracleRun) simulate() {
	states := map[string]wgl.State{}
	running := map[int]*oracleOp{}
	processes := []int{0, 1, 2}
	for at, n := 0, 5+w.IntN(22); at < n; at++ {
		slot := w.IntN(len(processes))
		p := processes[slot]
		o := running[p]
		switch {
		case o == nil:
			o = w.newOp(p, at)
			running[p] = o
			w.ops = append(w.ops, o)
		case !o.effect && w.IntN(8) > 0:
			w.take(states, o)
		default:
			o.done = at
			delete(running, p)
			switch {
			case !o.effect && w.IntN(2) == 0 && !(w.o.FailedIsFalse && w.has(o.Method, history.False)):
				o.how = "fail"
			case !o.effect || w.IntN(12) == 0:
				o.how = []string{"info", ""}[w.IntN(2)]
				processes[slot] = 10 + at
			default:
				o.how = "ok"
			}
		}
	}
}

func (w *oracleRun) newOp(p, at int) *oracleOp {
	s := w.sigs[w.IntN(len(w.sigs))]
	o := &oracleOp{process: p, call: at, done: -1}
	o.Method = s.Name
	if w.keyed {
		o.object = "k" + strconv.Itoa(w.IntN(2))
	}
	if w.typ.args != nil {
		o.args = w.typ.args(w.Rand, s.Name)
	} else {
		for range s.Args - w.IntN(s.Optional+1) {
			o.args = append(o.args, strconv.Itoa(w.IntN(3)))
		}
	}
	for _, a := range o.args {
		o.Args = append(o.Args, history.Value(a))
		if !slices.Contains(w.values, history.Value(a)) {
			w.values = append(w.values, history.Value(a))
		}
	}
	return o
}

// spoil gives an operation another answer.
func (w *oracleRun) spoil() {
	for range 6 {
		o := w.ops[w.IntN(len(w.ops))]
		if o.how != "ok" || !w.answers(o) {
			continue
		}
		n := 1
		if i := slices.IndexFunc(w.sig(o.Method).Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == history.Some }); i >= 0 {
			n = w.sig(o.Method).Outcomes[i].Rets
		}
		all := slices.DeleteFunc(w.candidates(nil, o.Method), func(r []history.Value) bool { return len(r) != n })
		some := w.has(o.Method, history.Some) && len(all) > 0
		switch {
		case o.Outcome == history.True:
			o.Outcome = history.False
		case o.Outcome == history.False:
			o.Outcome = history.True
		case o.Outcome == history.Some && w.has(o.Method, history.Nil) && w.IntN(3) == 0:
			o.Outcome, o.Rets = history.Nil, nil
		case some:
			o.Outcome, o.Rets = history.Some, all[w.IntN(len(all))]
		}
	}
}

// given is the value of an invocation.
func (w *oracleRun) given(o *oracleOp) string {
	args := o.args
	if w.byField || w.inPair && o.Method == "get" {
		args = args[min(1, len(args)):]
	}
	switch len(args) {
	case 0:
		return "nil"
	case 1:
		return args[0]
	}
	if o.Method == "transfer" && !w.listed {
		return fmt.Sprintf("{:from %s :to %s :amount %s}", args[0], args[1], args[2])
	}
	return "[" + strings.Join(args, " ") + "]"
}

// said is the value of a completion that was ok; fails reports whether it is written as a failure instead.
func (w *oracleRun) said(o *oracleOp) (value string, fails bool) {
	if !w.answers(o) {
		return map[string]string{"repeated": w.given(o), "nil": "nil", "absent": ""}[w.silent], false
	}
	switch o.Outcome {
	case history.Some:
		if len(o.Rets) == 2 {
			return fmt.Sprintf("[%s %s]", o.Rets[0], o.Rets[1]), false
		}
		return string(o.Rets[0]), false
	case history.Nil:
		return "nil", false
	case history.False:
		if w.o.FailedIsFalse && (w.needs(o.Method) || !w.has(o.Method, history.Nil)) && w.IntN(2) == 0 {
			return w.given(o), true
		}
		return "false", false
	}
	if o.Method == "cas" && w.IntN(2) == 0 && !(w.o.Answers && w.has(o.Method, history.Some)) {
		return []string{w.given(o), "nil"}[w.IntN(2)], false
	}
	return "true", false
}

func (w *oracleRun) inKey(o *oracleOp, value string) string {
	switch {
	case value != "" && w.inPair && o.Method == "get":
		return "[" + o.args[0] + " " + value + "]"
	case !w.keyed || value == "":
		return value
	}
	return "[" + o.object + " " + value + "]"
}

// records are the history's. Completions say what they do once for all: it is random.
func (w *oracleRun) records() []oracleRecord {
	var rs []oracleRecord
	for _, o := range w.ops {
		key, given := "", w.given(o)
		if w.byField && len(o.args) > 0 {
			key = o.args[0]
		}
		said, fails := "", false
		if o.how == "ok" {
			said, fails = w.said(o)
		}
		if w.full && w.isRead(o) && o.how == "ok" && len(o.Args) == 0 {
			given = said
		}
		call := oracleRecord{at: o.call, process: o.process, kind: "invoke", method: o.Method, key: key, value: w.inKey(o, given)}
		rs = append(rs, call)
		ret := call
		if ret.at, ret.kind = o.done, o.how; o.how == "ok" {
			ret.value = w.inKey(o, said)
			if fails {
				ret.kind = "fail"
			}
		}
		if o.how != "" {
			rs = append(rs, ret)
		}
	}
	slices.SortFunc(rs, func(a, b oracleRecord) int { return a.at - b.at })
	for i := range rs {
		rs[i].index = i
	}
	return rs
}

// own is the history of an object in our own format. unread is how many reads it leaves out.
func (w *oracleRun) own(object string) (text string, unread int) {
	type line struct {
		at   int
		text string
	}
	var lines []line
	for i, o := range w.ops {
		pending := o.how == "" || o.how == "info"
		switch {
		case o.object != object, o.how == "fail", pending && w.isRead(o):
			continue
		case !pending && w.isRead(o) && o.Outcome == history.Nil && !w.o.NilIsUnset:
			unread++
			continue
		}
		call := o.Method
		if len(o.args) > 0 {
			call += "(" + strings.Join(o.args, ", ") + ")"
		}
		lines = append(lines, line{o.call, fmt.Sprintf("[%d] call %s", i, call)})
		if pending {
			continue
		}
		lines = append(lines, line{o.done, strings.TrimSpace(fmt.Sprintf("[%d] return %s", i, w.answer(o)))})
	}
	slices.SortFunc(lines, func(a, b line) int { return a.at - b.at })
	for _, l := range lines {
		text += l.text + "\n"
	}
	return text, unread
}

// answer is what an operation answered in our own format, as far as it is heard.
func (w *oracleRun) answer(o *oracleOp) string {
	switch {
	case !w.answers(o) || !w.heard(o):
		return ""
	case o.Outcome == history.Nil:
		return "-"
	case o.Outcome != history.Some:
		return string(o.Outcome)
	case len(o.Rets) == 2:
		return quoted(o.Rets[0]) + ", " + quoted(o.Rets[1])
	}
	return quoted(o.Rets[0])
}

// quoted is a value in our own format: a set of Clojure's would be a comment.
func quoted(v history.Value) string {
	if strings.HasPrefix(string(v), "#") {
		return strconv.Quote(string(v))
	}
	return string(v)
}

// heard reports whether an answer is understood as one: of a method that need not answer, nil and what it was invoked with
// say nothing unless other completions can only be answers.
func (w *oracleRun) heard(o *oracleOp) bool {
	nothing := func(x *oracleOp) bool {
		return x.Outcome == history.Nil || x.Outcome == history.Some && string(x.Rets[0]) == w.given(x) && !w.none(x)
	}
	if w.needs(o.Method) || !nothing(o) || w.o.Answers && o.Outcome == history.Some {
		return true
	}
	return slices.ContainsFunc(w.ops, func(x *oracleOp) bool { return x.Method == o.Method && x.how == "ok" && w.answers(x) && !nothing(x) })
}

// none reports whether an operation was invoked without a value.
func (w *oracleRun) none(o *oracleOp) bool { return w.given(o) == "nil" }

// ambiguous reports whether nobody can tell an answer from a repeated value.
func (w *oracleRun) ambiguous() bool {
	for _, s := range w.sigs {
		repeated, other := false, false
		for _, o := range w.ops {
			if o.Method != s.Name || o.how != "ok" || !w.answers(o) {
				continue
			}
			if o.Outcome == history.Some && string(o.Rets[0]) == w.given(o) && !w.none(o) {
				repeated = true
			} else {
				other = true
			}
		}
		if repeated && !other && w.needs(s.Name) && !w.o.Answers {
			return true
		}
	}
	return false
}

// verdicts are those of all objects.
func verdicts(t *testing.T, c *check.Checker, es []*history.Execution) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, e := range es {
		r, err := c.Check(t.Context(), e)
		if err != nil {
			t.Fatalf("%v\n%+v", err, e)
		}
		if e.Events > 0 {
			all[e.Object] = fmt.Sprint(r.Verdict, r.Prefix)
		}
	}
	return all
}

// modelOf is what decides by a built-in model, and its methods.
func modelOf(t *testing.T, name string) (*check.Checker, history.Signature) {
	c, err := check.New(nil, check.Options{Model: name})
	if err != nil {
		t.Fatal(err)
	}
	sig, err := history.NewSignature(wgl.Methods(name)...)
	if err != nil {
		t.Fatal(err)
	}
	return c, sig
}

// TestOracle writes random histories of each built-in model in our own format and in others, in all the ways in which
// completions are written: verdicts and prefixes must agree.
func TestOracle(t *testing.T) {
	models := append(wgl.Builtins(), `kv("")`, "bank({0 3, 1 2})", "counter(2)", "cas-register(0)")
	for _, name := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, sig := modelOf(t, name)
			counts := map[string]int{}
			formats := []string{"EDN", "JSON", "jepsen.util", "history.txt", "CSV"}
			for seed := range testsize.Samples(10_000/uint64(len(models)) + 1) {
				f := formats[seed%5]
				if seed%16 == 5 {
					f = []string{"recognized EDN", "recognized history.txt", "recognized jepsen.log"}[seed/16%3]
				}
				counts[oracleOnce(t, c, sig, newOracleRun(seed, name, oracleFormats[f].keyed), f, seed)]++
			}
			t.Log(counts)
			if n := counts["violation"]; testsize.Long() && (n < 3 || counts["linearizable"] < 10) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// oracleOnce compares one history, and says what came of it.
func oracleOnce(t *testing.T, c *check.Checker, sig history.Signature, w *oracleRun, name string, seed uint64) string {
	t.Helper()
	f := oracleFormats[name]
	w.simulate()
	if w.IntN(3) > 0 {
		w.spoil()
	}
	src := f.write(w, w.records())
	w.o.Format = f.format
	unread, first := 0, 0
	w.o.Unread = func(n int, at history.Pos) { unread, first = n, at.Line }
	var got []*history.Execution
	read := func(file string, src string) error {
		var err error
		got, err = foreign.New(strings.NewReader(src), file, w.o, sig).Executions(sig)
		return err
	}
	err := read("x", src)
	fail := func(format string, args ...any) {
		t.Helper()
		text, _ := w.own(cmp.Or(map[bool]string{true: "k0"}[w.keyed], ""))
		t.Fatalf("%s, seed %d, %+v, modes %v, %s: %s\n%s\n%s", name, seed, w.o, w.mode, w.silent, fmt.Sprintf(format, args...), src, text)
	}
	switch {
	case w.ambiguous():
		if err == nil || !strings.Contains(err.Error(), "--answers") {
			fail("nobody can tell what is an answer, but %v", err)
		}
		return "refused"
	case err != nil:
		fail("%v", err)
	}
	want, left := map[string]string{}, 0
	for _, object := range []string{"", "k0", "k1"} {
		text, n := w.own(object)
		left += n
		e, err := history.NewReader(strings.NewReader(text), "own.log").Execution(sig)
		if err != nil {
			fail("our own: %v", err)
		}
		e.Object = object
		for o, v := range verdicts(t, c, []*history.Execution{e}) {
			want[o] = v
		}
	}
	if g := verdicts(t, c, got); fmt.Sprint(g) != fmt.Sprint(want) {
		fail("%v, in our own format %v", g, want)
	}
	if left != unread || (left > 0) != (first > 0) {
		fail("%d reads left out, %d told, the first in line %d", left, unread, first)
	}
	for _, v := range want {
		if strings.HasPrefix(v, string(check.Violation)) {
			return "violation"
		}
	}
	return "linearizable"
}
