// Package binlog is the binary form of logs: what package record writes while a
// program runs, and a compact form of calls and returns alone, to which text
// logs can be converted. docs/formats.md describes the bytes.
//
//	r := binlog.NewReader(file, "run.bin")
//	e, err := history.Collect(r, signature)
//	if tail := r.Tail(); tail != "" { ... } // the recording is not complete
//
//	type     is
//	Reader   the calls and returns of a log, one by one
//	Visit    the same for a history.Visitor, faster
//	Writer   writes calls and returns in the compact form
//	Blocks   the blocks of a log, checked
//	Appender makes the blocks of a log
//	Entry    what a recorder writes, in 32 bytes
//	Damaged  error: what is wrong with a file, and where
package binlog
