package main

import "github.com/spf13/cobra"

func newInit(streams) *cobra.Command { return &cobra.Command{Use: "init"} }
