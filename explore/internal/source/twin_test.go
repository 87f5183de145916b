package source

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// generator writes random functions that commit, together with what is wrong with them: that is what
// comes out when they run with all arguments.
type generator struct {
	*rand.Rand
	b    strings.Builder
	line int
}

// run is a run of a function.
type run struct {
	op      string
	args    [3]bool
	rounds  int
	commits int
	done    bool // it has returned
	result  bool
	wrong   map[string]bool
}

type statement func(r *run)

func (g *generator) printf(format string, args ...any) {
	g.line++
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// helper is a function that other ones call.
type helper func(r *run, arg bool) bool

// condition is a condition, and what it is in a run; inside a helper there is one argument.
func (g *generator) condition(inside bool) (string, func(r *run) bool) {
	i, not := g.IntN(3), g.IntN(2) == 0
	text := fmt.Sprint("p", i)
	if inside {
		i, text = 0, "a"
	}
	if not {
		text = "!" + text
	}
	return text, func(r *run) bool { return r.args[i] != not }
}

// block is some statements, one after the other. helpers are nil inside a helper.
func (g *generator) block(depth int, helpers []helper, loop *bool) statement {
	var list []statement
	for range 1 + g.IntN(3) {
		list = append(list, g.statement(depth, helpers, loop))
	}
	return func(r *run) {
		for _, s := range list {
			if !r.done {
				s(r)
			}
		}
	}
}

func (g *generator) statement(depth int, helpers []helper, loop *bool) statement {
	switch k := g.IntN(10); {
	case k < 3 && depth > 0:
		text, is := g.condition(helpers == nil)
		return g.branch(text, is, depth, helpers, loop)
	case k < 5 && helpers != nil:
		text, is := g.condition(false)
		i := g.IntN(len(helpers))
		call, h := fmt.Sprintf("help%d(h, %s)", i, text), helpers[i]
		if depth > 0 && g.IntN(2) == 0 {
			return g.branch(call, func(r *run) bool { return h(r, is(r)) }, depth, helpers, loop)
		}
		g.printf(call)
		return func(r *run) { h(r, is(r)) }
	case k == 5 && helpers != nil && !*loop && depth > 0:
		*loop = true
		g.printf("for range n {")
		body := g.block(depth-1, helpers, loop)
		g.printf("}")
		return func(r *run) {
			for i := 0; i < r.rounds && !r.done; i++ {
				body(r)
			}
		}
	case k == 6 && depth < 2:
		return g.leave(helpers == nil)
	}
	g.printf("h.Commit()")
	line := g.line
	return func(r *run) {
		if r.commits++; r.commits > 1 {
			r.wrong[fmt.Sprint(line, " ", r.op, " commits")] = true
		}
	}
}

func (g *generator) branch(text string, is func(r *run) bool, depth int, helpers []helper, loop *bool) statement {
	g.printf("if %s {", text)
	then := g.block(depth-1, helpers, loop)
	g.printf("} else {")
	other := g.block(depth-1, helpers, loop)
	g.printf("}")
	return func(r *run) {
		if is(r) {
			then(r)
		} else {
			other(r)
		}
	}
}

// leave returns: true or false from a helper. The condition is for vet, which wants no code after it.
func (g *generator) leave(inside bool) statement {
	if inside {
		result := g.IntN(2) == 0
		g.printf("if true { return %v }", result)
		return func(r *run) { r.done, r.result = true, result }
	}
	s := g.end()
	g.printf("if true { return }")
	return s
}

// end is the operation's return.
func (g *generator) end() statement {
	g.printf("h.Return(record.None)")
	line := g.line
	return func(r *run) {
		if r.done = true; r.commits == 0 {
			r.wrong[fmt.Sprint(line, " ", r.op, " returns")] = true
		}
	}
}

// helpers writes functions that return a bool.
func (g *generator) helpers(n int) (list []helper) {
	for i := range n {
		g.printf("func help%d(h *record.Handle, a bool) bool {", i)
		body := g.block(2, nil, nil)
		g.printf("return true")
		g.printf("}")
		list = append(list, func(r *run, arg bool) bool {
			inner := &run{op: r.op, args: [3]bool{arg}, commits: r.commits, result: true, wrong: r.wrong}
			body(inner)
			r.commits = inner.commits
			return inner.result
		})
	}
	return list
}

// TestRandom compares what is found in random functions with what happens when they run.
func TestRandom(t *testing.T) {
	testsize.NeedsLong(t)
	for seed := range testsize.Samples(25) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		g.printf("package recorded")
		g.printf(`import "github.com/adtinfer/adtinfer/record"`)
		g.printf("var rec = record.New(record.Options{})")
		helpers := g.helpers(5)
		want := map[string]bool{}
		for i := range 200 {
			name := fmt.Sprint("op", i)
			g.printf("func Op%d(h *record.Handle, p0, p1, p2 bool, n int) {", i)
			g.printf("h.Call(rec.Method(%q))", name)
			body, loop := []statement{}, false
			for range 3 {
				body = append(body, g.statement(2, helpers, &loop))
			}
			body = append(body, g.end())
			g.printf("}")
			for k := range 8 * 4 {
				r := &run{op: name, args: [3]bool{k&1 > 0, k&2 > 0, k&4 > 0}, rounds: k >> 3, wrong: want}
				for _, s := range body {
					if !r.done {
						s(r)
					}
				}
			}
		}
		got := map[string]bool{}
		for _, f := range checkText(t, g.b.String()) {
			got[fmt.Sprint(f.Line, " ", strings.Join(strings.Fields(f.What)[:2], " "))] = true
		}
		for _, w := range slices.Sorted(maps.Keys(want)) {
			if !got[w] {
				t.Errorf("seed %d: not found: line %s", seed, w)
			}
		}
		for _, w := range slices.Sorted(maps.Keys(got)) {
			if !want[w] {
				t.Errorf("seed %d: found, and wrong: line %s", seed, w)
			}
		}
		if t.Failed() {
			for i, line := range strings.Split(g.b.String(), "\n") {
				t.Log(i+1, line)
			}
			return
		}
		t.Log(len(want), "findings in 200 functions")
	}
}
