// Package binlog has the blocks of binary logs: what package record writes while a
// program runs, and the compact form of calls and returns that logs are converted
// to. Package history knows the calls and returns in them. docs/formats.md
// describes the bytes.
//
//	type     is
//	Blocks   the blocks of a log, checked
//	Appender makes the blocks of a log
//	Tables   the names and texts that a log's events refer to
//	Entry    what a recorder writes, in 32 bytes
//	Damaged  error: what is wrong with a file, and where
package binlog
