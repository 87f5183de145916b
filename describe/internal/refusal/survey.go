package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// word is a sequence of calls, as indices into a survey's calls.
type word string

// survey is the answers of a reference to all short words.
type survey struct {
	methods []reference.Method
	calls   []reference.Call
	length  int                       // of the longest words
	words   [][]word                  // by length, in order
	answer  map[word]reference.Answer // to the last call of a word
	limits  []*limit
	repeats bool   // a value may come twice: the language is given
	only    string // look at words with this method; "" at all
}

// Bounds of a survey.
const (
	mostWords  = 50_000 // of the greatest length
	mostLength = 4
	mostCalls  = 20  // that three values may lead to; otherwise two are used
	mostOften  = 300 // calls of one method in the search for a capacity
)

// newSurvey asks a deterministic reference. A survey is without answers beyond a
// call that blocks.
func newSurvey(ctx context.Context, impl reference.Implementation) (*survey, error) {
	s := &survey{methods: impl.Methods(), answer: map[word]reference.Answer{}}
	if s.calls = callsOver(s.methods, 3); len(s.calls) > mostCalls {
		s.calls = callsOver(s.methods, 2)
	}
	s.words = [][]word{{""}}
	for size := len(s.calls); s.length < mostLength && size <= mostWords && len(s.calls) < 256; size *= len(s.calls) {
		s.length++
		var longer []word
		for _, w := range s.words[s.length-1] {
			for c := range s.calls {
				longer = append(longer, w+word([]byte{byte(c)}))
			}
		}
		s.words = append(s.words, longer)
	}
	if err := s.ask(ctx, impl); err != nil {
		return nil, err
	}
	return s, s.findLimits(ctx, impl)
}

// callsOver lists the calls with arguments from 1 to n.
func callsOver(methods []reference.Method, n int) (calls []reference.Call) {
	for m := range methods {
		tuples := [][]int{nil}
		for _, domain := range methods[m].ArgDomain {
			most := n
			if domain > 0 {
				most = min(n, domain)
			}
			var longer [][]int
			for _, t := range tuples {
				for v := 1; v <= most; v++ {
					longer = append(longer, append(slices.Clone(t), v))
				}
			}
			tuples = longer
		}
		for _, t := range tuples {
			calls = append(calls, reference.Call{Method: m, Args: t})
		}
	}
	return calls
}

// ask has the longest words answered; they contain all others.
func (s *survey) ask(ctx context.Context, impl reference.Implementation) error {
	longest := s.words[s.length]
	seqs := make([][]reference.Call, len(longest))
	for i, w := range longest {
		seqs[i] = s.sequence(w)
	}
	answers, err := impl.Replay(ctx, seqs)
	if err != nil {
		return err
	}
	for i, w := range longest {
		for n, a := range answers[i] {
			if !a.Blocked {
				s.answer[w[:n+1]] = a
			}
		}
	}
	return nil
}

func (s *survey) sequence(w word) (seq []reference.Call) {
	for i := range len(w) {
		seq = append(seq, s.calls[w[i]])
	}
	return seq
}

// find returns the first word of at least one call for which ok holds, short
// ones first.
func (s *survey) find(ok func(word) bool) (word, bool) {
	for _, ws := range s.words[1:] {
		for _, w := range ws {
			if _, answered := s.answer[w]; answered && (s.only == "" || s.has(w, s.only)) && ok(w) {
				return w, true
			}
		}
	}
	return "", false
}

// differ reports whether the last calls of two words have different answers.
func (s *survey) differ(v, w word) bool {
	a, okA := s.answer[v]
	b, okB := s.answer[w]
	return okA && okB && !a.Equal(b)
}

// distinguish finds the shortest continuation that is answered differently after two
// words: they lead to different states.
func (s *survey) distinguish(v, w word) (word, bool) {
	for n := 1; n+max(len(v), len(w)) <= s.length; n++ {
		for _, x := range s.words[n] {
			if s.differ(v+x, w+x) {
				return x, true
			}
		}
	}
	return "", false
}

// has reports whether a method is called in a word.
func (s *survey) has(w word, method string) bool {
	for i := range len(w) {
		if s.method(w[:i+1]).Name == method {
			return true
		}
	}
	return false
}

// method is that of the last call of a word.
func (s *survey) method(w word) *reference.Method {
	return &s.methods[s.calls[w[len(w)-1]].Method]
}

// values are the arguments and results of the last call of a word.
func (s *survey) values(w word) (vs []history.Value) {
	for _, k := range s.calls[w[len(w)-1]].Args {
		vs = append(vs, history.Value(fmt.Sprint(k)))
	}
	return append(vs, s.answer[w].Rets...)
}

// share reports whether two sets of values have one in common.
func share(a, b []history.Value) bool {
	return slices.ContainsFunc(a, func(v history.Value) bool { return slices.Contains(b, v) })
}

// mutates reports whether some later answer depends on a method's call.
func (s *survey) mutates(method string) bool {
	_, ok := s.find(func(w word) bool {
		if s.method(w).Name != method {
			return false
		}
		_, apart := s.distinguish(w, w[:len(w)-1])
		return apart
	})
	return ok
}

// draw writes the calls of a word with their answers: "put(a, 1); get(a) => 1".
func (s *survey) draw(w word) string {
	parts := make([]string, len(w))
	for i := range len(w) {
		parts[i] = DrawCall(s.methods, s.calls[w[i]], s.answer[w[:i+1]])
	}
	return strings.Join(parts, "; ")
}

// DrawCall writes a call with its answer: "put(a, 1)", "get(a) => 1".
func DrawCall(methods []reference.Method, c reference.Call, a reference.Answer) string {
	m := &methods[c.Method]
	var args, rets []string
	for i, k := range c.Args {
		args = append(args, drawValue(m.Args[i], m.ArgDomain[i], k))
	}
	for i, v := range c.Values {
		text, _ := m.Params[i].Text(string(v))
		args = append(args, text)
	}
	text := m.Name
	if len(args) > 0 {
		text += "(" + strings.Join(args, ", ") + ")"
	}
	for i, v := range a.Rets {
		var k int
		if _, err := fmt.Sscan(string(v), &k); err == nil {
			rets = append(rets, drawValue(m.Rets[i], 0, k))
		} else {
			rets = append(rets, strings.Trim(string(v), "()"))
		}
	}
	switch {
	case len(rets) > 0 && a.Outcome != history.Some:
		return text + " => " + string(a.Outcome) + " " + strings.Join(rets, ", ")
	case len(rets) > 0:
		return text + " => " + strings.Join(rets, ", ")
	case a.Outcome != history.None && a.Outcome != "":
		return text + " => " + string(a.Outcome)
	}
	return text
}

// drawValue writes the k-th value of a type: letters for what is no number.
func drawValue(typ string, domain, k int) string {
	numeric := strings.HasPrefix(typ, "int") || strings.HasPrefix(typ, "uint")
	switch {
	case domain == 2, typ == "bool":
		return fmt.Sprint(k == 1)
	case !numeric && k <= 26:
		return string(rune('a' + k - 1))
	}
	return fmt.Sprint(k)
}
