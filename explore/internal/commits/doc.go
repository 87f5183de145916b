// Package commits looks at code that records with package record, without running it.
// It finds paths of an operation that do not pass exactly one commit, writes to the view's fields
// that are not recorded by then, and block entries of code that has no lock for them.
//
//	Check     looks at a package
//	Report    what it has looked at, and found
//	Finding   what is wrong, and where
//
// Paths are those of go/ssa's control flow, with the package's own functions inlined. A
// branch goes one way where the other contradicts what the path has decided before: about the same
// value, or about a field that is written once, by the constructor.
//
// The view's fields are those whose values are recorded somewhere. Methods that
// refine.Options.Observers names in the package need no commit.
package commits
