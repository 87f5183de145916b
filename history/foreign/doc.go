// Package foreign reads histories that other tools record: Jepsen's and Knossos', Porcupine's test data, elle-cli's, LiMo's,
// fptlin's and Violin's.
//
//	log, err := foreign.New(file, "run.edn", foreign.Options{Format: foreign.Jepsen}, signature)
//	e, err := log.Execution(signature)
//
// A parser a format makes records of a file: an invocation or a completion each. What they mean for a history is decided
// in one place: which of them are one operation (assemble.go), which object it is about (keys.go), which of the values are
// arguments (meaning.go), what completions say, what is pending and what did not happen (completion.go), what values are by their types (typed.go).
//
// Tables, which package table reads, need no such decisions.
//
//	type      holds
//	Format    whose format a file is in
//	Options   what of a file's meaning it does not say itself
//	record    an invocation or a completion, as a parser found it
package foreign
