package check_test

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// Values leave a queue out of order; what happened before does not matter.
func ExampleChecker_Explain() {
	t, err := theories.Load("queue")
	if err != nil {
		panic(err)
	}
	add := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{v}}
	}
	remove := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{v}}
	}
	e := history.Sequential(add("7"), remove("7"), add("1"), add("2"), remove("2"), remove("1"))

	ctx := context.Background()
	c, _ := check.New(t, check.Options{})
	r, _ := c.Check(ctx, e)
	x, _ := c.Explain(ctx, e, r)
	fmt.Println(r.Verdict, r.Prefix, x.Minimal)
	fmt.Println(x.Execution, "should have been", x.Answers)
	fmt.Println(x.Reasons[0].Reading)
	// Output:
	// violation 10 true
	// add(1); remove => 2 should have been [remove => 1]
	// a value is removed only after every value that was added before it
}

// A theory that admits nothing is not worth checking with.
func ExampleConsistent() {
	t, err := theories.Load("lock")
	if err != nil {
		panic(err)
	}
	e, _ := check.Consistent(context.Background(), t, 2)
	fmt.Println(e)

	nothing, _ := formula.Parse("forall x:Op. before(x, x)", t.Vocabulary())
	t.Spec.Axioms = append(t.Spec.Axioms, theory.Rule{Name: "nothing", Formula: nothing})
	e, _ = check.Consistent(context.Background(), t, 2)
	fmt.Println(e == nil)
	// Output:
	// lock(1) => nil
	// true
}
