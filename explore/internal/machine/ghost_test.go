package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// directed is a counter whose operations add 1 atomically, with a directive after it; another
// operation, get, loads the count twice, with a directive between the loads.
func directed(add, get []ir.Instr, policy *ir.Policy) *ir.Program {
	p := counter("atomic")
	p.Consts = []ir.Word{1, 0, 2}
	f := p.Funcs[2]
	f.Kinds = append(f.Kinds, ir.Data)
	f.Code = slices.Insert(f.Code, 2, add...)
	g := &ir.Func{Name: "Get", Defers: -1, Recovers: -1, Params: 1, Results: 1, Kinds: slices.Clone(f.Kinds)}
	load := ir.Instr{Op: ir.AtomicLoad, Dst: 2, A: 1, N: 1}
	g.Code = append(append([]ir.Instr{f.Code[0], load}, get...), load, f.Code[len(f.Code)-1])
	p.Funcs = append(p.Funcs, g,
		&ir.Func{Name: "always", Defers: -1, Recovers: -1, Params: 2, Results: 1, Kinds: []ir.Kind{ir.Ptr, ir.Data}, Code: []ir.Instr{{Op: ir.Return, Args: []ir.Arg{{At: -1, N: 1}}}}},
		&ir.Func{Name: "helped", Defers: -1, Recovers: -1, Params: 2, Kinds: []ir.Kind{ir.Ptr, ir.Data}, Code: []ir.Instr{
			ghost(ir.Instr{M: ir.GhostBegin}), ghost(ir.Instr{M: ir.GhostAnnounce, To: 1, Args: []ir.Arg{{At: 1, N: 1}}}), ghost(ir.Instr{M: ir.GhostGoto, To: 1}), ghost(ir.Instr{M: ir.GhostEnd}), {Op: ir.Return}}},
		&ir.Func{Name: "below 2", Defers: -1, Recovers: -1, Params: 1, Results: 1, Kinds: []ir.Kind{ir.Ptr, ir.Ptr, ir.Data}, Code: []ir.Instr{
			f.Code[0], {Op: ir.Load, Dst: 2, A: 1, N: 1}, {Op: ir.Lt, Dst: 2, A: 2, B: -3}, {Op: ir.Return, Args: []ir.Arg{{At: 2, N: 1}}}}},
		&ir.Func{Name: "unwanted", Defers: -1, Recovers: -1, Params: 2, Kinds: []ir.Kind{ir.Ptr, ir.Data}, Code: append(directive(ir.Instr{M: ir.GhostAssume, A: -2}), ir.Instr{Op: ir.Return})},
	)
	p.Funcs = append(p.Funcs, refuting)
	for _, f := range p.Funcs {
		f.Finish()
	}
	p.Ops = append(p.Ops, ir.Operation{Method: "get", GoName: "Get", Func: 3, Results: []ir.Form{{Kind: ir.I64}}})
	p.Policy = policy
	policy.States, policy.Messages = []string{"start", "helped"}, []string{"added"}
	return p
}

func ghost(in ir.Instr) ir.Instr {
	in.Op = ir.Ghost
	return in
}

func directive(ins ...ir.Instr) []ir.Instr {
	all := []ir.Instr{ghost(ir.Instr{M: ir.GhostBegin})}
	for _, in := range ins {
		if in.Op == 0 {
			in = ghost(in)
		}
		all = append(all, in)
	}
	return append(all, ghost(ir.Instr{M: ir.GhostEnd}))
}

var (
	announceAdd = ir.Instr{M: ir.GhostAnnounce, To: 0, Args: []ir.Arg{{At: 2, N: 1}}}
	announceGet = ir.Instr{M: ir.GhostAnnounce, To: 1, Args: []ir.Arg{{At: 2, N: 1}}}
	before      = ir.Instr{M: ir.GhostBroadcast, Args: []ir.Arg{{At: 2, N: 1}}}
	after       = ir.Instr{M: ir.GhostBroadcast, C: 1, Args: []ir.Arg{{At: 2, N: 1}}}
	own         = ir.Instr{M: ir.GhostOwn, A: 0}
)

var (
	guess   = ir.Instr{M: ir.GhostGuess}
	guesses = ir.Policy{Guesses: []string{"won"}}
)

// refuting is a rule in which the guess of a get turns out to be wrong if it was true.
var refuting = &ir.Func{Name: "refuting", Defers: -1, Recovers: -1, Params: 2, Kinds: []ir.Kind{ir.Ptr, ir.Data}, Code: append(directive(ir.Instr{M: ir.GhostAssume, A: -2}), ir.Instr{Op: ir.Return})}

// TestDirectives lists all that comes of directives: what is announced in a step, "thread op
// answer", and faults.
func TestDirectives(t *testing.T) {
	rule := ir.Rule{Op: 1, State: 0, Message: 0, If: 4, Do: 5}
	late := rule
	late.After = true
	unwanted := rule
	unwanted.Do = 7
	for _, c := range []struct {
		name     string
		add, get []ir.Instr
		policy   ir.Policy
		plans    [][]int32
		want     []string // of any step, sorted
	}{
		{"announcements of the own operation", directive(announceAdd, announceGet), directive(announceGet, announceAdd), ir.Policy{}, [][]int32{{0}, {1}}, []string{"0 add 1", "1 get 0", "1 get 1"}},
		{"none twice", directive(announceAdd, announceAdd), nil, ir.Policy{}, [][]int32{{0}}, []string{"0 add 1; 0 add 1"}},
		{"a rule before", directive(before, announceAdd, after), nil, ir.Policy{Rules: []ir.Rule{rule}}, [][]int32{{0}, {1}}, []string{"0 add 1", "1 get 1; 0 add 1"}},
		{"a rule after", directive(before, announceAdd, after), nil, ir.Policy{Rules: []ir.Rule{late}}, [][]int32{{0}, {1}}, []string{"0 add 1", "0 add 1; 1 get 1"}},
		{"the rule's state", directive(before, announceAdd, before), nil, ir.Policy{Rules: []ir.Rule{rule}}, [][]int32{{0}, {1}}, []string{"0 add 1", "1 get 1; 0 add 1"}},
		{"a rule that drops the step", directive(before, announceAdd), nil, ir.Policy{Rules: []ir.Rule{unwanted}}, [][]int32{{0}, {1}}, []string{"0 add 1"}},
		{"one of two rules", directive(before, announceAdd), nil, ir.Policy{Rules: []ir.Rule{rule, unwanted}}, [][]int32{{0}, {1}}, []string{"0 add 1", "1 get 1; 0 add 1"}},
		{"any order", directive(before, announceAdd), nil, ir.Policy{Rules: []ir.Rule{rule}}, [][]int32{{0}, {1}, {1}}, []string{"0 add 1", "1 get 1; 0 add 1", "1 get 1; 2 get 1; 0 add 1", "2 get 1; 0 add 1", "2 get 1; 1 get 1; 0 add 1"}},
		{"for a partner", directive(ir.Instr{M: ir.GhostAnnounce, To: 1, C: 1, A: 0, Args: []ir.Arg{{At: 2, N: 1}}}), directive(own), ir.Policy{}, [][]int32{{0}, {1}},
			[]string{"1 get 1", "policy: an operation is announced for the owner of what nobody owns"}},
		{"for another's operation", directive(ir.Instr{M: ir.GhostAnnounce, To: 0, C: 1, A: 0, Args: []ir.Arg{{At: 2, N: 1}}}), directive(own), ir.Policy{}, [][]int32{{0}, {1}},
			[]string{"policy: add is announced for a goroutine that runs get", "policy: an operation is announced for the owner of what nobody owns"}},
		{"wrong guesses", directive(guess, ir.Instr{M: ir.GhostAssume, A: -1}, ir.Instr{M: ir.GhostGuessed, Dst: 3}, ir.Instr{M: ir.GhostAnnounce, To: 0, Args: []ir.Arg{{At: 3, N: 1}}}), nil, guesses, [][]int32{{0}}, []string{"0 add 1"}},
		{"both guesses", directive(guess, ir.Instr{M: ir.GhostGuessed, Dst: 3}, ir.Instr{M: ir.GhostAnnounce, To: 0, Args: []ir.Arg{{At: 3, N: 1}}}), nil, guesses, [][]int32{{0}}, []string{"0 add 0", "0 add 1"}},
		{"two guesses", directive(guess, guess), nil, guesses, [][]int32{{0}}, []string{"policy: won is guessed twice by one operation"}},
		{"two outcomes", directive(guess, ir.Instr{M: ir.GhostAssume, A: -1}, ir.Instr{M: ir.GhostAssume, A: -1}), nil, guesses, [][]int32{{0}}, []string{"policy: the guess won turns out twice in one operation"}},
		{"a message drops a run", directive(before, announceAdd), directive(guess, ir.Instr{M: ir.GhostGuessed, Dst: 3}, ir.Instr{M: ir.GhostAnnounce, To: 1, Args: []ir.Arg{{At: 3, N: 1}}}),
			ir.Policy{Guesses: guesses.Guesses, Rules: []ir.Rule{{Op: 1, State: -1, If: 4, Do: 7}}}, [][]int32{{0}, {1}}, []string{"0 add 1", "1 get 0", "1 get 1"}},
		{"no guess", directive(ir.Instr{M: ir.GhostAssume, A: -1}, ir.Instr{M: ir.GhostGuessed, Dst: 3}, ir.Instr{M: ir.GhostAnnounce, To: 0, Args: []ir.Arg{{At: 3, N: 1}}}), nil, guesses, [][]int32{{0}}, []string{"0 add 0"}},
		{"an invariant", nil, nil, ir.Policy{Invariants: []ir.Invariant{{Func: 6, Text: "n < 2"}}}, [][]int32{{0, 0}}, []string{"policy: the invariant n < 2 does not hold"}},
		{"a write", directive(ir.Instr{Op: ir.Store, A: 1, B: -1, N: 1}), nil, ir.Policy{}, [][]int32{{0}, {1}}, []string{"policy: a directive changes memory"}},
		{"a panic", directive(ir.Instr{Op: ir.Load, Dst: 2, A: -2, N: 1}), nil, ir.Policy{}, [][]int32{{0}, {1}}, []string{"policy: a directive panics"}},
		{"a lock that is free is locked", directive(ir.Instr{Op: ir.Lock, A: 0}), nil, ir.Policy{}, [][]int32{{0}, {1}}, []string{"policy: a directive changes memory"}},
		{"reads are not seen", directive(ir.Instr{Op: ir.Load, Dst: 3, A: 1, N: 1}, ir.Instr{M: ir.GhostAnnounce, To: 0, Args: []ir.Arg{{At: 3, N: 1}}}), nil, ir.Policy{}, [][]int32{{0}, {0}}, []string{"0 add 1", "0 add 2", "1 add 1", "1 add 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := directed(c.add, c.get, &c.policy)
			got := announcements(t, p, Bounds{Threads: len(c.plans), Ops: 2, Calls: []Call{{Op: 0}, {Op: 1}}, Plans: c.plans})
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestOpen counts the steps after which a guess is yet to turn out: those to the second load of get,
// unless it turns out at once.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		get  []ir.Instr
		open int
	}{
		{nil, 0},
		{directive(guess), 2},
		{directive(guess, ir.Instr{M: ir.GhostAssume, A: -1}), 0},
	} {
		policy := guesses
		s, err := New(context.Background(), directed(nil, c.get, &policy), Bounds{Threads: 1, Ops: 1, Calls: []Call{{Op: 0}, {Op: 1}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for _, st := range reachShared(t, s) {
			if st.Open {
				open++
			}
		}
		if open != c.open {
			t.Errorf("%d steps, %d expected", open, c.open)
		}
	}
}

// TestLoose tells directives apart by what comes before them in their step.
func TestLoose(t *testing.T) {
	add := directive(announceAdd)
	add[0].Pos = 1
	get := directive(announceGet)
	get[0].Pos = 2
	p := directed(add, get, &ir.Policy{})
	p.Positions = make([]ir.Position, 4)
	f := p.Funcs[3] // get announces, too, before its first load
	early := directive(announceGet)
	early[0].Pos = 3
	f.Code = slices.Insert(f.Code, 1, early...)
	f.Finish()
	for _, c := range []struct {
		plans        [][]int32
		never, loose []int32
	}{
		{[][]int32{{0}, {1}}, nil, []int32{3}},
		{[][]int32{{1}, {1}}, []int32{1}, []int32{2, 3}}, // nobody writes
		{[][]int32{{0}, {0}}, []int32{2, 3}, nil},
	} {
		s, err := New(context.Background(), p, Bounds{Threads: 2, Ops: 1, Calls: []Call{{Op: 0}, {Op: 1}}, Plans: c.plans}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		reachShared(t, s)
		never, loose := s.Directives()
		slices.Sort(never)
		slices.Sort(loose)
		if !slices.Equal(never, c.never) || !slices.Equal(loose, c.loose) {
			t.Errorf("%v: never %v, loose %v, not %v, %v", c.plans, never, loose, c.never, c.loose)
		}
	}
}

// TestOwnedAlone sees to it that states do not tell what threads own but nothing points to.
func TestOwnedAlone(t *testing.T) {
	owning := func(own ...ir.Instr) int {
		// If get loads something else than 0 first, which it forgets, it owns what it forgets, too.
		get := append([]ir.Instr{{Op: ir.If, A: 2, To: 3, M: 4 + int32(len(own))}, {Op: ir.Alloc, Dst: 1, To: 0, N: 1}}, own...)
		p := directed(nil, append(get, ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: 1}), &ir.Policy{})
		states, _, fault := reach(t, p, Bounds{Threads: 2, Ops: 2, Calls: []Call{{Op: 0}, {Op: 1}}}, Options{})
		if fault != nil {
			t.Fatal(fault)
		}
		return states
	}
	if got, want := owning(directive(ir.Instr{M: ir.GhostOwn, A: 1})...), owning(); got != want {
		t.Errorf("%d states, %d if nothing is owned", got, want)
	}
}

// announcements lists, without repetitions, what any step announces or is as a fault. An answer is
// what was announced last.
func announcements(t *testing.T, p *ir.Program, b Bounds) (all []string) {
	s, err := New(context.Background(), p, b, Options{NoSymmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range reachShared(t, s) {
		var announced []string
		for _, a := range st.Announced {
			r := s.Result(a.Answer)
			announced = append(announced, fmt.Sprintf("%d %s %s", a.Thread, p.Ops[r.Op].Method, r.Values[0]))
		}
		if len(announced) > 0 {
			all = append(all, strings.Join(announced, "; "))
		}
		if st.Fault != nil {
			all = append(all, st.Fault.Error())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// reachShared explores all states, and lists all steps: their announcements and faults.
func reachShared(t *testing.T, s *Shared) (all []Step) {
	t.Helper()
again:
	m := s.Machine()
	seen := map[string]bool{}
	queue := []string{string(s.Start())}
	all = nil
	for len(queue) > 0 {
		form := queue[0]
		queue = queue[1:]
		err := m.Expand([]byte(form), func(st *Step) error {
			all = append(all, Step{Announced: slices.Clone(st.Announced), Fault: st.Fault, Open: st.Open})
			if st.Fault == nil && !seen[string(st.Next)] {
				seen[string(st.Next)] = true
				queue = append(queue, string(st.Next))
			}
			return nil
		})
		if err == ErrAgain {
			s.Again()
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
