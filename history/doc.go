// Package history holds what happened to a data type's object: operations with
// their labels, executions, and histories, which are executions seen through a
// matching scheme ("Symbolic ADT inference" §3). It draws histories and reads
// drawings, and reads and writes logs of executions.
//
//	type         holds                                             comes from
//	Label        method, outcome, arguments, returned values       a log, a reference
//	Kind         method and outcome: a label without values
//	Operation    a label with its call and return                  ReadLog
//	Execution    operations in the order of their calls            ReadLog, Sequential
//	Op           a kind with match target, flags and interval      a matching scheme
//	History      ops with their interval order                     Sequence, ParseDrawing
//	Signature    methods by the names that logs use                NewSignature
//	Reader       a log in any format: read, visited, followed, converted; of one
//	             object or several, sorted by time, by clocks that differ
//	Event        a call or a return by itself                        Reader.Events, NewImported
//	Visitor      takes the events of a log, without an Execution in between
//	Format       how a log is written: Text, JSON, Binary          Reader.Convert
//	ParseError   what is wrong in a log or drawing, and where
//
// A history is drawn one operation a line, identifier and match target first
// (X: unmatched), and read back:
//
//	h, labels, err := history.ParseDrawing(`
//		[1:1] add(v1)            #
//		[2:2] remove => - (RO)    #
//	`)
//
// Histories that are equal up to the names of their operations have the same
// Key. Everything here that takes a History expects a valid one (see
// History.Validate).
package history
