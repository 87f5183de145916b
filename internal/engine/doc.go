// Package engine is the room of the engines, each in a package below it: what decides
// whether executions refine a theory, and what gives reasons. Package check uses all of
// them; describe/internal/judge, explore, adttest and out/page use some.
//
// One need not be in the program: package explore registers itself as Explorer when it is
// imported, and adttest asks whoever is registered.
//
//	Question  a type, and the history that one run of it had
//	Answer    an interleaving with that history, or why there is none
package engine
