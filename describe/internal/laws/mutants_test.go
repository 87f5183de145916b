package laws

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestOpenMutants: laws that do not determine every answer tell most wrong versions of a
// type from it all the same. Nothing else is known of these types.
func TestOpenMutants(t *testing.T) {
	testsize.NeedsNightly(t, "types that nobody had seen, and their mutants")
	all, seen, behind := 0, 0, 0
	for _, half := range []string{"first", "second"} {
		open := func(name string) bool { return !slices.Contains(frozen[half], name) }
		each(t, half, open, func(t *testing.T, name string, impl reference.Implementation, o Options) {
			missed, made := learned(t, impl, o).unseen(t, impl)
			if made == 0 {
				t.Skip("no wrong version answers otherwise within few calls")
			}
			t.Logf("%d of %d wrong versions are told: not %q", made-len(missed), made, missed)
			all, seen = all+made, seen+made-len(missed)
			if (made-len(missed))*100 < 85*made {
				behind++
			}
		})
	}
	t.Logf("%d of %d wrong versions are told; %d types tell fewer than 85%%", seen, all, behind)
	if seen*100 < 60*all {
		t.Error("fewer than 60%")
	}
}

// unseen are the names of the mutants that answer otherwise than the reference within few
// calls, and that no law rejects; made is how many answer otherwise. Laws that are wrong
// about the reference in the same runs do not count.
func (l *learner) unseen(t *testing.T, impl reference.Implementation) (missed []string, made int) {
	told, err := judge.Tells(t.Context(), impl, nil)
	if err != nil {
		t.Skip(err)
	}
	right := l.wrongOf(t, impl, nil, nil)
	for _, m := range judge.All(impl.Methods()) {
		if !slices.Contains(told.Missed, m.Name) {
			continue
		}
		if made++; len(l.wrongOf(t, impl, &m, right)) == 0 {
			missed = append(missed, m.Name)
		}
	}
	return missed, made
}

// wrongOf are the laws that are wrong about a mutant, without some; nil: about the reference.
// Of a mutant one is enough.
func (l *learner) wrongOf(t *testing.T, impl reference.Implementation, m *judge.Mutant, but map[string]bool) map[string]bool {
	w := *l.w
	w.space = &byReplay{ctx: t.Context(), impl: impl, mutant: m, next: map[states.Pair]int32{}, answers: []states.Answer{{}}, nodes: []node{{-1, -1, -1}}}
	w.calls, w.steps, w.told, w.seen = map[string]int32{}, map[uint64]step{}, map[uint64][]eq.Value{}, map[sight]eq.Value{}
	of := *l
	of.w = &w
	runs := w.along(t)
	some := of.chosen(runs)
	wrong := map[string]bool{}
	look := func(name string, p *problem, rows func() ([]row, error)) {
		if p == nil || !p.law.Total() || but[name] || m != nil && len(wrong) > 0 || len(some) == 0 {
			return
		}
		q := *p
		q.w = &w
		rs, err := rows()
		if err == nil {
			var bad []row
			if bad, err = q.wrong(rs); len(bad) > 0 {
				wrong[name] = true
			}
		}
		if fault := (*reference.Fault)(nil); errors.As(err, &fault) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for o, ob := range l.all {
		if ob.counts {
			continue
		}
		look("is "+ob.name, l.derived[o], func() ([]row, error) { return of.stateRows(o, some) })
		look("at first "+ob.name, l.start[o], func() ([]row, error) { return of.startRows(o, runs) })
		for k := range w.methods {
			look("after "+w.methods[k].Name+" "+ob.name, l.after[[2]int{k, o}], func() ([]row, error) { return of.effectRows(k, o, some) })
		}
	}
	return wrong
}

// along are runs of words of calls that mutants can be asked.
func (w *world) along(t *testing.T) (runs []*run) {
	for i := range uint64(60) {
		g := teacher.NewGenerator(w.methods, 1<<50+i)
		r := &run{rnd: g.Rand, pool: map[eq.Sort][]eq.Value{}}
		for _, c := range (teacher.Texts{Methods: w.methods}).Of(g.Random(2 + int(i)/5)) {
			args := make([]eq.Value, len(c.Args))
			for p, text := range c.Args {
				args[p] = w.value(&w.methods[c.Method].Params[p], string(text))
			}
			n, ok := w.call(c.Method, args)
			if !ok {
				break
			}
			r.next, r.call = transition{from: r.state, method: c.Method, args: args, run: r}, n
			if err := w.fill(func() { w.step(r.state, r.call) }); err != nil {
				break
			}
			if w.space.Answer(w.steps[uint64(r.state)<<32|uint64(n)].answer).Blocked {
				break
			}
			w.follow(r)
		}
		runs = append(runs, r)
	}
	return runs
}

// byReplay are states of a mutant, each the calls that led to it, as numbers of values.
type byReplay struct {
	states.Space
	ctx     context.Context
	impl    reference.Implementation
	mutant  *judge.Mutant // nil: the reference
	calls   []reference.Call
	nodes   []node
	next    map[states.Pair]int32
	answers []states.Answer
}

type node struct{ before, call, answer int32 }

func (s *byReplay) Start() int32                 { return 0 }
func (s *byReplay) Answer(n int32) states.Answer { return s.answers[n] }

var errNoNumber = errors.New("no value with a number")

func (s *byReplay) Call(l *history.Label) (int32, error) {
	methods := s.impl.Methods()
	c := reference.Call{Method: slices.IndexFunc(methods, func(m reference.Method) bool { return m.Name == l.Method })}
	m := &methods[c.Method]
	for p, v := range l.Args {
		k := 1
		for ; k <= 40 && m.Params[p].Numbered(k) != string(v); k++ {
		}
		if k > 40 || m.ArgDomain[p] > 0 && k > m.ArgDomain[p] {
			return 0, errNoNumber
		}
		c.Args = append(c.Args, k)
	}
	s.calls = append(s.calls, c)
	return int32(len(s.calls) - 1), nil
}

func (s *byReplay) Step(ctx context.Context, state, call int32, _ func() []states.Ahead) (next, answer int32, err error) {
	n, ok := s.next[states.Pair{State: state, Call: call}]
	if !ok {
		return 0, 0, errors.New("not walked")
	}
	return n, s.nodes[n].answer, nil
}

func (s *byReplay) Walk(ctx context.Context, steps []states.Pair) error {
	words := make([][]reference.Call, len(steps))
	for i, p := range steps {
		words[i] = append(words[i], s.calls[p.Call])
		for n := p.State; n > 0; n = s.nodes[n].before {
			words[i] = append(words[i], s.calls[s.nodes[n].call])
		}
		slices.Reverse(words[i])
	}
	replay := func(seqs [][]reference.Call) ([][]reference.Answer, error) { return s.impl.Replay(ctx, seqs) }
	if s.mutant != nil {
		replay = func(seqs [][]reference.Call) ([][]reference.Answer, error) { return s.mutant.Replay(ctx, s.impl, seqs) }
	}
	got, err := replay(words)
	if err != nil {
		return err
	}
	for i, p := range steps {
		a := states.Answer{Blocked: true}
		if len(got[i]) == len(words[i]) {
			a = s.answer(s.calls[p.Call].Method, got[i][len(got[i])-1])
		}
		s.answers = append(s.answers, a)
		s.next[p] = int32(len(s.nodes))
		s.nodes = append(s.nodes, node{p.State, p.Call, int32(len(s.answers) - 1)})
	}
	return nil
}

// answer has the values of an answer as logs have them.
func (s *byReplay) answer(method int, a reference.Answer) states.Answer {
	out := states.Answer{Outcome: a.Outcome, Blocked: a.Blocked}
	for p, v := range a.Rets {
		b := &s.impl.Methods()[method].Results[p]
		text, ok := b.OfAnswer(string(v), nil)
		if !ok {
			text = b.Rename(string(v), func(b values.Basic, v string) (string, bool) {
				if k, err := strconv.Atoi(v); err == nil {
					return b.Numbered(k), true
				}
				if !reference.IsForeign(history.Value(v)) {
					return "", false
				}
				v = v[1 : len(v)-1]
				if s, err := strconv.Unquote(v); err == nil {
					v = s
				}
				return v, true
			})
		}
		out.Rets = append(out.Rets, history.Value(text))
	}
	return out
}
