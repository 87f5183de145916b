package out

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// lawRuns are short runs of closed laws, the shortest first, from which examples are taken.
// Laws are closed if runs of the reference agree with them, and tests run all examples of
// documents again.
type lawRuns struct {
	*eq.Machine
	pools [][][]eq.Value // by method and parameter
	calls []*lawCall
}

// lawCall is a call in a run.
type lawCall struct {
	before       *lawCall
	from, to     *eq.State
	method       int
	args, answer []eq.Value
	depth        int
}

const (
	mostLawStates = 240
	mostLawDepth  = 5
	mostLawArgs   = 10 // of a call in a state
)

// runsOf makes runs of laws, breadth first, each state once as far as it can be seen; nil:
// laws of which some are missing do not run.
func runsOf(t *theory.Theory, set *eq.Set) *lawRuns {
	if !set.Closed() {
		return nil
	}
	r := &lawRuns{Machine: eq.NewMachine(set)}
	for m := range set.Methods {
		var pools [][]eq.Value
		for i, p := range set.Methods[m].Params {
			pools = append(pools, poolOf(t, set, m, i, p.Sort))
		}
		r.pools = append(r.pools, pools)
	}
	seen := map[string]bool{}
	front := []*lawCall{{to: r.Start(), method: -1}}
	for len(front) > 0 && len(seen) < mostLawStates {
		at := front[0]
		front = front[1:]
		if key := r.look(at.to); seen[key] || at.depth > mostLawDepth {
			continue
		} else {
			seen[key] = true
		}
		for m := range set.Methods {
			for _, args := range r.arguments(m, at.depth) {
				answer, err := r.Answer(at.to, m, args)
				if err != nil || slices.Contains(answer, eq.Undefined) {
					continue
				}
				c := &lawCall{before: at, from: at.to, to: r.After(at.to, m, args, answer), method: m, args: args, answer: answer, depth: at.depth + 1}
				r.calls = append(r.calls, c)
				if c.to != c.from {
					front = append(front, c)
				}
			}
		}
	}
	return r
}

// poolOf are values of a parameter: small ones, and those that laws speak of, with their
// neighbours.
func poolOf(t *theory.Theory, set *eq.Set, method, param int, sort eq.Sort) (all []eq.Value) {
	add := func(v eq.Value) {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	switch sort {
	case eq.Ints:
		add(eq.IntOf(1))
		add(eq.IntOf(2))
		add(eq.IntOf(3))
	case eq.Texts:
		for _, s := range []string{"a", "b", "c"} {
			add(set.Store.Plain(eq.Text, s))
		}
	case eq.Words:
		for _, m := range t.Spec.Methods {
			if m.Name == set.Methods[method].Name && param >= 0 && param < len(m.Params) {
				for _, n := range m.Params[param].Names {
					add(set.Store.Plain(eq.Word, n.Text))
				}
			}
		}
		if len(all) == 0 {
			add(set.Store.Truth(true))
			add(set.Store.Truth(false))
		}
	}
	if fields := sort.Fields(); fields != nil {
		return recordsOf(t, set, method, fields)
	}
	for i := range set.Observers {
		o := &set.Observers[i]
		for _, l := range append([]eq.Law{o.Is, o.Start}, o.After...) {
			l.Walk(func(e *eq.Expr) {
				switch {
				case e.Form != eq.Const:
				case sort == eq.Ints && e.ConstOf().IsInt() && len(all) < 12:
					n := e.ConstOf().Int()
					add(eq.IntOf(n))
					add(eq.IntOf(n + 1))
					add(eq.IntOf(n - 1))
				case sort == eq.Texts && set.Store.Is(e.ConstOf(), eq.Text):
					add(e.ConstOf())
				}
			})
		}
	}
	return all
}

// recordsOf are some records.
func recordsOf(t *theory.Theory, set *eq.Set, method int, fields []eq.Sort) (all []eq.Value) {
	for k := range 4 {
		parts := make([]eq.Value, len(fields))
		for i, f := range fields {
			pool := poolOf(t, set, method, -1, f)
			if len(pool) == 0 {
				return nil
			}
			parts[i] = pool[k%len(pool)]
		}
		all = append(all, set.Store.Compound(eq.Record, parts))
	}
	return all
}

// arguments are some for a method: each value of a parameter once, then mixed. Later calls
// begin with other values.
func (r *lawRuns) arguments(method, depth int) [][]eq.Value { return mixed(r.pools[method], depth) }

func mixed(pools [][]eq.Value, depth int) (out [][]eq.Value) {
	if len(pools) == 0 {
		return [][]eq.Value{nil}
	}
	for k := 0; k < mostLawArgs; k++ {
		args := make([]eq.Value, len(pools))
		step := k
		for i, p := range pools {
			if len(p) == 0 {
				return nil
			}
			args[i] = p[(depth+step)%len(p)]
			step /= 2
		}
		if !slices.ContainsFunc(out, func(a []eq.Value) bool { return slices.Equal(a, args) }) {
			out = append(out, args)
		}
	}
	return out
}

// look is what can be seen of a state, as far as it is looked at.
func (r *lawRuns) look(st *eq.State) string {
	var b []byte
	for o := range r.Observers {
		for _, args := range r.seenOf(o) {
			v, _ := r.Observe(st, o, args)
			b = append(strconv.AppendInt(b, int64(v), 32), ' ')
		}
	}
	return string(b)
}

// seenOf are arguments of an observer that are looked at.
func (r *lawRuns) seenOf(o int) [][]eq.Value {
	ob := &r.Observers[o]
	if len(ob.Params) == 0 {
		return [][]eq.Value{nil}
	}
	if ob.How.First != nil {
		return mixed(r.poolsOf(ob), 0)
	}
	for m := range r.Methods {
		if r.Methods[m].Name == ob.How.Method && ob.How.Least != "" {
			return r.besides(m, ob)
		}
		if r.Methods[m].Name == ob.How.Method && len(r.Methods[m].Params) >= len(ob.Params) {
			all := r.arguments(m, 0)
			for i := range all {
				all[i] = all[i][:len(ob.Params)]
			}
			return all
		}
	}
	return nil
}

// poolsOf are the pools of an observer's parameters, where another call comes first: those
// of the method that answers, and then of that call.
func (r *lawRuns) poolsOf(ob *eq.Observer) [][]eq.Value {
	pools := slices.Clone(r.pools[r.Method(ob.How.Method)])
	for n := len(pools); n < len(ob.Params); n++ {
		pools = append(pools, nil)
		for i, a := range ob.How.First.Args {
			if a.Form == eq.Var && a.Slot() == n {
				pools[n] = r.pools[r.Method(ob.How.First.Method)][i]
			}
		}
	}
	return pools
}

// besides are arguments of a threshold: those of its method without the one.
func (r *lawRuns) besides(m int, ob *eq.Observer) (all [][]eq.Value) {
	q := slices.IndexFunc(r.Methods[m].Params, func(p eq.Param) bool { return p.Name == ob.How.Least })
	for _, args := range r.arguments(m, 0) {
		if args = slices.Delete(slices.Clone(args), q, q+1); !slices.ContainsFunc(all, func(a []eq.Value) bool { return slices.Equal(a, args) }) {
			all = append(all, args)
		}
	}
	return all
}

// holds reports whether a rule is the one of its law that counts.
func (r *lawRuns) holds(rules []eq.Rule, which eq.Rule, st *eq.State, vars []eq.Value) bool {
	env := &eq.Env{Vars: vars, Obs: func(o int, args []eq.Value) (eq.Value, error) { return r.Observe(st, o, args) }}
	for _, x := range rules {
		ok := x.If == nil
		if !ok {
			v, err := r.Store.Eval(x.If, env)
			ok = err == nil && v == r.Store.Truth(true)
		}
		if ok {
			return x.Then.Equal(which.Then) && x.If.Equal(which.If)
		}
	}
	return false
}

// answer is the shortest run that ends in a call of a method whose answer is by a rule of
// some.
func (r *lawRuns) answer(method int, rules []eq.Rule, which int) string {
	if r == nil || method < 0 {
		return ""
	}
	none := ""
	for _, c := range r.calls {
		if c.method != method || !r.holds(rules, rules[which], c.from, c.args) {
			continue
		}
		text := r.text(c)
		if len(c.answer) != 1 || !slices.Contains([]string{"[]", "map[]", "0"}, r.plain(c.answer[0])) {
			return text
		}
		none = cmp.Or(none, text)
	}
	return none // it shows little
}

// effect is the shortest run in which a call changes an observer by a rule, and shows it.
func (r *lawRuns) effect(observer, method int, rules []eq.Rule, which int) string {
	if r == nil {
		return ""
	}
	for _, c := range r.calls {
		if c.method != method {
			continue
		}
		for _, args := range r.seenOf(observer) {
			was, _ := r.Observe(c.from, observer, args)
			is, err := r.Observe(c.to, observer, args)
			if err != nil || was == is || is == eq.Undefined {
				continue
			}
			vars := slices.Concat(c.args, c.answer, args)
			if !r.holds(rules, rules[which], c.from, vars) {
				continue
			}
			if show := r.show(c.to, observer, args, is); show != "" {
				return r.text(c) + "; " + show
			}
		}
	}
	return ""
}

// show is a call that shows what an observer is; "": none does.
func (r *lawRuns) show(st *eq.State, observer int, args []eq.Value, is eq.Value) string {
	h := r.Observers[observer].How
	m := r.Method(h.Method)
	if m < 0 || h.Least != "" || h.New != nil || h.Repeat != "" && h.Repeat != h.Method {
		return ""
	}
	if h.Repeat != "" {
		return r.drain(st, m, args)
	}
	if h.From != nil {
		return r.listed(st, m, args, &h, is)
	}
	if h.Last != nil {
		last := *h.Last
		if last > 1 {
			last = 9
		}
		args = append(slices.Clone(args), eq.IntOf(last))
	}
	before := ""
	if h.First != nil {
		if before, st = r.come(st, h.First, args); st == nil {
			return ""
		}
		args = args[:len(r.Methods[m].Params)]
	}
	answer, err := r.Answer(st, m, args)
	if err != nil || h.Part >= len(answer) || answer[h.Part] != is {
		return ""
	}
	return before + r.call(m, args, answer)
}

// come makes the call that comes first; nil: it has no answer.
func (r *lawRuns) come(st *eq.State, c *eq.Call, args []eq.Value) (string, *eq.State) {
	m, own := r.Method(c.Method), make([]eq.Value, len(c.Args))
	for i, a := range c.Args {
		if own[i] = a.ConstOf(); a.Form == eq.Var {
			own[i] = args[a.Slot()]
		}
	}
	answer, err := r.Answer(st, m, own)
	if err != nil || slices.Contains(answer, eq.Undefined) {
		return "", nil
	}
	return r.call(m, own, answer) + "; ", r.After(st, m, own, answer)
}

// listed is the calls that show a list by index, up to one that answers no value; "": they
// show something else, or are many.
func (r *lawRuns) listed(st *eq.State, m int, args []eq.Value, h *eq.How, is eq.Value) string {
	var all []string
	var got []eq.Value
	for len(all) < 4 {
		own := append(slices.Clone(args), eq.IntOf(*h.From+int64(len(got))))
		answer, err := r.Answer(st, m, own)
		if err != nil || slices.Contains(answer, eq.Undefined) {
			return ""
		}
		all = append(all, r.call(m, own, answer))
		if r.Store.Is(answer[h.Part], eq.Word) {
			if r.Store.Compound(eq.List, got) != is {
				return ""
			}
			return strings.Join(all, "; ")
		}
		got = append(got, answer[h.Part])
	}
	return ""
}

// drain is some calls of a method, until it answers no value.
func (r *lawRuns) drain(st *eq.State, m int, args []eq.Value) string {
	var all []string
	for range 4 {
		answer, err := r.Answer(st, m, args)
		if err != nil || slices.Contains(answer, eq.Undefined) {
			return ""
		}
		all = append(all, r.call(m, args, answer))
		if r.Store.Is(answer[0], eq.Word) {
			break
		}
		st = r.After(st, m, args, answer)
	}
	return strings.Join(all, "; ")
}

// text is a run up to a call, without calls that change nothing.
func (r *lawRuns) text(c *lawCall) string {
	var all []string
	for ; c.method >= 0; c = c.before {
		all = append(all, r.call(c.method, c.args, c.answer))
	}
	slices.Reverse(all)
	return strings.Join(all, "; ")
}

func (r *lawRuns) call(m int, args, answer []eq.Value) string {
	s := r.Methods[m].Name
	if len(args) > 0 {
		s += "(" + r.values(args, ", ") + ")"
	}
	word := ""
	if len(answer) > 1 && r.Methods[m].Parts[0].Name == "outcome" {
		outcome := answer[0]
		if word = r.plain(outcome); word == "ok" || word == "value" {
			word = ""
		}
		// A value that the outcome does not have is the word for it.
		answer = slices.DeleteFunc(slices.Clone(answer[1:]), func(v eq.Value) bool { return v == outcome })
	}
	if a := strings.TrimSpace(word + " " + r.values(answer, ", ")); a != "ok" && a != "" {
		s += " => " + a
	}
	return s
}

func (r *lawRuns) values(vs []eq.Value, sep string) string {
	all := make([]string, len(vs))
	for i, v := range vs {
		all[i] = r.plain(v)
	}
	return strings.Join(all, sep)
}

// plain is a value as other examples have it: texts that are names without quotation marks.
func (r *lawRuns) plain(v eq.Value) string { return unquoted(r.Store.Text(v)) }

var quotes = wording.Regexp("\"([\\pL_][\\pL\\d_]*)\"|`([^`]*)`")

func unquoted(s string) string { return quotes().ReplaceAllString(s, "$1$2") }
