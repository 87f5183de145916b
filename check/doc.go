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
// violation, and Consistent tells whether axioms exclude everything.
//
//	Engine          takes a theory and an execution, returns a Result
//	Result          verdict, shortest violating prefix, patterns that exclude it
//	Verdict         violation, linearizable, no violation found, inconclusive
//	Explanation     the reason for a violation: few operations that are one, from Explain
//	Reason          a pattern or axiom that such operations break
//	Symbolic        the engine that decides by satisfiability
//	OutsideLanguage error: the execution breaks a rule of the theory's language
//	UnknownLabel    error: the theory does not know a method or outcome
//	Ambiguous       error: an operation has two match targets
package check
