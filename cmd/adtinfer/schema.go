package main

import (
	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/theory"
)

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
