// Package files reads and writes the files that users name: what is written is there as a whole or not at all, and
// neither a pipe that nobody writes to nor one that nobody reads holds up the end of a context.
//
//	err := files.Write(ctx, "run.log", func(w io.Writer) error { return log.Convert(ctx, w, history.Text) })
//
//	type    holds
//	File    a file to be written: name and contents
//	Reader  a file to be read, up to the end of a context
//	Error   what is wrong with a file that a user named
package files
