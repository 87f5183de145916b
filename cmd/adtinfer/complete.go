package main

import "github.com/spf13/cobra"

// What shells offer for the value of a flag. The errors are about flags that do
// not exist, which a test would see.

// choices are all there is.
func choices(c *cobra.Command, flag string, values ...string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// files have an extension.
func files(c *cobra.Command, extension string, flags ...string) {
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
