// Package mutants makes wrong versions of a program, each with one mistake: a comparison
// flipped, a condition forced, a compare-and-swap that does not compare, a lock, a
// store or a constant that is not there. What bounds find of them tells how strong
// the bounds are.
//
//	Of       lists the mutants of a program
//	Mutant   a mistake, and where; Program makes it
package mutants
