// Package host is the room of what the machine offers: files, memory, and below it blocks of
// binary logs. Most rooms use it.
//
// What is written is there as a whole or not at all, and neither a pipe that nobody writes to
// nor one that nobody reads holds up the end of a context:
//
//	err := host.Write(ctx, "run.log", func(w io.Writer) error { return log.Convert(ctx, w, history.Text) })
//
//	File        a file to be written: name and contents
//	FileReader  a file to be read, up to the end of a context
//	Error       what is wrong with a file that a user named
//	Guard       ends work that takes too much memory; a Use is a piece of it
//	Reader      a log that is read as long as there is time and memory
package host
