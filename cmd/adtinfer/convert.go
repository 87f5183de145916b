package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// formats are the formats that logs are written in, with the names of files
// that have them.
var formats = []struct {
	name       string
	extensions []string
	writer     func(io.Writer) history.EventWriter
}{
	{"text", []string{".log", ".txt"}, history.NewTextWriter},
	{"json", []string{".jsonl", ".json"}, history.NewJSONWriter},
	{"binary", []string{".bin"}, func(w io.Writer) history.EventWriter { return binlog.NewWriter(w) }},
}

// wordsHelp is the help of --words.
const wordsHelp = `read logs older than format 2, in which JSON strings such as "empty" are outcomes`

func newConvert(io streams) *cobra.Command {
	var to string
	var words bool
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a log between text, JSON Lines and the binary form",
		Long: `convert writes the calls and returns of a log in another format. IN is a log in
any format, OUT a file whose extension says what it becomes (.log or .txt: text,
.jsonl or .json: JSON Lines, .bin: binary), unless --to does. Either may be - for
standard input or output.

Logs of any length are converted in little memory. A log that is malformed is
refused with the place, and no file is written. What is there of one whose tail is
missing is converted, with exit code 3: text and JSON Lines say so in a comment
only, and are checked as if they were complete. Text has no place for processes,
and no format keeps times: the order of the events is what counts.

--words converts a log older than format 2, in which the JSON string "empty" could
be the nil outcome, and a value in text could have blanks without quotes. What only
a theory can tell apart, an outcome or a value, stays undecided: JSON has a field
"word" for it.`,
		Example: `  adtinfer convert run.bin run.log
  adtinfer convert --to binary - run.bin < run.log
  adtinfer convert --words old.jsonl new.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("convert needs two files: adtinfer convert IN OUT; either may be -")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runConvert(c.Context(), io, args[0], args[1], to, words)
		},
	}
	c.Flags().StringVar(&to, "to", "", "the format to write: "+formatNames()+" (default: by the extension of OUT)")
	c.Flags().BoolVar(&words, "words", false, wordsHelp)
	choices(c, "to", strings.Split(formatNames(), ", ")...)
	return c
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// formatOf is the writer of a format, or of the one that a file's name says.
func formatOf(name, path string) (func(io.Writer) history.EventWriter, error) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		for _, e := range f.extensions {
			if name == f.name || name == "" && e == ext {
				return f.writer, nil
			}
		}
	}
	if name != "" {
		return nil, usagef("unknown format %q: use %s", name, formatNames())
	}
	return nil, usagef("cannot tell the format of %s from its name; use --to %s", streamName(path, "standard output"), strings.ReplaceAll(formatNames(), ", ", ", or "))
}

// streamName is a file's name in messages.
func streamName(path, standard string) string {
	if path == "-" {
		return standard
	}
	return path
}

func runConvert(ctx context.Context, st streams, in, out, to string, words bool) error {
	writer, err := formatOf(to, out)
	if err != nil {
		return err
	}
	src, err := openLog(ctx, st, in)
	if err != nil {
		return err
	}
	defer src.Close()
	read := check.Events
	if words {
		read = check.OldEvents
	}
	events := read(src, streamName(in, "standard input"))
	convert := func(w io.Writer) error { return copyLog(ctx, w, writer, events) }
	if out == "-" {
		err = convert(st.out)
	} else {
		err = writeFile(ctx, out, convert)
	}
	if tail := tailOf(events); err == nil && tail != "" {
		fmt.Fprintf(st.err, "adtinfer: %s: %s; what is there was converted\n", streamName(in, "standard input"), tail)
		return silent(exitInconclusive)
	}
	return err
}

// openLog opens a file, or standard input for -.
func openLog(ctx context.Context, st streams, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(stdin(ctx, st)), nil
	}
	if isDir(path) {
		return nil, usagef("%s is a directory; name a log in it", path)
	}
	return open(ctx, path)
}

// copyLog copies a log. Where the recording is not complete the copy says so.
func copyLog(ctx context.Context, out io.Writer, writer func(io.Writer) history.EventWriter, events history.Events) error {
	w := writer(out)
	_, binary := w.(*binlog.Writer)
	if binary {
		w = tailWriter{w.(*binlog.Writer), events}
	}
	err := history.Copy(w, until{ctx, events})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return usageError{err}
	}
	if tail := tailOf(events); tail != "" && !binary {
		_, err = fmt.Fprintf(out, "# %s\n", tail)
	}
	return err
}

// tailOf says what is missing at the end of a log that was read.
func tailOf(events history.Events) string {
	if r, ok := events.(*binlog.Reader); ok {
		return r.Tail()
	}
	return ""
}

// tailWriter leaves a binary log open if the one that it is a copy of is.
type tailWriter struct {
	*binlog.Writer
	from history.Events
}

func (w tailWriter) Close() error {
	if tailOf(w.from) != "" {
		return w.Flush()
	}
	return w.Writer.Close()
}

// until are events up to the end of a context.
type until struct {
	ctx context.Context
	history.Events
}

func (u until) Next() (history.Event, error) {
	if err := u.ctx.Err(); err != nil {
		return history.Event{}, err
	}
	return u.Events.Next()
}
