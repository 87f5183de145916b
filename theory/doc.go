// Package theory holds a data type's specification and its YAML file.
//
// A Theory says which executions it speaks of (the language), how operations
// match (the matching scheme), and which patterns no admitted history embeds; or
// which automaton has all executions, as a whole or key by key.
// Inference writes one, people review it, checking engines read it:
//
//	f, err := os.Open("queue.theory.yaml")
//	if err != nil {
//		return err
//	}
//	defer f.Close()
//	t, err := theory.Read(f, "queue.theory.yaml")
//	if err != nil {
//		return err // queue.theory.yaml:15:3: spec has no field "langauge"; did you mean "language"?
//	}
//	admitted, inLanguage, err := t.Sequences().Admits(ctx, labels)
//	err = theory.Write(w, t) // the same bytes as the file
//
// What each type is in the file (docs/formats.md describes every field):
//
//	Theory        the whole: metadata.name, spec, status
//	Spec          spec: what means something to a checker
//	Rule          spec.language, spec.axioms, spec.beyond: a named closed formula
//	Matching      spec.matching: targets and read-only operations
//	Product       spec.product: a spec for each key
//	Control       spec.control: an automaton beside patterns
//	Spec.Model    spec.model: the reference, which checking runs where nothing else decides
//	Pattern       spec.patterns: a drawing and the formula that says the same
//	Status        status: what was checked, to which bound
//	Synthesis     status.synthesis: how language and matching were found
//	Extent        status.automaton: how far it was compared with the reference
//	Check         status.faithful, normal, beyond: a check of all executions up to a length
//	WeightStatus  status.weights: what the enumeration saw
//	CrossCheck    status.crossCheck: patterns and reference on all short histories
//	LongRuns      status.longRuns: how the theory did on long runs of its reference
//	Mutants       status.mutants: and on wrong versions of it, of which Rejected were found and Unseen were not
//
// Methods are those of package history, predicates those of package formula.
//
// Reading is strict: a field, method, outcome or variable that does not exist
// is an error with file, line and column, and so is a drawing that says
// something else than its formula. Reader, writer and Schema, the JSON Schema of
// the file, are made of one table of fields (table.go).
package theory
