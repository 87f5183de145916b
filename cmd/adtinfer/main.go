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
	"time"

	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	io := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}.watched()
	context.AfterFunc(ctx, func() {
		stop() // a second Ctrl-C ends the program at once
		time.AfterFunc(patience, func() { giveUp(io) })
	})
	err := run(ctx, io, os.Args[1:])
	if err != nil && !isSilent(err) {
		text := fmt.Sprintf("adtinfer: %s\n%s", message(err), more(err))
		fmt.Fprint(io.err, terminal.Fold(text, terminal.Narrow(io.err)))
	}
	os.Exit(exitCode(ctx, err))
}

// patience is how long a command may take to end after the first Ctrl-C.
const patience = 3 * time.Second

// giveUp ends the program where a command does not, such as while it waits for a
// pipe that nobody opens. Nothing is half written: files are put in place whole.
func giveUp(io streams) {
	fmt.Fprintln(io.err, "adtinfer: interrupted")
	_ = io.end(context.Canceled)
	os.Exit(exitInterrupted)
}

// run executes one command line.
func run(ctx context.Context, io streams, args []string) error {
	if io.watch == nil {
		io = io.watched()
	}
	root := newRoot(io)
	root.SetArgs(goDashes(args))
	return io.end(root.ExecuteContext(ctx))
}
