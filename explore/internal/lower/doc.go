// Package lower compiles SSA form to package ir. What a program may use beyond the
// language is listed in tables: functions that are instructions or natives, and
// functions of the standard library that are replaced by Go source of our own.
//
//	Compile   compiles a package
//	Refusal   something in the code that cannot be explored, with its place
package lower
