// Package check decides whether recorded executions refine a data type, given
// as a theory, a reference or a model:
//
//	c, err := check.New(t, check.Options{Engine: "auto"})
//	r, err := c.Check(ctx, execution)
//	fmt.Println(r.Verdict, r.Prefix)   // "violation 18"
//
//	r, err = c.CheckLog(ctx, reader, "run.log")
//	x, err := c.Explain(ctx, execution, r)
//
//	c, err = check.New(nil, check.Options{Reference: impl})
//
// No engine ever calls an admitted execution a violation. Executions that the theory
// does not speak of are errors, not verdicts.
//
//	Checker         a theory or reference made ready, with an engine; Check, CheckLog, Follow, Explain, Witness
//	Options, Flag   which engine, and how; Flags is the table of those that users set
//	Result          verdict, shortest violating prefix, patterns that exclude it
//	Verdict         violation, linearizable, no violation found, inconclusive
//	Explanation     the reason for a violation: a minimal set of operations that is one
//	Reason          a pattern or axiom that such operations break
//	NoEvidence      error: Witness cannot prove a verdict
//	Batch           checks many logs, some at a time; a Source each, a Report for each
//	Split, Shard    the key of each operation of a product; a share of the keys, or of the logs
//	Merge           one report of those on different keys
//	Progress        how far a log that is followed has been checked
//	Consistent      looks for an execution that a theory admits
//	OutsideLanguage error: the execution breaks a rule of the theory's language
//	UnknownLabel    error: the theory does not know a method or outcome
//	Ambiguous       error: an operation has two match targets
//
// # Engines
//
// An engine is a value of the unexported interface engine, made by newEngine:
//
//	auto      chooses among the others; the default (auto.go)
//	saturate  unit propagation, event by event; nearly complete, and fast on long executions
//	monitor   near-linear procedures for theories of a known shape; complete
//	symbolic  satisfiability; complete (symbolic.go)
//	wgl       search in an automaton, a built-in model or a reference, with a cache; complete (model.go)
//
// What a theory says beside its patterns, or instead of them, is a description, which is
// an engine, too (described.go): its automaton (model.go), parts by key with a Checker
// for the part, and patterns with a control automaton (parts.go).
package check
