package symbolic_test

import (
	"context"
	"fmt"
	"os"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/theory"
)

func Example() {
	f, err := os.Open("../../../theories/queue.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	t, err := theory.Read(f, "queue.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := clauses.OfPatterns(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Clauses), "clauses from the axioms of", r.Name)
	rules := symbolic.Compile(r)
	add := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{v}}
	}
	remove := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{v}}
	}
	e := history.Sequential(add("1"), add("2"), remove("2"))
	l, err := symbolic.New(context.Background(), rules, e, symbolic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	for _, n := range logs.Ends(e) {
		a, err := l.Decide(context.Background(), n)
		fmt.Println(n, a == symbolic.Violation, err)
	}
	// Output:
	// 8 clauses from the axioms of queue
	// 2 false <nil>
	// 4 false <nil>
	// 6 true <nil>
}
