package formula_test

import (
	"fmt"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// vocabulary of a queue.
var vocabulary = &formula.Vocabulary{Methods: []history.MethodSig{
	{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
	{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
}}

// queue is the history add; remove => nil.
func queue() *history.History {
	return &history.History{Ops: []history.Op{
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Target: 0, Completed: true},
		{Kind: history.Kind{Method: "remove", Outcome: history.Nil}, Target: 1, ReadOnly: true, Completed: true, Start: 1, End: 1},
	}}
}

func ExampleParse() {
	f, err := formula.Parse("∀ x. outcome(x) = nil ⇒ readonly(x) ∧ ¬unmatched(x)", vocabulary)
	fmt.Println(formula.String(f), err)
	_, err = formula.Parse("forall x:Op.\n  method(x) = remvoe -> unmatched(x)", vocabulary)
	fmt.Println(err)
	// Output:
	// forall x:Op. outcome(x) = nil -> readonly(x) & !unmatched(x) <nil>
	// 2:15: unknown method "remvoe"; did you mean "remove"?
}

func ExamplePretty() {
	fmt.Println(formula.Pretty(formula.Embed(queue()), 80))
	// Output:
	// exists x1:Op, x2:Op.
	//   completed(x1) & method(x1) = add & outcome(x1) = none & !readonly(x1)
	//   & match(x1) = x1 & before(x1, x2)
	//   & completed(x2) & method(x2) = remove & outcome(x2) = nil & readonly(x2)
	//   & match(x2) = x2
	//   & (forall y:Op.
	//        completed(y) & match(y) = x1
	//        -> readonly(y) | method(y) = add & outcome(y) = none)
	//   & (forall y:Op. completed(y) & match(y) = x2 -> readonly(y))
}

func ExampleEval() {
	f, _ := formula.Parse("exists x:Op, y:Op. before(x, y) & outcome(y) = nil", vocabulary)
	fmt.Println(formula.Eval(f, formula.OfHistory(queue()), nil))
	// Output: true
}

func ExampleCompile() {
	target, _ := formula.Parse("method(x) = add & y = x", vocabulary, "x", "y")
	matches := formula.Compile(target, "x", "y")
	s := formula.OfHistory(queue())
	fmt.Println(matches(s, []int{0, 0}), matches(s, []int{1, 0}))
	// Output: true false
}

func ExampleCounterexample() {
	f, _ := formula.Parse("forall x:Op. method(x) = remove -> outcome(x) != nil", vocabulary)
	ops, vars, found := formula.Counterexample(f, formula.OfHistory(queue()))
	fmt.Println(ops, vars, found)
	// Output: [1] [x] true
}

func ExampleExpand() {
	v := *vocabulary
	body, _ := formula.Parse("exists y:Op. before(y, x)", &v, "x")
	v.Predicates = []formula.Predicate{{Name: "later", Params: []string{"x"}, Body: body}}
	f, _ := formula.Parse("forall y:Op. later(y)", &v)
	fmt.Println(formula.String(formula.Expand(f, &v)))
	// Output: forall y:Op. exists y1:Op. before(y1, y)
}

func ExampleSimplify() {
	f, _ := formula.Parse("forall x:Op. exists y:Op. y = x & !!readonly(y) & true", vocabulary)
	fmt.Println(formula.String(formula.Simplify(f)))
	// Output: forall x:Op. readonly(x)
}

func ExampleEmbed() {
	pattern := &history.History{Ops: []history.Op{
		{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Target: history.Unmatched, Completed: true},
	}}
	fmt.Println(formula.String(formula.Embed(pattern)))
	// Output: exists x1:Op. completed(x1) & method(x1) = remove & outcome(x1) = value & !readonly(x1) & unmatched(x1)
}
