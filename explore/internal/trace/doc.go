// Package trace shows what a run of the explorer did: as a drawing that people read, as
// the log of its history, and as a short string from which it is run again.
//
//	Draw     one line an event, a lane for each goroutine
//	Log      the history, for checkers
//	Record   what repeats a run: String writes it, Parse reads it
//	HashOf   the hash of a program: a Record is of one alone
package trace
