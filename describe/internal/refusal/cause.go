package refusal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// order looks for answers that change with the order of the values alone: the
// same calls with values 1 and 2 exchanged are not answered with 1 and 2
// exchanged, although those with higher values in the same order are.
func (s *survey) order() *Refusal {
	w, ok := s.find(func(w word) bool {
		x, ok := s.exchanged(w)
		return ok && len(s.answer[w].Rets)+len(s.answer[x].Rets) > 0 && !s.agrees(w, x)
	})
	if !ok {
		return nil
	}
	x, _ := s.exchanged(w)
	return &Refusal{Kind: Order,
		Reason:  fmt.Sprintf("which value %s answers depends on which one is the smaller, and patterns compare values only for equality", s.method(w).Name),
		Example: []string{s.draw(w), s.draw(x)},
		Advice: []string{"for a priority queue, use check --theory theories/priorityqueue.theory.yaml (largest first; exchange < and > in it for smallest first)",
			itself}}
}

// exchanged is a word over the values 1 and 2, with these exchanged; ok is false
// if they are not both in it.
func (s *survey) exchanged(w word) (x word, ok bool) {
	var seen [3]bool
	out := make([]byte, len(w))
	for i := range len(w) {
		c := s.calls[w[i]]
		args := slices.Clone(c.Args)
		for j, k := range c.Args {
			if k > 2 || s.methods[c.Method].ArgDomain[j] == 2 {
				return "", false
			}
			seen[k], args[j] = true, 3-k
		}
		out[i] = byte(slices.IndexFunc(s.calls, func(d reference.Call) bool { return d.Method == c.Method && slices.Equal(d.Args, args) }))
	}
	x = word(out)
	_, answered := s.answer[x]
	return x, answered && seen[1] && seen[2]
}

// agrees reports whether the last answers of two words are the same but for an
// exchange of 1 and 2. Values that nobody passed in are for others to judge.
func (s *survey) agrees(w, x word) bool {
	a, b := s.answer[w], s.answer[x]
	swap := map[history.Value]history.Value{"1": "2", "2": "1"}
	if s.madeUp(w) || s.madeUp(x) || slices.ContainsFunc(a.Rets, isSeveral) {
		return true
	}
	return a.Outcome == b.Outcome && slices.EqualFunc(a.Rets, b.Rets, func(v, w history.Value) bool { return swap[v] == w })
}

// limit is a method that answers the same a number of times, and then not.
type limit struct {
	method       string
	times        int // at least 2
	first, after string
	rest         string // the call that is answered differently
}

// findLimits calls each method again and again, with new values each time.
func (s *survey) findLimits(ctx context.Context, impl reference.Implementation) error {
	var seqs [][]reference.Call
	for m := range s.methods {
		var seq []reference.Call
		next := 1
		for range mostOften {
			c := reference.Call{Method: m}
			for _, domain := range s.methods[m].ArgDomain {
				k := next
				if domain > 0 {
					k = (next-1)%domain + 1
				}
				c.Args = append(c.Args, k)
				next++
			}
			seq = append(seq, c)
		}
		seqs = append(seqs, seq)
	}
	answers, err := impl.Replay(ctx, seqs)
	var fault *reference.Fault
	if errors.As(err, &fault) {
		return nil // so many calls in a row may be more than it can bear
	}
	if err != nil {
		return err
	}
	for m, as := range answers {
		for n, a := range as {
			if n > 1 && !a.Blocked && a.Outcome != as[0].Outcome {
				s.limits = append(s.limits, &limit{s.methods[m].Name, n,
					DrawCall(s.methods, seqs[m][0], as[0]), string(as[0].Outcome), DrawCall(s.methods, seqs[m][n], a)})
			}
			if a.Blocked || a.Outcome != as[0].Outcome {
				break
			}
		}
	}
	return nil
}

// capacity looks for a method that has room for so many calls and no more.
func (s *survey) capacity() *Refusal {
	if len(s.limits) == 0 {
		return nil
	}
	l := s.limits[0]
	if s.only != "" && l.method != s.only {
		return nil
	}
	return &Refusal{Kind: Capacity,
		Reason:  fmt.Sprintf("%s answers differently after %d calls: there is a capacity, and patterns do not count", l.method, l.times),
		Example: []string{fmt.Sprintf("%s, %d times in all; %s", l.first, l.times, l.rest)},
		Advice:  []string{"if the capacity does not matter, make the reference unbounded", itself}}
}

// count looks for a call without values that has another effect the second time
// in a row.
func (s *survey) count() *Refusal {
	var once, x word
	w, ok := s.find(func(w word) bool {
		n := len(w)
		if n < 2 || w[n-1] != w[n-2] || len(s.values(w)) > 0 || s.differ(w, w[:n-1]) {
			return false
		}
		once = w[:n-1]
		if _, effect := s.distinguish(once, once[:n-2]); !effect {
			return false
		}
		var differs bool
		x, differs = s.distinguish(w, once)
		return differs
	})
	if !ok {
		return nil
	}
	return &Refusal{Kind: Count,
		Reason:  fmt.Sprintf("answers depend on how often %s was called, and patterns do not count", s.method(w).Name),
		Example: []string{s.draw(w + x), s.draw(once + x)},
		Advice:  []string{fmt.Sprintf("if each %s can have a value of its own, such as a ticket, let the caller pass it in, to tell the calls apart", s.method(w).Name), itself}}
}

// overwritten looks for a call after which an earlier one might as well not have
// been.
func (s *survey) overwritten() *Refusal {
	var x word
	w, ok := s.find(func(w word) bool {
		if len(w) != 2 || len(s.answer[w].Rets) > 0 || s.differ(w, w[1:]) {
			return false
		}
		if _, remains := s.distinguish(w, w[1:]); remains {
			return false
		}
		if _, effect := s.distinguish(w[:1], ""); !effect {
			return false
		}
		var changes bool
		x, changes = s.distinguish(w, w[:1])
		return changes
	})
	if !ok {
		return nil
	}
	last := s.method(w).Name
	return &Refusal{Kind: Overwritten,
		Reason:  fmt.Sprintf("%s undoes what an earlier call did, without a word about that call", last),
		Example: []string{s.draw(w + x)},
		Advice:  []string{fmt.Sprintf("let %s return what it undoes, or leave it out if implementations can be tested without it", last), itself}}
}

// silent looks for an answer that another call changes, although the two have no
// value in common.
func (s *survey) silent() *Refusal {
	w, ok := s.find(func(w word) bool {
		return len(w) == 2 && s.differ(w, w[1:]) && len(s.answer[w].Rets) == 0 && !share(s.values(w[:1]), s.values(w))
	})
	if !ok {
		return nil
	}
	first, last := s.method(w[:1]).Name, s.method(w).Name
	return &Refusal{Kind: Silent,
		Reason:  fmt.Sprintf("the answer of %s depends on a call of %s, but does not say on which", last, first),
		Example: []string{s.draw(w), s.draw(w[1:])},
		Advice:  []string{fmt.Sprintf("if %s can return a value of that call, as a lock can say who holds it, let it do so", last), itself}}
}

// several looks for an answer that depends on two earlier calls at once.
func (s *survey) several() *Refusal {
	w, ok := s.find(func(w word) bool {
		return len(w) == 3 && s.differ(w, w[1:]) && s.differ(w, w[:1]+w[2:]) && len(s.answer[w].Rets) == 0
	})
	if !ok {
		return nil
	}
	return &Refusal{Kind: Several,
		Reason:  fmt.Sprintf("the answer of %s depends on several calls at once, and patterns need one that it belongs to", s.method(w).Name),
		Example: []string{s.draw(w), s.draw(w[1:]), s.draw(w[:1] + w[2:])},
		Advice:  []string{itself}}
}

// repeated looks for a value with which a method can be called twice, to some
// effect: a language may forbid that.
func (s *survey) repeated() *Refusal {
	var x word
	w, ok := s.find(func(w word) bool {
		if len(w) != 2 || w[0] != w[1] || len(s.calls[w[0]].Args) == 0 || s.differ(w, w[:1]) {
			return false
		}
		var effect bool
		x, effect = s.distinguish(w, w[:1])
		return effect
	})
	if !ok {
		return nil
	}
	name := s.method(w).Name
	return &Refusal{Kind: Repeated,
		Reason:  fmt.Sprintf("the same value may be passed to %s twice, and then no answer says which of the two calls it comes from", name),
		Example: []string{s.draw(w + x), s.draw(w[:1] + x)},
		Advice:  []string{"leave out your own language, and adtinfer looks for one in which each value occurs only once", itself}}
}

// stops is the refusal of a reference that panics, exits or hangs.
func stops(f *reference.Fault) error {
	r := &Refusal{Kind: Stops, Reason: f.Error(), Err: f}
	switch f.Reason {
	case driver.EndsProcess:
		r.Advice = []string{"if callers must not call it then, let it return a bool or an error, or panic with reference.Blocked, which says that the call cannot be made"}
	case driver.Hangs:
		r.Advice = []string{"if it waits for another call, let it panic with reference.Blocked, or return that as its error, instead of waiting"}
	default:
		return f
	}
	return r
}

// foreign finds the reason for an answer that nobody passed in: a value
// that is there before any other, a count, an id.
func (s *survey) foreign(f *matching.Foreign) *Refusal {
	name := f.Execution[len(f.Execution)-1].Method
	if several, ok := s.find(func(w word) bool { return s.method(w).Name == name && slices.ContainsFunc(s.answer[w].Rets, isSeveral) }); ok {
		return &Refusal{Kind: MadeUp,
			Reason:  name + " answers with several values in one, and patterns compare single values",
			Example: []string{s.draw(several)}, Advice: []string{itself}}
	}
	example, ok := s.find(func(w word) bool { return s.method(w).Name == name && s.madeUp(w) })
	if !ok { // longer than the survey's words
		return &Refusal{Kind: MadeUp, Reason: name + " answers with a value that nobody passed in",
			Example: []string{history.Sequential(f.Execution...).String()}, Advice: s.idAdvice(name)}
	}
	_, passes := s.find(func(w word) bool {
		return s.method(w).Name == name && slices.ContainsFunc(s.answer[w].Rets, passedIn)
	})
	computed, computes := s.find(func(w word) bool {
		return s.method(w).Name == name && s.foreignElse(w, example)
	})
	switch {
	case passes && !computes:
		return s.initial(name, example)
	case !s.mutates(name) && numeric(s.method(example)):
		if !computes {
			computed = example
		}
		return &Refusal{Kind: Count,
			Reason:  fmt.Sprintf("%s answers with a number that it computes, and patterns compare values without computing", name),
			Example: []string{s.draw(computed)},
			Advice:  []string{itself}}
	}
	return &Refusal{Kind: MadeUp,
		Reason:  fmt.Sprintf("%s answers with a value that it makes up, and patterns know only values that callers pass in", name),
		Example: []string{s.draw(example)},
		Advice:  s.idAdvice(name)}
}

// madeUp reports whether the last answer has a value that nobody passed in.
func (s *survey) madeUp(w word) bool {
	return slices.ContainsFunc(s.answer[w].Rets, reference.IsForeign)
}

func numeric(m *reference.Method) bool {
	return !slices.ContainsFunc(m.Rets, func(t string) bool {
		return t != "bool" && !strings.HasPrefix(t, "int") && !strings.HasPrefix(t, "uint")
	})
}

// initial is the refusal of a method whose value is there before any other.
func (s *survey) initial(name string, example word) *Refusal {
	m := s.method(example)
	rets := strings.Join(m.Rets, ", ")
	return &Refusal{Kind: Initial,
		Reason:  fmt.Sprintf("%s answers with a value before anybody passed one in", name),
		Example: []string{s.draw(example)},
		Advice: []string{fmt.Sprintf("let it say that there is no value yet: %s(%s) (%s, bool), which then returns false",
			m.GoName, strings.Join(m.Args, ", "), rets), itself}}
}

// idAdvice is what can be done about a method that answers with a value of its own. One
// that changes nothing has no caller who could choose it.
func (s *survey) idAdvice(name string) []string {
	if !s.mutates(name) {
		return []string{itself}
	}
	return []string{"let the caller choose the value and pass it to " + name, itself}
}

// itself is what can be done about every reference.
const itself = "without a specification, check against the reference itself: adtinfer check --ref"

func passedIn(v history.Value) bool { return !reference.IsForeign(v) && !isSeveral(v) }

// isSeveral reports whether a value of an answer has several arguments in it.
func isSeveral(v history.Value) bool { return strings.ContainsAny(string(v[:min(1, len(v))]), "[{&m") }

// foreignElse reports whether the last answer has a value that nobody passed in
// and that the example does not have there.
func (s *survey) foreignElse(w, example word) bool {
	first := s.answer[example].Rets
	for i, v := range s.answer[w].Rets {
		if reference.IsForeign(v) && (i >= len(first) || v != first[i]) {
			return true
		}
	}
	return false
}
