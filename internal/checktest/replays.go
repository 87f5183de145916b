package checktest

import (
	"context"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/states"
	"github.com/adtinfer/adtinfer/reference"
)

// Replays keeps the states of a reference in the most obvious way: each sequence of
// calls that is made leads to a state of its own, and is run from the first call on.
func Replays(impl reference.Implementation) reference.Implementation {
	if a, ok := impl.(reference.Acceptor); ok {
		return &acceptorReplays{a}
	}
	return &replays{impl}
}

type replays struct{ reference.Implementation }

type acceptorReplays struct{ reference.Acceptor }

// States are those of a deterministic reference.
func (r *replays) States(context.Context) (states.Space, error) { return newSpace(r, nil), nil }

// States are those of an acceptor.
func (r *acceptorReplays) States(context.Context) (states.Space, error) {
	return newSpace(r, r.Acceptor), nil
}

// sequences is a Space of sequences of calls.
type sequences struct {
	impl     reference.Implementation
	acceptor reference.Acceptor
	calls    []history.Label
	numbers  map[string]int32 // of calls
	answers  []states.Answer
	paths    [][]int32 // by state
	steps    map[[2]int32][2]int32
}

func newSpace(impl reference.Implementation, a reference.Acceptor) *sequences {
	return &sequences{impl: impl, acceptor: a, paths: [][]int32{nil}, numbers: map[string]int32{}, steps: map[[2]int32][2]int32{}}
}

func (*sequences) Kept() states.Kept { return states.Kept{Why: []string{"this is a test"}} }
func (*sequences) Start() int32      { return 0 }
func (*sequences) Close() error      { return nil }

func (s *sequences) Answer(n int32) states.Answer { return s.answers[n] }

// Text is the calls that led to a state.
func (s *sequences) Text(_ context.Context, state int32) (string, error) {
	var calls []string
	for _, c := range s.paths[state] {
		calls = append(calls, s.calls[c].String())
	}
	return "after(" + strings.Join(calls, " ") + ")", nil
}

// Call numbers a call.
func (s *sequences) Call(l *history.Label) (int32, error) {
	if s.acceptor == nil {
		l = &history.Label{Kind: history.Kind{Method: l.Method, Outcome: history.None}, Args: l.Args}
	}
	key := fmt.Sprintf("%q", *l)
	n, ok := s.numbers[key]
	if !ok {
		n = int32(len(s.calls))
		s.calls, s.numbers[key] = append(s.calls, *l), n
	}
	return n, nil
}

// Step runs the calls that led to a state, and one more.
func (s *sequences) Step(ctx context.Context, state, call int32, _ []int32) (next, answer int32, err error) {
	if known, ok := s.steps[[2]int32{state, call}]; ok {
		return known[0], known[1], nil
	}
	path := append(append([]int32(nil), s.paths[state]...), call)
	a, err := s.run(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	next = state
	if !a.Blocked {
		next = int32(len(s.paths))
		s.paths = append(s.paths, path)
	}
	s.answers = append(s.answers, a)
	s.steps[[2]int32{state, call}] = [2]int32{next, int32(len(s.answers) - 1)}
	return next, int32(len(s.answers) - 1), nil
}

// run is the answer of the last call.
func (s *sequences) run(ctx context.Context, path []int32) (states.Answer, error) {
	if s.acceptor != nil {
		var labels []history.Label
		for _, c := range path {
			labels = append(labels, quoted(s.calls[c]))
		}
		counts, err := s.acceptor.Accepts(ctx, [][]history.Label{labels})
		if err != nil {
			return states.Answer{}, err
		}
		last := s.calls[path[len(path)-1]]
		return states.Answer{Outcome: last.Outcome, Rets: last.Rets, Blocked: counts[0] < len(path)}, nil
	}
	var calls []reference.Call
	for _, c := range path {
		for i, m := range s.impl.Methods() {
			if m.Name == s.calls[c].Method {
				calls = append(calls, reference.Call{Method: i, Values: s.calls[c].Args})
			}
		}
	}
	got, err := s.impl.Replay(ctx, [][]reference.Call{calls})
	if err != nil {
		return states.Answer{}, err
	}
	a := got[0][len(calls)-1]
	for i, v := range a.Rets {
		a.Rets[i] = history.Value(strings.Trim(string(v), `()"`))
	}
	return states.Answer{Outcome: a.Outcome, Rets: a.Rets, Blocked: a.Blocked}, nil
}

// quoted is a label with values as Accepts takes them: by their Go text.
func quoted(l history.Label) history.Label {
	text := func(vs []history.Value) (texts []history.Value) {
		for _, v := range vs {
			texts = append(texts, "("+v+")")
		}
		return texts
	}
	l.Args, l.Rets = text(l.Args), text(l.Rets)
	return l
}
