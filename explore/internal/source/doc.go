// Package source loads a Go package to explore: type-checked, in SSA form, with
// everything it imports. A constructor and operations are found by the rules of
// package reference; a file laid over the package calls them, one function each,
// so that expressions (New(4)) and instances of generic types need nothing special.
//
//	Load      loads a package, with what to explore
//	Code      loads a package as it is
//	Options   where, and what of it
//	Package   the package, its constructor and operations
//	Policy    its directives, with Options.Policy
//
// With Options.Policy comments that are directives of a linearization policy are
// code. In the text of a file such a comment becomes statements on the same line,
//
//	p.next.Store(n)
//	//lin: add(e) = true; broadcast added(e)
//
// calls of functions that an added file declares:
//
//	;adtinferBegin(); if (adtinferRuns0()) { adtinferBefore0(e); adtinferAnnounce0(e, true); adtinferAfter0(e); }; adtinferEnd()
//
// so that Go's type checker reads their expressions in the scope they stand in, and SSA
// has them where control comes to them. Line comments keep all positions what they were:
// errors show the text of the directive.
//
//	grammar.go     the text of a directive, and lexer.go its tokens
//	directives.go  finds them, places.go says where they may stand
//	resolve.go     what they name; guess.go, that guesses can be right
//	ghosts.go      the added file, rewrite.go the changed ones
//	reach.go       which operations come to a directive
//	lint.go        what is suspicious
//
// # Directives
//
// ParseStatement reads the directives of linearization policies: comments that begin with
// //lin:, see docs/policies.md for the language.
//
//	s, wrong := ParseStatement("//lin: in start if v == e: contains(e) = false; goto helped", 6)
//
//	Statement   a directive in a body: a guard and acts
//	Act         what it does, of a Kind
//	Receive     a rule by which an operation receives a message; its Params
//	Piece       a part of a comment, with its place there
//	Error       what is wrong, with its place
//
// Around and Preceding say where one stands and whether it may, Terminates whether what is behind a statement is
// reached. What names and expressions mean is for package source to find out.
//
// # How packages record
//
// Check looks at code that records with package record, without running it.
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
package source
