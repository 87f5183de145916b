package judge

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/reference"
)

// effect is what a mutant's call does: the calls of the reference that run in
// its place. The first of them gives the answer; without any, the answer is what
// the call would have answered, and nothing changes.
type effect func(calls []reference.Call, i int) []reference.Call

// effects are the mutants in which a method does something else.
func effects(methods []reference.Method, method int) []Mutant {
	m := &methods[method]
	var all []Mutant
	add := func(name string, of func(calls []reference.Call, i int) []reference.Call) {
		all = append(all, Mutant{Name: m.Name + " " + name, Method: m.Name, effect: func(calls []reference.Call, i int) []reference.Call {
			if calls[i].Method != method {
				return calls[i : i+1]
			}
			return of(calls, i)
		}})
	}
	add("does nothing", func([]reference.Call, int) []reference.Call { return nil })
	add("takes effect twice", func(calls []reference.Call, i int) []reference.Call {
		return []reference.Call{calls[i], calls[i]}
	})
	add("does nothing every second time", everySecond)
	if len(m.Args) > 1 {
		add("does nothing right after one with the same "+ordinal(0, len(m.Args), "argument"), overwrites)
	}
	for p := range m.Args {
		add("acts on another value than its "+ordinal(p, len(m.Args), "argument"), onAnother(methods, p))
	}
	return all
}

func everySecond(calls []reference.Call, i int) []reference.Call {
	n := 0
	for _, c := range calls[:i] {
		if c.Method == calls[i].Method {
			n++
		}
	}
	if n%2 == 1 {
		return nil
	}
	return calls[i : i+1]
}

// overwrites leaves out a call that would overwrite what the one before it did.
func overwrites(calls []reference.Call, i int) []reference.Call {
	if i > 0 && calls[i-1].Method == calls[i].Method && calls[i-1].Args[0] == calls[i].Args[0] {
		return nil
	}
	return calls[i : i+1]
}

// onAnother puts the last other value of its type in the place of an argument.
func onAnother(methods []reference.Method, p int) effect {
	return func(calls []reference.Call, i int) []reference.Call {
		c := calls[i]
		m := &methods[c.Method]
		other := lastOther(methods, calls[:i], m.Args[p], c.Args[p])
		if other == 0 || m.ArgDomain[p] > 0 && other > m.ArgDomain[p] {
			return calls[i : i+1]
		}
		args := append([]int(nil), c.Args...)
		args[p] = other
		return []reference.Call{{Method: c.Method, Args: args}}
	}
}

// lastOther is the last argument of a type that is not the given value, or 0.
func lastOther(methods []reference.Method, calls []reference.Call, typ string, value int) int {
	for i := len(calls) - 1; i >= 0; i-- {
		args := methods[calls[i].Method].Args
		for p := len(args) - 1; p >= 0; p-- {
			if args[p] == typ && calls[i].Args[p] != value {
				return calls[i].Args[p]
			}
		}
	}
	return 0
}

// run is a sequence as a mutant runs it.
type run struct {
	calls []reference.Call // those that change the object
	at    []int            // by call of the sequence: how many of calls are before it
	probe []int            // by call of the sequence: the replay that ends with its answer
}

// What stands for a replay in run.probe.
const (
	answered       = -1 // the call is one of run.calls, at its place
	constantAnswer = -2 // the method has one answer only
)

// replayEffect replays what calls do in the mutant. A call that does nothing is
// answered by a replay of its own, which ends with it.
func (m *Mutant) replayEffect(ctx context.Context, impl reference.Implementation, seqs [][]reference.Call) ([][]reference.Answer, error) {
	methods := impl.Methods()
	runs := make([]run, len(seqs))
	replays := make([][]reference.Call, len(seqs), 2*len(seqs))
	for i, calls := range seqs {
		room := make([]int, 2*len(calls))
		r := run{calls: make([]reference.Call, 0, len(calls)+len(calls)/2), at: room[:len(calls)], probe: room[len(calls):]}
		for j, c := range calls {
			do := m.effect(calls, j)
			r.at[j] = len(r.calls)
			r.calls = append(r.calls, do...)
			switch {
			case len(do) > 0:
				r.probe[j] = answered
			case answersNothing(&methods[c.Method]):
				r.probe[j] = constantAnswer
			default:
				r.probe[j] = len(replays)
				replays = append(replays, slices.Concat(r.calls, calls[j:j+1]))
			}
		}
		runs[i], replays[i] = r, r.calls
	}
	got, err := impl.Replay(ctx, replays)
	if err != nil {
		return nil, err
	}
	out := make([][]reference.Answer, len(seqs))
	for i := range runs {
		out[i] = runs[i].answers(methods, seqs[i], got[i], got)
	}
	return out, nil
}

// answers picks the answers to the sequence out of the replays, the first of
// which is of the calls that change the object.
func (r *run) answers(methods []reference.Method, calls []reference.Call, main []reference.Answer, all [][]reference.Answer) []reference.Answer {
	n := len(main)
	blocked := n > 0 && main[n-1].Blocked
	out := make([]reference.Answer, 0, len(calls))
	for j, c := range calls {
		var a reference.Answer
		switch probe := r.probe[j]; {
		case blocked && r.at[j] >= n:
			return out
		case probe == answered:
			a = main[r.at[j]]
		case probe == constantAnswer:
			a = reference.Answer{Outcome: methods[c.Method].Outcomes[0].Outcome}
		default:
			a = all[probe][len(all[probe])-1]
		}
		if out = append(out, a); a.Blocked {
			return out
		}
	}
	return out
}
