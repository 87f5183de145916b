package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger // what is being done, with --verbose
	watch    *watch
}

// style is how results may look on standard output.
func (s streams) style() out.Style {
	if terminal.Colour(s.out) {
		return out.Colour
	}
	return out.Plain
}

// people is standard output for texts that people read, folded if the terminal is narrow. What is
// written ends lines.
func (s streams) people() io.Writer {
	if n := terminal.Narrow(s.out); n > 0 {
		return terminal.NewFolding(s.out, n)
	}
	return s.out
}

// to is standard output for results in a format, which people read if it is text.
func (s streams) to(format string) io.Writer {
	if format == "text" {
		return s.people()
	}
	return s.out
}

// progress shows how far long work has come: on standard error, or with --verbose in the log.
func (s streams) progress() *terminal.Progress {
	p := terminal.NewProgress(s.err)
	if s.watch.verbose {
		p.Log = s.log
	}
	return p
}

// watch is how a run is watched from outside.
type watch struct {
	verbose  bool
	profiles profiles
	level    slog.LevelVar
	start    time.Time
}

// quiet is above every level.
const quiet = slog.Level(100)

// watched are streams with a log that says nothing before --verbose is there.
func (s streams) watched() streams {
	s.watch = &watch{start: time.Now()}
	s.watch.level.Set(quiet)
	s.log = slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: &s.watch.level}))
	return s
}

// register adds the flags that all commands have.
func (w *watch) register(f *pflag.FlagSet) {
	f.BoolVarP(&w.verbose, "verbose", "v", false, "log each step, its duration and the deciding engine to standard error")
	f.StringVar(&w.profiles.CPU, "cpuprofile", "", "write a CPU profile of adtinfer to this file")
	f.StringVar(&w.profiles.Memory, "memprofile", "", "write a memory profile of adtinfer to this file at the end")
	for _, name := range []string{"cpuprofile", "memprofile"} {
		_ = f.MarkHidden(name) // it exists
	}
}

// begin is called once the flags are there.
func (s streams) begin(c *cobra.Command, args []string) error {
	if s.watch.verbose {
		s.watch.level.Set(slog.LevelInfo)
	}
	s.log.Info("begin", "command", c.CommandPath(), "arguments", args, "version", ownVersion(), "processors", runtime.GOMAXPROCS(0))
	if err := s.watch.profiles.Start(); err != nil {
		return usageError{err}
	}
	return nil
}

// end is called at the end, whatever that is; twice, if work goes on while the program
// gives up. It says what could not be written.
func (s streams) end(err error) error {
	log := s.log.With("took", time.Since(s.watch.start).Round(time.Microsecond))
	if err != nil && !isSilent(err) {
		log = log.With("error", message(err))
	}
	log.Info("end")
	unwritten := s.watch.profiles.Stop()
	if unwritten == nil {
		return err
	}
	fmt.Fprintln(s.err, "adtinfer:", unwritten)
	return cmp.Or(err, error(silent(exitUsage)))
}

func newRoot(io streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "adtinfer",
		Short: "From reference code to specification to verdict",
		Long: `adtinfer turns a plain Go reference implementation of a data type into its
specification - the few minimal ways in which a history can be wrong - and
checks recorded concurrent executions of the real implementation against it.

Results go to standard output, everything else to standard error.
Exit codes: 0 holds; 1 violation found, or no specification for this reference;
2 usage or bad input; 3 inconclusive; 4 internal failure; 130 interrupted.`,
		Example: `  adtinfer infer --ref ./examples/queue
  adtinfer check --theory examples/queue/queue.theory.yaml examples/logs`,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		SilenceErrors:              true,
		Args:                       cobra.ArbitraryArgs,
	}
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}")
	root.PersistentPreRunE = io.begin
	io.watch.register(root.PersistentFlags())
	root.RunE = func(c *cobra.Command, args []string) error { return unknownCommand(c, args) }
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp(root))
	if n := terminal.Narrow(io.out); n > 0 {
		help := root.HelpFunc()
		root.SetHelpFunc(func(c *cobra.Command, args []string) {
			var text bytes.Buffer
			c.SetOut(&text)
			help(c, args)
			fmt.Fprint(io.out, terminal.FoldHelp(text.String(), n))
		})
	}
	root.AddCommand(newInfer(io), newMatch(io), newCheck(io), newMerge(io), newVerify(io), newExplore(io), newTest(io), newConvert(io), newInit(io), newExplain(io), newSchema(io), newVersion(io))
	return root
}

// newHelp is the command that shows the help of another one.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help for a command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || c == root && len(args) > 0 {
				return unknownCommand(root, rest)
			}
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Help()
		},
	}
}

// flagError answers flags that nobody knows, or that lack a value.
// Where a word before the flag should have been a command, that is what is wrong.
func flagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); !c.HasParent() && len(words) > 0 {
		return unknownCommand(c, words)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		if hint := wording.Hint("--"+unknown.GetSpecifiedName(), names); hint != "" {
			return usagef("%v%s", err, hint)
		}
	}
	return usagef("%v; see %s --help", err, c.CommandPath())
}

// unknownCommand answers words that are no command; without any it helps.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	hint := "see adtinfer --help"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %q?", near[0])
	}
	return usagef("unknown command %q; %s", args[0], hint)
}

// What shells offer for the value of a flag. The errors are about flags that do
// not exist, which a test would see.

// choices are all there is.
func choices(c *cobra.Command, flag string, values ...string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// fileNames have an extension.
func fileNames(c *cobra.Command, extension string, flags ...string) {
	for _, f := range flags {
		_ = c.MarkFlagFilename(f, extension)
	}
}

// directories is for flags whose value is one.
func directories(c *cobra.Command, flags ...string) {
	for _, f := range flags {
		_ = c.MarkFlagDirname(f)
	}
}

func newVersion(io streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the formats that it reads and writes",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(io.out, version())
			return err
		},
	}
}

// version is what the command and --version print.
func version() string {
	return fmt.Sprintf("adtinfer %s\ntheories %s\n%s\n", ownVersion(), theory.APIVersion, runtime.Version())
}

// ownVersion is that of the command's module.
func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// noArgs refuses arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		hint := fmt.Sprintf("see %s --help", c.CommandPath())
		if c.Flags().Lookup("ref") != nil {
			hint = fmt.Sprintf("did you mean --ref %s?", args[0])
		}
		return usagef("%s takes no arguments, but got %q; %s", c.Name(), args[0], hint)
	}
	return nil
}

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// refuse is a line in a list of what flags may not be: the error of cmp.Or over such lines is what users are told.
func refuse(when bool, format string, args ...any) error {
	if !when {
		return nil
	}
	return usagef(format, args...)
}

// given reports whether one of the values is not the one that flags have by themselves.
func given(values ...any) bool {
	return slices.ContainsFunc(values, func(v any) bool { return !reflect.ValueOf(v).IsZero() })
}

func newSchema(io streams) *cobra.Command {
	return &cobra.Command{
		Use:       "schema theory",
		Short:     "Print the JSON Schema of a file format",
		Example:   "  adtinfer schema theory > theory.schema.json",
		ValidArgs: []string{"theory"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "theory" {
				return usagef("schema takes one argument, the format: theory")
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			_, err := io.out.Write(theory.Schema())
			return err
		},
	}
}
