package check_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// blotted makes random logs of a theory some answers of which nobody knows.
type blotted struct {
	*rand.Rand
	methods []history.MethodSig
	model   wgl.Model
	fresh   bool // no value is given twice
	values  []history.Value
	lines   []string
	returns []int // lines
	labels  []history.Label
}

// answers lists what a call may answer in a state.
func (b *blotted) answers(s wgl.State, l *history.Label) (all []history.Label) {
	if m, ok := b.model.(wgl.Answerer); ok {
		return m.Answers(s, l)
	}
	for _, own := range b.all(l) {
		if _, ok := b.model.Step(s, &own); ok {
			all = append(all, own)
		}
	}
	return all
}

// all lists what a call may answer at all.
func (b *blotted) all(l *history.Label) (all []history.Label) {
	k := slices.IndexFunc(b.methods, func(m history.MethodSig) bool { return m.Name == l.Method })
	for _, o := range b.methods[k].Outcomes {
		rets := [][]history.Value{nil}
		for range o.Rets {
			var longer [][]history.Value
			for _, r := range rets {
				for _, v := range b.values {
					longer = append(longer, append(slices.Clip(r), v))
				}
			}
			rets = longer
		}
		for _, r := range rets {
			all = append(all, history.Label{Kind: history.Kind{Method: l.Method, Outcome: o.Outcome}, Args: l.Args, Rets: r})
		}
	}
	return all
}

func returnLine(id int, l *history.Label) string {
	answer := []string{}
	switch l.Outcome {
	case history.None, history.Some:
	case history.Nil:
		answer = append(answer, "-")
	default:
		answer = append(answer, string(l.Outcome))
	}
	for _, v := range l.Rets {
		answer = append(answer, string(v))
	}
	return strings.TrimRight(fmt.Sprintf("[%d] return %s", id, strings.Join(answer, ", ")), " ")
}

// simulate makes the lines of a log, and spoils an answer now and then.
func (b *blotted) simulate() {
	for n := -9; n < 10 && !b.fresh; n++ {
		b.values = append(b.values, history.Value(strconv.Itoa(n)))
	}
	s := b.model.Init()
	type running struct {
		id    int
		label history.Label
		done  bool
	}
	var open []*running
	ids := 0
	for range 4 + b.IntN(14) {
		switch k := b.IntN(3); {
		case k >= len(open):
			m := b.methods[b.IntN(len(b.methods))]
			l := history.Label{Kind: history.Kind{Method: m.Name}}
			for range m.Args {
				v := strconv.Itoa(b.IntN(3))
				if b.fresh {
					v = strconv.Itoa(10 + len(b.values))
				}
				l.Args = append(l.Args, history.Value(v))
				if !slices.Contains(b.values, history.Value(v)) {
					b.values = append(b.values, history.Value(v))
				}
			}
			ids++
			open = append(open, &running{id: ids, label: l})
			args := make([]string, len(l.Args))
			for i, v := range l.Args {
				args[i] = string(v)
			}
			b.lines = append(b.lines, fmt.Sprintf("[%d] call %s(%s)", ids, m.Name, strings.Join(args, ", ")))
		case !open[k].done:
			o := open[k]
			all := b.answers(s, &o.label)
			if len(all) == 0 {
				continue
			}
			l := all[b.IntN(len(all))]
			if next, ok := b.model.Step(s, &l); ok {
				s, o.label, o.done = next, l, true
			}
		default:
			o := open[k]
			if some := b.all(&o.label); b.IntN(12) == 0 {
				o.label = some[b.IntN(len(some))]
			}
			b.returns, b.labels = append(b.returns, len(b.lines)), append(b.labels, o.label)
			b.lines = append(b.lines, returnLine(o.id, &o.label))
			open = slices.Delete(open, k, k+1)
		}
	}
}

// TestUnknownAnswers blots out answers of random logs of the examples: what is decided is what all logs with answers in their
// places are. With patterns alone that may be nothing.
func TestUnknownAnswers(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.theory.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			th, err := theory.Read(bytes.NewReader(src), file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := check.New(th, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var model wgl.Model
			searched := configurations.Searched(&th.Spec)
			if model = searched; searched == nil {
				if model, err = wgl.Builtin(th.Name); err != nil {
					t.Skip(err)
				}
			}
			seen := map[string]int{}
			for seed := range testsize.Samples(4_000 / uint64(len(files))) {
				b := &blotted{Rand: rand.New(rand.NewPCG(seed, 41)), methods: th.Spec.Methods, model: model, fresh: len(th.Spec.Language) > 0}
				if b.simulate(); len(b.returns) < 2 {
					continue
				}
				seen[b.compare(t, c, searched != nil)]++
			}
			t.Log(seen)
		})
	}
}

// compare compares a log with all that it may have been.
func (b *blotted) compare(t *testing.T, c *check.Checker, exact bool) string {
	t.Helper()
	own := slices.Clone(b.lines)
	out := b.Perm(len(b.returns))[:1+b.IntN(min(2, len(b.returns)-1))]
	for _, k := range out {
		id, _, _ := strings.Cut(own[b.returns[k]], " return")
		own[b.returns[k]] = id + " return _"
	}
	src := strings.Join(own, "\n") + "\n"
	got, err := c.CheckLog(t.Context(), strings.NewReader(src), "x")
	if err != nil {
		return "refused"
	}
	most, fits, refused := 0, false, false
	var fill func(k int)
	fill = func(k int) {
		switch {
		case fits || refused:
		case k == len(out):
			r, err := c.CheckLog(t.Context(), strings.NewReader(strings.Join(own, "\n")+"\n"), "x")
			refused = err != nil || r.Verdict != check.Linearizable && r.Verdict != check.Violation
			most, fits = max(most, r.Prefix), r.Verdict == check.Linearizable
		default:
			at, l := b.returns[out[k]], &b.labels[out[k]]
			for _, own1 := range b.all(l) {
				var id int
				fmt.Sscanf(own[at], "[%d]", &id)
				own[at] = returnLine(id, &own1)
				fill(k + 1)
			}
		}
	}
	fill(0)
	if refused && !fits {
		return "fillings refused"
	}
	counted := most
	for i := range most {
		if slices.ContainsFunc(out, func(k int) bool { return b.returns[k] == i }) {
			counted--
		}
	}
	switch {
	case got.Verdict == check.Linearizable && !fits, got.Verdict == check.Violation && fits,
		exact && got.Verdict == check.Inconclusive && len(b.returns) > len(out),
		got.Unknown > 0 && !fits && got.Prefix != counted:
		t.Fatalf("%+v, and with answers linearizable is %v, shortest prefix %d\n%s", got, fits, counted, src)
	}
	if got.Unknown > 0 && !fits {
		return "no answers fit"
	}
	return string(got.Verdict)
}
