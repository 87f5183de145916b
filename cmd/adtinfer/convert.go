package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/history/foreign/table"
	"github.com/adtinfer/adtinfer/internal/host/files"
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

// convertOptions are the flags of convert.
type convertOptions struct {
	readFlags
	to, theory string
	aliases    []string
}

func newConvert(io streams) *cobra.Command {
	o := &convertOptions{}
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a log between text, JSON Lines and binary, or from another tool's format",
		Long: `convert writes the calls and returns of a log in another format. IN is a log in
any format. The extension of OUT selects the format to write (.log or .txt:
text, .jsonl or .json: JSON Lines, .bin: binary), unless --to does. Either may
be - for standard input or output.

convert needs little memory for logs of any length, except for a log whose
times go back, and with --clock-skew: such a log is sorted, with calls before
returns at the same time. A malformed log is refused with the position of the
error, and no file is written. A log whose end is missing is converted as far
as it goes, with exit code 3; text and JSON Lines mention that only in a
comment, and are checked as if they were complete. Text has no room for
processes, and no format keeps times: only the order of the events counts. Only
JSON Lines can hold several objects.

IN may also be a history recorded by another tool: Jepsen, Knossos, Porcupine,
elle-cli, LiMo, FPTLin or Violin, or a table (CSV) with a row an operation. It is
recognized by its content, or named with --from. If the tool writes arguments and
answers in the same field, give --theory to tell them apart. JSON Lines leave it
open in a field "word" whether a word of a text log is an outcome or a value:
only a theory can tell.`,
		Example: `  adtinfer convert run.bin run.log
  adtinfer convert --to binary - run.bin < run.log
  adtinfer convert --from jepsen history.edn history.jsonl
  adtinfer convert --from porcupine --theory register.theory.yaml etcd_000.log etcd.jsonl`,
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
	c.Flags().StringVar(&o.theory, "theory", "", "a theory file, to tell arguments from answers in another tool's history")
	c.Flags().StringArrayVar(&o.aliases, "alias", nil, "NAME=METHOD: the history says NAME where the theory says METHOD")
	o.register(c, skewHelp)
	fileNames(c, "yaml", "theory")
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
	o.unread = &unreads{}
	if err == nil {
		err = o.validate()
	}
	if err != nil {
		return err
	}
	methods, err := o.methods(ctx)
	if err != nil {
		return err
	}
	err = o.convert(ctx, st, in, out, format, methods, false)
	var wrong *history.ParseError
	if errors.As(err, &wrong) && wrong.Unsorted && in != "-" && out != "-" {
		err = o.convert(ctx, st, in, out, format, methods, true)
	}
	return err
}

// methods are those of the theory, if there is one.
func (o *convertOptions) methods(ctx context.Context) (history.Signature, error) {
	if o.theory == "" {
		if len(o.aliases) > 0 {
			return history.Signature{}, usagef("--alias names methods of a theory: give --theory, too")
		}
		return history.Signature{}, nil
	}
	c := checkOptions{theory: o.theory, aliases: o.aliases, engineFlags: engineFlags{Options: check.Options{Engine: "auto"}}}
	t, err := c.readTheory(ctx)
	if err != nil {
		return history.Signature{}, err
	}
	methods, err := t.Signature(c.Aliases)
	if err != nil {
		return history.Signature{}, usageError{err}
	}
	return methods, nil
}

// convert converts a log, as a whole if its times go back.
func (o *convertOptions) convert(ctx context.Context, st streams, in, out string, format history.Format, methods history.Signature, whole bool) error {
	src, err := openLog(ctx, st, in)
	if err != nil {
		return err
	}
	defer src.Close()
	log := o.reader(false)(src, streamName(in, "standard input"), methods)
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
	o.unread.note(st.err, streamName(in, "standard input"))
	if tail := log.Tail(); err == nil && tail != "" {
		fmt.Fprintf(st.err, "adtinfer: %s: %s; it was converted as far as it goes\n", streamName(in, "standard input"), tail)
		return silent(exitInconclusive)
	}
	return err
}

// openLog opens a file, or standard input for -, either of which may be packed.
func openLog(ctx context.Context, st streams, path string) (io.ReadCloser, error) {
	if path == "-" {
		return sources.Unpack(stdin(ctx, st), "standard input", 0), nil
	}
	if files.IsDir(path) {
		return nil, usagef("%s is a directory; name a log in it", path)
	}
	return sources.Open(ctx, path)
}

// skewHelp is the help of --clock-skew.
const skewHelp = `how far clocks may be from the true time, such as 5ms: each call counts as that much earlier and each return as that much later, by the times in a JSON Lines log`

// readFlags say how logs are read, by every command that reads them.
type readFlags struct {
	columns      string // of tables
	skew         time.Duration
	from         string // whose format the logs are in; "": ours, or what is recognized
	byKey        bool
	pairs        bool // values are pairs: --by-key=false
	answers      bool
	failed, null string // of histories of other tools
	outcomes     []string
	unread       *unreads

	annotate func(foreign.Annotation) // nil: annotations are skipped
}

// register adds the flags, with the help that a command has for --clock-skew.
func (o *readFlags) register(c *cobra.Command, skewHelp string) {
	var tools []string
	for _, f := range foreign.Formats() {
		tools = append(tools, string(f))
	}
	f := c.Flags()
	f.StringVar(&o.columns, "columns", "", "what the columns of a table hold, with commas: HEADER=COLUMN for those whose header does not say it, or all in their order where there is no header; COLUMN is call, return (or call:ms and return:ms), process, method, arguments, answer, id, object, or - for what is left out")
	f.DurationVar(&o.skew, "clock-skew", 0, skewHelp)
	f.StringVar(&o.from, "from", "", "read histories of this tool: "+strings.Join(tools, ", ")+" (default: recognized by content)")
	f.BoolVar(&o.byKey, "by-key", false, "in another tool's history, the field :key, or k in a value [k v], names an object; with =false, values that look like [k v] are values of one object")
	f.BoolVar(&o.answers, "answers", false, "in another tool's history, a completion that repeats the value of its invocation is an answer")
	f.StringArrayVar(&o.outcomes, "outcome", nil, "METHOD:WORD=OUTCOME: completions of METHOD in another tool's history say WORD for this outcome, such as dequeue:None=nil; WORD may be :fail, or :ok for those that say nothing")
	f.StringVar(&o.failed, "failed", "", "what becomes of failed operations in another tool's history: dropped, or false as their answer (default dropped; with --from porcupine, false)")
	f.StringVar(&o.null, "nil", "", "what it means that nil was read in another tool's history: unknown or unset (default unknown; with --from porcupine, unset)")
	c.PreRun = func(c *cobra.Command, _ []string) {
		o.pairs = c.Flags().Changed("by-key") && !o.byKey
		if o.columns != "" && o.from == "" {
			o.from = string(foreign.CSV)
		}
	}
	choices(c, "from", tools...)
	choices(c, "failed", "dropped", "false")
	choices(c, "nil", "unknown", "unset")
}

// validate refuses flags that do not go together, and clocks that there are not.
func (o *readFlags) validate() error {
	if _, err := table.ParseColumns(o.columns); err != nil {
		return usageError{err}
	}
	format, formats := foreign.Format(o.from), foreign.Formats()
	plain := slices.Contains([]foreign.Format{foreign.LiMo, foreign.FPTLin, foreign.Violin, foreign.CSV}, format)
	_, err := o.outcomeNames()
	return cmp.Or(
		refuse(o.columns != "" && format != foreign.CSV, "--columns is about tables, but --from is %s; use --from csv", o.from),
		refuse(o.skew < 0, "--clock-skew must not be negative, but got %v", o.skew),
		refuse(o.from != "" && !slices.Contains(formats, format), "unknown format %q: use --from with one of %s; adtinfer's own logs need no --from", o.from, strings.Trim(fmt.Sprint(formats), "[]")),
		refuse(!slices.Contains([]string{"", "dropped", "false"}, o.failed), "--failed must be dropped or false, not %q", o.failed),
		refuse(!slices.Contains([]string{"", "unknown", "unset"}, o.null), "--nil must be unknown or unset, not %q", o.null),
		refuse(plain && given(o.byKey, o.failed, o.null, o.answers, len(o.outcomes)), "histories of %s have no keys and no failed operations, and say what was read: leave out --by-key, --failed, --nil, --answers and --outcome", o.from),
		err)
}

// outcomeNames are those of --outcome.
func (o *readFlags) outcomeNames() (names []foreign.OutcomeName, err error) {
	for _, text := range o.outcomes {
		method, rest, ok := strings.Cut(text, ":")
		at := strings.LastIndexByte(rest, '=')
		if !ok || method == "" || at <= 0 || at == len(rest)-1 {
			return nil, usagef("--outcome needs METHOD:WORD=OUTCOME, such as dequeue:None=nil, not %q", text)
		}
		names = append(names, foreign.OutcomeName{Method: method, Word: rest[:at], Outcome: history.Outcome(rest[at+1:])})
	}
	return names, nil
}

// isForeign reports whether the flags speak of histories of other tools.
func (o *readFlags) isForeign() bool {
	return given(o.from, o.byKey, o.pairs, o.answers, o.failed, o.null, len(o.outcomes))
}

// reader is how logs are read. One that is followed has to be one of ours.
func (o *readFlags) reader(followed bool) func(io.Reader, string, history.Signature) *history.Reader {
	porcupine := foreign.Format(o.from) == foreign.Porcupine
	columns, _ := table.ParseColumns(o.columns) // which have been looked at
	options := foreign.Options{
		Format:        foreign.Format(o.from),
		ByKey:         o.byKey,
		Pairs:         o.pairs,
		Answers:       o.answers,
		FailedIsFalse: o.failed == "false" || o.failed == "" && porcupine,
		NilIsUnset:    o.null == "unset" || o.null == "" && porcupine,
		Followed:      followed,
		Columns:       columns,
		Skewed:        o.skew > 0,
	}
	options.Outcomes, _ = o.outcomeNames() // which have been looked at
	return func(r io.Reader, file string, methods history.Signature) *history.Reader {
		options := options
		options.Annotate = o.annotate
		options.Unread = func(n int, first history.Pos) { o.unread.add(file, n, first) }
		log := foreign.New(r, file, options, methods)
		log.Skew = o.skew
		return log
	}
}
