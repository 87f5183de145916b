// Package ir is the small instruction set in which the explorer runs Go code.
//
// Every value is flattened to words: a number, a bool or a string is one word (of a
// string its number in the program's table), a pointer is an object and a slot
// in it, an interface is a type and a word of data, a slice a pointer, a length and a
// capacity, a func a pointer to a closure, a map and a channel a pointer to their
// object, a struct and an array the words of their parts, at least one word for
// those without any. So pointers into
// structs and arrays, copies of structs, and casts by unsafe.Pointer need nothing
// special.
//
//	Program    functions, layouts of objects, dynamic types, globals
//	Func       registers, instructions, where registers are live
//	Instr      an instruction; Op lists them and says what their fields mean
//	Layout     what the words of an object are
//	Kind       what one word is
//	Type       a dynamic type of an interface
//	Operation  an operation of the type that is explored
package ir
