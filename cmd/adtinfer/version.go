package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/theory"
)

func newVersion(io streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the formats it reads and writes",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(io.out, version())
			return err
		},
	}
}

// version is what the command and --version print.
func version() string {
	own, goVersion := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		own, goVersion = info.Main.Version, info.GoVersion
	}
	return fmt.Sprintf("adtinfer %s\ntheories %s\n%s\n", own, theory.APIVersion, goVersion)
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
