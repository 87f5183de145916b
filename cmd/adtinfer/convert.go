package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/files"
)

// formats are the formats that logs are written in, with the names of files
// that have them.
var formats = []struct {
	name       string
	extensions []string
	format     history.Format
}{
	{"text", []string{".log", ".txt"}, history.Text},
	{"json", []string{".jsonl", ".json"}, history.JSON},
	{"binary", []string{".bin"}, history.Binary},
}

// wordsHelp is the help of --words.
const wordsHelp = `read logs older than format 2, in which JSON strings such as "empty" are outcomes`

// convertOptions are the flags of convert.
type convertOptions struct {
	to    string
	words bool
	skew  time.Duration
}

func newConvert(io streams) *cobra.Command {
	o := &convertOptions{}
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a log between text, JSON Lines and the binary form",
		Long: `convert writes the calls and returns of a log in another format. IN is a log in
any format, OUT a file whose extension says what it becomes (.log or .txt: text,
.jsonl or .json: JSON Lines, .bin: binary), unless --to does. Either may be - for
standard input or output.

Logs of any length are converted in little memory, except if their times go back, or
with --clock-skew: such a log is sorted, calls before returns at the same time. A log that is malformed is
refused with the place, and no file is written. What is there of one whose tail is
missing is converted, with exit code 3: text and JSON Lines say so in a comment
only, and are checked as if they were complete. Text has no place for processes,
and no format keeps times: the order of the events is what counts. Only JSON Lines have
a place for several objects.

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
			return runConvert(c.Context(), io, o, args[0], args[1])
		},
	}
	c.Flags().StringVar(&o.to, "to", "", "the format to write: "+formatNames()+" (default: by the extension of OUT)")
	c.Flags().BoolVar(&o.words, "words", false, wordsHelp)
	c.Flags().DurationVar(&o.skew, "clock-skew", 0, skewHelp)
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

// formatOf is the format of a name, or the one that a file's name says.
func formatOf(name, path string) (history.Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range formats {
		for _, e := range f.extensions {
			if name == f.name || name == "" && e == ext {
				return f.format, nil
			}
		}
	}
	if name != "" {
		return 0, usagef("unknown format %q: use %s", name, formatNames())
	}
	return 0, usagef("cannot tell the format of %s from its name; use --to %s", streamName(path, "standard output"), strings.ReplaceAll(formatNames(), ", ", ", or "))
}

// streamName is a file's name in messages.
func streamName(path, standard string) string {
	if path == "-" {
		return standard
	}
	return path
}

func runConvert(ctx context.Context, st streams, o *convertOptions, in, out string) error {
	format, err := formatOf(o.to, out)
	if err == nil {
		err = validSkew(o.skew)
	}
	if err != nil {
		return err
	}
	err = o.convert(ctx, st, in, out, format, false)
	var wrong *history.ParseError
	if errors.As(err, &wrong) && wrong.Unsorted && in != "-" && out != "-" {
		err = o.convert(ctx, st, in, out, format, true)
	}
	return err
}

// convert converts a log, as a whole if its times go back.
func (o *convertOptions) convert(ctx context.Context, st streams, in, out string, format history.Format, whole bool) error {
	src, err := openLog(ctx, st, in)
	if err != nil {
		return err
	}
	defer src.Close()
	log := skewed(o.skew, reads(o.words))(src, streamName(in, "standard input"), history.Signature{})
	log.Sort = whole
	convert := func(w io.Writer) error {
		err := log.Convert(ctx, w, format)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return usageError{err}
		}
		return nil
	}
	if out == "-" {
		err = convert(st.out)
	} else {
		err = files.Write(ctx, out, convert)
	}
	if tail := log.Tail(); err == nil && tail != "" {
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
	if files.IsDir(path) {
		return nil, usagef("%s is a directory; name a log in it", path)
	}
	return files.Open(ctx, path)
}

// skewHelp is the help of --clock-skew.
const skewHelp = `how far clocks may be from the true time, such as 5ms: each call counts as so much earlier, each return as so much later, by the times of a JSON Lines log`

// validSkew refuses what no clock is.
func validSkew(skew time.Duration) error {
	if skew < 0 {
		return usagef("--clock-skew must not be negative, but got %v", skew)
	}
	return nil
}

// skewed reads as read does, with clocks that differ.
func skewed(skew time.Duration, read func(io.Reader, string, history.Signature) *history.Reader) func(io.Reader, string, history.Signature) *history.Reader {
	return func(r io.Reader, file string, methods history.Signature) *history.Reader {
		log := read(r, file, methods)
		log.Skew = skew
		return log
	}
}

// reads is how logs are read.
func reads(words bool) func(io.Reader, string, history.Signature) *history.Reader {
	return func(r io.Reader, file string, _ history.Signature) *history.Reader {
		log := history.NewReader(r, file)
		log.OldWords = words
		return log
	}
}
