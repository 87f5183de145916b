// Package standard says what the standard library is to the explorer. Most of it is
// what it is: Go source, compiled like the rest. Of the other packages there is a
// list of three parts.
//
//   - Some packages are replaced, by Go source with the same exported names
//     (folder _std): those that are about the scheduler, the clock, the system, or reflect.
//     They are laid over the files of the Go installation when a package is loaded, so
//     neither the loader nor the compiler sees anything special.
//
//   - Some functions are instructions, or natives: functions of words that the
//     explorer does not look into. In _std they have no body.
//
//   - Some functions are refused, each with a sentence that says why.
//
//     Overlay    the files to load in place of those of the Go installation
//     Lookup     what stands for a function
//     Function   it: instructions, a native, a refusal, a note
//     Replaces   whether a package is replaced
package standard
