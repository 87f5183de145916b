package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/adtinfer/adtinfer/internal/memory"
	"github.com/adtinfer/adtinfer/internal/sources"
)

// manyFlags are the flags of check about many logs, and their limits.
type manyFlags struct {
	from, shard, memory, unpack string

	part           sources.Shard
	most, unpacked int64 // bytes; 0 is no limit of the user's
	held           int64 // of an entry of an archive
}

func (m *manyFlags) register(f *pflag.FlagSet) {
	f.StringVar(&m.from, "files-from", "", "read the names of logs, directories and archives from this file (- for standard input): one a line, or separated by NUL")
	f.StringVar(&m.shard, "shard", "", "I/N: check only the I-th of N parts of the logs, by a hash of their names")
	f.StringVar(&m.memory, "memory", "", "memory to use, such as 4GB (default: nine tenths of the machine's); logs that need more are inconclusive")
	f.StringVar(&m.unpack, "unpack", "", "how large a packed log may become, such as 64GB (default: 16GB, and 500 times its size)")
}

// validate reads the flags. Parallel is how many logs are checked at a time.
func (m *manyFlags) validate(parallel int) (err error) {
	if m.part, err = sources.ParseShard(m.shard); err != nil {
		return usagef("--shard %w", err)
	}
	if m.unpacked, err = bytesOf("--unpack", m.unpack); err != nil {
		return err
	}
	if m.most, err = bytesOf("--memory", m.memory); err != nil {
		return err
	}
	if m.most > 0 {
		m.held = max(m.most/int64(4*parallel), 1)
	} else {
		m.most = memory.Machine() / 10 * 9
	}
	return nil
}

func (m *manyFlags) limits() sources.Limits { return sources.Limits{Unpacked: m.unpacked} }

// logs are what arguments and --files-from name.
func (m *manyFlags) logs(ctx context.Context, st streams, args []string) (*sources.List, error) {
	l, err := sources.All(ctx, sources.Options{Args: args, From: m.from, Shard: m.part, Stdin: stdin(ctx, st), Held: m.held, Limits: m.limits()})
	if err != nil && ctx.Err() == nil {
		err = usageError{err}
	}
	return l, err
}

// countOf says how many logs are done, and of how many if that is known.
func countOf(done, all int) string {
	if all == 0 {
		return fmt.Sprintf("%d logs", done)
	}
	return fmt.Sprintf("%d of %d logs", done, all)
}

var _ = time.Second
