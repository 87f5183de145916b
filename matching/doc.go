// Package matching relates executions of a reference to histories: which
// operations belong together, which are read-only, and whether that loses
// anything.
//
//	m, err := matching.Explore(ctx, impl, rules, 0)  // which kinds of operations occur
//	m, err = m.With(scheme)                          // seen through a matching scheme
//	report, err := m.Faithful(ctx, matching.DefaultBudget)
//	report, err = m.Normal(ctx, matching.DefaultBudget)
//
// A matching scheme <M, R> ("Symbolic ADT inference" §3) maps an operation to its
// match target and says which operations are read-only. Here it is timeless, a
// function of labels alone: a checker has to know the matching before it knows
// the order. Formulas are evaluated once for each pair of labels; executions are
// sequences of label numbers, and M of an execution is table look-ups.
//
//	Model        a reference in a language, and under a scheme
//	Scheme       M and R as tables
//	Language     the executions that are considered
//	Realizer     from a history back to the most general execution that has it
//	Unfaithful   error: one history, two answers
//	NotNormal    error: a removal that is not admitted
//	Foreign      error: a value that nobody passed in
//	Ambiguous    error: two match targets for one operation
//	NotClosed    error: a match target that is not its own
//	Late         error: a longer execution shows what shorter ones did not
//	Unsupported  error: a scheme or reference that has no model
//
// A deterministic reference is explored by running it, a nondeterministic one by
// asking it about every label. Calls are run once up to renaming of values;
// Independent checks that names do not matter.
package matching
