// Package source loads a Go package to explore: type-checked, in SSA form, with
// everything it imports. A constructor and operations are found by the rules of
// package reference; a file laid over the package calls them, one function each,
// so that expressions (New(4)) and instances of generic types need nothing special.
//
//	Load      loads a package, with what to explore
//	Code      loads a package as it is
//	Options   where, and what of it
//	Package   the package, its constructor and operations
package source
