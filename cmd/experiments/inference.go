package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// inferred is a type of the paper's Section 9: how many patterns it lists, and up to which
// weight all histories can be looked at in seconds, and in minutes.
type inferred struct {
	spec     reference.Spec
	patterns string
	literal  [3]int
}

var inferredTypes = []inferred{
	{register.Spec, "4", [3]int{2, 2, 2}}, {queue.Spec, "7", [3]int{2, 2, 2}}, {stack.Spec, "7", [3]int{2, 2, 2}},
	{lock.Spec, "11", [3]int{1, 1, 1}}, {worksteal.Spec, "24", [3]int{1, 1, 1}}, {set.Spec, "9", [3]int{0, 1, 1}},
}

// inference infers the paper's types, at the frontier and literally, and finds their schemes.
func inference(ctx context.Context, r *report) error {
	r.section("Types", "Candidates are histories that the frontier asks the reference about, up to a weight; the paper, and the literal search, ask about all\n"+
		"histories of the weight. Both find the same patterns (`go test ./patterns -run Literal`). The paper's own program, Violin, takes \"a matter\n"+
		"of seconds\" for each. Its lock matches earlier operations only: `--matching past` finds its 11; a checker that matches by label needs\n"+
		"14. Its scheme for sets is not faithful; with the outcome in the label there are 15.")
	var rows, schemes [][]string
	for _, t := range inferredTypes {
		row, scheme, err := t.infer(ctx, r.size)
		if err != nil {
			return fmt.Errorf("%s: %w", t.spec.Name, err)
		}
		rows, schemes = append(rows, row), append(schemes, scheme)
	}
	var names, theirs, counts []string
	for _, row := range rows {
		names, counts, theirs = append(names, row[0]), append(counts, row[1]), append(theirs, row[2])
	}
	r.finding("Patterns of "+strings.Join(names, ", "), strings.Join(theirs, ", "), strings.Join(counts, ", "))
	r.table([]string{"type", "patterns", "paper", "new at weight 1, 2, ...", "candidates", "admitted", "time", "literal up to weight", "histories", "admitted", "time"}, rows)
	r.section("Figure 2", "Sequences of at most four calls of a queue: add takes the next new value; remove answers a value added so far, the next new one, or nil.\n"+
		"Redundant are those that have a smaller violation in them.")
	row, err := figure2(ctx)
	if err != nil {
		return err
	}
	r.finding("Figure 2: sequences, executable, invalid, patterns, redundant", "202, 31, 171, 7, 164", strings.Join(row[1:], ", "))
	r.table([]string{"", "sequences", "executable", "invalid", "patterns", "redundant"}, [][]string{row, {"paper", "202", "31", "171", "7", "164"}})
	r.section("Synthesis", "Language, read-only operations and matching scheme from the reference alone, and the same patterns with them. The paper has no figures;\n"+
		"its Examples 12 to 14 are repeated by `go test ./matching -run Example`.")
	r.table([]string{"type", "languages tried", "executions", "invalid removals", "time", "patterns"}, schemes)
	return nil
}

func (t *inferred) infer(ctx context.Context, s size) (row, scheme []string, err error) {
	impl, err := reference.New(t.spec)
	if err != nil {
		return nil, nil, err
	}
	defer impl.Close()
	start := time.Now()
	o := patterns.Options{CrossLength: at(s, [3]int{3, 0, 0})} // 0: the usual
	th, err := patterns.Infer(ctx, impl, t.spec.Info(), o)
	if err != nil {
		return nil, nil, err
	}
	took, news := time.Since(start), ""
	for _, w := range th.Status.Weights {
		news += fmt.Sprintf("%d ", w.New)
	}
	last := th.Status.Weights[len(th.Status.Weights)-1]
	row = []string{t.spec.Name, fmt.Sprint(len(th.Spec.Patterns)), t.patterns, strings.TrimSpace(news), fmt.Sprint(last.Candidates), fmt.Sprint(last.Admitted), short(took)}
	literally := []string{"", "", "", ""}
	if w := t.literal[s]; w > 0 {
		if literally, err = literal(ctx, impl, th, w); err != nil {
			return nil, nil, err
		}
	}
	start = time.Now()
	found, err := patterns.Infer(ctx, impl, reference.Info{Name: t.spec.Name}, o)
	if err != nil {
		return nil, nil, err
	}
	y := found.Status.Synthesis
	scheme = []string{t.spec.Name, fmt.Sprint(y.Languages), fmt.Sprint(y.Executions), fmt.Sprint(y.Pairs), short(time.Since(start)), fmt.Sprint(len(found.Spec.Patterns))}
	return append(row, literally...), scheme, nil
}

// literal asks the reference about all histories up to a weight, as the paper does.
func literal(ctx context.Context, impl reference.Implementation, th *theory.Theory, weight int) ([]string, error) {
	start := time.Now()
	base, err := matching.Explore(ctx, impl, th.Spec.Language, 0)
	if err != nil {
		return nil, err
	}
	m, err := base.With(th.Spec.Matching)
	if err != nil {
		return nil, err
	}
	histories, admitted, realizer := 0, 0, m.NewRealizer()
	var batch [][]enumerate.Label
	ask := func() error {
		ok, err := m.IsAdmitted(ctx, batch)
		for _, yes := range ok {
			if yes {
				admitted++
			}
		}
		batch = batch[:0]
		return err
	}
	m.Links.Histories(enumerate.Bounds{Weight: weight}, func(s enumerate.Sequence) bool {
		histories++
		if e, ok := realizer.Realize(s); ok {
			batch = append(batch, slices.Clone(e))
		}
		if len(batch) == 10_000 {
			err = ask()
		}
		return err == nil
	})
	if err == nil {
		err = ask()
	}
	return []string{fmt.Sprint(weight), fmt.Sprint(histories), fmt.Sprint(admitted), short(time.Since(start))}, err
}

// figure2 counts the sequences of the paper's Figure 2.
func figure2(ctx context.Context) ([]string, error) {
	th, err := example("queue")
	if err != nil {
		return nil, err
	}
	sequences, executable, minimal := 0, 0, 0
	admits := func(e []history.Label) (yes bool) {
		if err == nil {
			yes, _, err = th.Sequences().Admits(ctx, e)
		}
		return yes
	}
	var visit func(e []history.Label, added int)
	visit = func(e []history.Label, added int) {
		sequences++
		switch {
		case admits(e):
			executable++
		case !slices.ContainsFunc(removals(e), func(less []history.Label) bool { return !admits(less) }):
			minimal++
		}
		if len(e) == 4 {
			return
		}
		then := func(l history.Label, added int) { visit(append(slices.Clip(e), l), added) }
		then(labelled("add", history.None, added+1), added+1)
		then(labelled("remove", history.Nil, 0), added)
		for v := 1; v <= added+1; v++ {
			then(labelled("remove", history.Some, v), added)
		}
	}
	visit(nil, 0)
	return []string{"here", strconv.Itoa(sequences), strconv.Itoa(executable), strconv.Itoa(sequences - executable), strconv.Itoa(minimal), strconv.Itoa(sequences - executable - minimal)}, err
}

func labelled(method string, outcome history.Outcome, v int) history.Label {
	l, value := label(method), []history.Value{number(v)}
	switch l.Outcome = outcome; outcome {
	case history.None:
		l.Args = value
	case history.Some:
		l.Rets = value
	}
	return l
}

// removals lists a queue's sequence without a match, a read-only or unmatched operation, or
// a duplicate.
func removals(e []history.Label) (all [][]history.Label) {
	for i, l := range e {
		count := func(method string) (n int) {
			for _, o := range e {
				if o.Method == method && slices.Equal(append(o.Args, o.Rets...), append(l.Args, l.Rets...)) {
					n++
				}
			}
			return n
		}
		switch {
		case l.Method == "add":
			all = append(all, slices.DeleteFunc(slices.Clone(e), func(o history.Label) bool {
				return slices.Equal(append(o.Args, o.Rets...), l.Args)
			}))
		case l.Outcome == history.Nil || count("add") == 0 || count("remove") > 1:
			all = append(all, slices.Delete(slices.Clone(e), i, i+1))
		}
	}
	return all
}
