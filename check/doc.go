// Package check decides whether recorded executions refine a data type, given
// as a theory. An Engine takes a theory and an execution and returns a Result:
//
//	for _, e := range check.Engines() {
//		r, err := e.Check(ctx, t, execution)
//		fmt.Println(r.Verdict, r.Prefix)   // "violation 18"
//	}
//
// An engine never calls an admitted execution a violation. Executions that the
// theory does not speak of are errors, not verdicts. Explain finds the reason for a
// violation, and Consistent tells whether axioms exclude everything. ReadLog reads
// an execution from a log in any format.
//
//	Engine          takes a theory and an execution, returns a Result
//	Result          verdict, shortest violating prefix, patterns that exclude it
//	Verdict         violation, linearizable, no violation found, inconclusive
//	Explanation     the reason for a violation: few operations that are one, from Explain
//	Explainer       explains and proves verdicts of one theory; Explain and Witness for one verdict
//	NoEvidence      error: Witness cannot prove a verdict
//	Reason          a pattern or axiom that such operations break
//	Auto            the engine that chooses among the others; the default
//	Saturate        unit propagation, event by event; nearly complete, and fast on long executions
//	Monitor         near-linear procedures for theories of a known shape; complete
//	Symbolic        satisfiability; complete
//	WGL             search with a cache, over a model (package wgl) or the theory; complete
//	Enumerate       linearizations one by one; complete, for small executions
//	Counting        satisfiability of weakenings of bounded length; not complete
//	Partitioned     an engine on the parts of an execution, where the theory allows that
//	Whole           an engine without its search for the shortest violating prefix
//	Batch           checks many logs, some at a time, or follows one that grows
//	Progress        how far that has come
//	OutsideLanguage error: the execution breaks a rule of the theory's language
//	UnknownLabel    error: the theory does not know a method or outcome
//	Ambiguous       error: an operation has two match targets
package check
