package main

import (
	"fmt"
	"runtime"
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
