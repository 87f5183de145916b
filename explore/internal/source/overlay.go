package source

import (
	"context"
	"os/exec"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/standard"
)

// layOver lays files over those of the Go installation that the package is built with.
func (l *loader) layOver(ctx context.Context, env []string) error {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir, cmd.Env = l.Dir, env
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.goFailed(err.Error())
	}
	l.overlay, err = standard.Overlay(strings.TrimSpace(string(out)))
	return err
}
