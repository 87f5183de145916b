// Package theory holds a data type's specification and its YAML file.
//
// A Theory says which executions it speaks of (the language), how operations
// match (the matching scheme), and which patterns no admitted history embeds.
// Inference writes one, people review it, checking engines read it:
//
//	f, err := os.Open("queue.theory.yaml")
//	t, err := theory.Read(f, "queue.theory.yaml")
//	t.Vocabulary()               // for formula.Parse and formula.Expand
//	err = theory.Write(w, t)     // the same bytes as the file
//
// What each type is in the file (docs/formats.md describes every field):
//
//	Theory     the whole: metadata.name, spec, status
//	Rule       spec.language and spec.axioms: a named closed formula
//	Matching   spec.matching: targets and read-only operations
//	Pattern    spec.patterns: a drawing and the formula that says the same
//	Status     status: what was checked, to which bound
//	LongRuns   status.longRuns: how the theory did on long runs of its reference
//	Mutants    status.mutants: and on wrong versions of it
//
// Reading is strict: a field, method, outcome or variable that does not exist
// is an error with file, line and column, and so is a drawing that says
// something else than its formula. Schema is the JSON Schema of the file.
package theory
