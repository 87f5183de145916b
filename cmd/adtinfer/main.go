// Command adtinfer turns plain Go reference implementations into formal
// specifications of data types, and checks recorded concurrent executions
// against them. adtinfer --help says more.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	io := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	err := run(ctx, io, os.Args[1:])
	if err != nil && !isSilent(err) {
		fmt.Fprintln(io.err, "adtinfer:", message(err))
	}
	os.Exit(exitCode(ctx, err))
}

// run executes one command line.
func run(ctx context.Context, io streams, args []string) error {
	root := newRoot(io)
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}
