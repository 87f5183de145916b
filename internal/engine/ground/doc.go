// Package ground decides executions by grounding a theory's formulas over their
// operations ("Monitoring refinement" §4): quantifiers become conjunctions and
// disjunctions over the completions of operations, and what is left, literals about
// the order and about which pending operations took effect, goes to a SAT solver. It
// takes every theory, also such as package clauses refuses; it is slower, and takes
// time about quadratic in the operations.
//
//	t, err := ground.Compile(th, nil)
//	e, err = t.Resolve(e)
//	answer, err := t.Decide(ctx, e)
//
// From formulas to literals:
//
//	Plan       a formula made ready: existential blocks over conjunctions (plan.go, block.go)
//	Partial    the structure that it is grounded over; some facts are literals
//	Grounder   grounds plans, by joins over indexes (join.go)
//
// From executions to answers:
//
//	Theory     a theory's formulas as plans; Decide, Core, Linearize
//	Instance   an execution with the completions of its pending operations, as a
//	           Partial: order.go, interval.go, language.go, match.go; prune.go leaves
//	           completions out that cannot help
//	Groups     which operations can be left out together, for explanations
//	Ambiguous, Disorder
//	           errors about operations, by their number
package ground
