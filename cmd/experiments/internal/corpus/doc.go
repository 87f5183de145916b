// Package corpus freezes what the engines say of many logs, so that a change of the
// code that should change no answer can be held against the code before it:
//
//	go run ./cmd/experiments corpus write -o before.jsonl -logs 300 -data ../shared/data
//	go run ./cmd/experiments corpus compare before.jsonl
//
// A corpus is a file of JSON lines, one for each log and theory (see Entry). The log
// itself is in it, unless it is a recording: then its path and hash are. So a corpus is
// compared with the code of another day without making the same random logs again. The
// same code writes the same bytes.
//
//	Corpus      where the project and recordings are; Write, Again and Compare
//	Entry       a log, a theory, and what each engine answered
//	Answer      verdict, prefix, patterns and all else that must not change
//	Comparison  what to compare, and the differences
//
// What it asks of other packages is in engines.go alone: whoever changes their API
// adapts that file. Where the theories lie says subjects.go.
package corpus
