// # A reference under a scheme
//
// A Model relates executions of a reference to histories: which
// operations belong together, which are read-only, and whether that loses
// anything.
//
//	m, err := Explore(ctx, impl, rules, 0)  // which kinds of operations occur
//	m, err = m.With(scheme)                       // seen through a matching scheme
//	report, err := m.Faithful(ctx, matching.DefaultBudget)
//	report, err = m.Normal(ctx, matching.DefaultBudget)
//
// Executions are sequences of label numbers. Formulas are evaluated once for
// each pair of labels; after that the matching of an execution is table look-ups.
//
//	Model      a reference in a language, and under a scheme
//	Scheme     the matching as tables
//	Language   the executions that are considered
//	Realizer   from a history back to the most general execution that has it
//
// A deterministic reference is explored by running it, a nondeterministic one by
// asking it about every label. Calls are run once up to renaming of values;
// Independent checks that names do not matter.
package matching
