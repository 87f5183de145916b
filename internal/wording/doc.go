// Package wording is about texts: how they are written for people, and what the texts of
// people and programs say. It knows no operations and no types of values, and imports only
// the standard library; every room uses it.
//
//	printable.go    texts from outside, fit for a terminal; numbers of things
//	suggest.go      the name a person probably meant
//	names.go        which texts are names
//	errornames.go   names of errors
//	integer.go      the integers among values, and their order
//	numerals.go     things found by texts, most of which are whole numbers
//	collection.go   sets, lists and maps as several languages print them
//	spelling.go     one value, written in two ways
//	lazy.go         regular expressions that are compiled when they are needed
package wording
