// Package lower compiles SSA form to package ir. What a program may use beyond the
// language is listed in package standard: functions that are instructions or natives, and
// packages that are replaced by Go source of our own.
//
// Functions are compiled as they are reached from the constructor and the operations;
// methods, if an interface is made of their type and somebody calls them; initialisers,
// as far as they matter for variables that are reached. Then copies and dead code are
// dropped, small functions put in the place of their calls, and registers shared.
//
//	Compile   compiles a package
//	Refusal   something in the code that cannot be explored, with its place
package lower
