package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check/sources"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// Exit codes; docs/exit-codes.md explains them to users.
const (
	exitHolds        = 0
	exitViolation    = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitInternal     = 4
	exitInterrupted  = 130
)

// silent is an error whose message has been printed already, with its code.
type silent int

func (s silent) Error() string { return "see above" }

// concluded is silent, and is the code of a command that says what it has
// established also where it was interrupted.
type concluded int

func (c concluded) Error() string { return "see above" }

func isSilent(err error) bool { return is[silent](err) || is[concluded](err) }

// usageError is an error of the user's making.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

// timedOut is the error of a command that took longer than it may.
type timedOut time.Duration

func (t timedOut) Error() string {
	return fmt.Sprintf("no result within --timeout %v", time.Duration(t))
}

func (timedOut) Unwrap() error { return context.DeadlineExceeded }

// exitCode maps an error to the documented codes.
func exitCode(ctx context.Context, err error) int {
	var s silent
	var c concluded
	var wrong *patterns.Disagrees
	switch {
	case err == nil:
		return exitHolds
	case errors.As(err, &c):
		return int(c)
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return exitInconclusive
	case errors.As(err, &s):
		return int(s)
	case is[*describe.Empty](err):
		return exitUsage
	case describe.Witness(err) || isJudgement(err) || errors.As(err, &wrong) && wrong.FalseAlarms > 0:
		return exitViolation
	case wrong != nil || isUndecided(err):
		return exitInconclusive
	case isInput(err):
		return exitUsage
	}
	return exitInternal
}

// isJudgement reports whether the error is about a theory that does not hold
// where the inference did not look, or that says too little.
func isJudgement(err error) bool {
	return is[*describe.Wrong](err) || is[*describe.Blind](err) || is[*describe.Empty](err) || is[*describe.Unfit](err)
}

// isUndecided reports whether the error is about limits: beyond them the answer may be either.
func isUndecided(err error) bool {
	var fault *reference.Fault
	return errors.Is(err, patterns.ErrNoEnd) || errors.Is(err, patterns.ErrTooMany) || errors.As(err, &fault) && fault.Reason == driver.Drops
}

// isForceable reports whether --force goes on after the error.
func isForceable(err error) bool {
	return is[*matching.Unfaithful](err) || is[*matching.NotNormal](err)
}

// isInput reports whether the error is about what the user gave.
func isInput(err error) bool {
	return is[usageError](err) || is[*reference.LoadError](err) || is[*reference.Fault](err) ||
		is[*matching.Unsupported](err) || is[*files.Error](err) || is[*explore.Refused](err)
}

// message is the error as people read it: without the package names that
// libraries put in front.
func message(err error) string {
	if packed := (*sources.Error)(nil); errors.As(err, &packed) {
		return packed.Error() // who read it does not matter
	}
	m := strings.Replace(err.Error(), context.Canceled.Error(), "interrupted", 1)
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Op == "open" && errors.Is(path, fs.ErrNotExist) {
		m = strings.Replace(m, path.Error(), missing(path.Path), 1)
	}
	for _, p := range []string{"describe: ", "judge: ", "matching: ", "synthesis: ", "synthesis: ", "patterns: ", "reference: ", "theory: ", "check: ", "history: ", "binlog: ", "record: ", "refine: ", "solver: ", "evidence: ", "verify: ", "explore: "} {
		m = strings.TrimPrefix(m, p)
	}
	var parse *history.ParseError
	if errors.As(err, &parse) && parse.Method != "" {
		if _, near, ok := strings.Cut(parse.Msg, `did you mean "`); ok {
			return m + " then say so: --alias " + parse.Method + "=" + strings.TrimSuffix(near, `"?`)
		}
		m += "; if it is one of them, say which: --alias " + parse.Method + "=METHOD"
	}
	return m
}

// missing says of a file that was to be read that it is not there, and what is probably meant.
func missing(path string) string {
	if to, err := os.Readlink(path); err == nil {
		return path + ": a symbolic link to " + to + ", which is not there"
	}
	dir, name := filepath.Split(path)
	folder := filepath.Clean(dir)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return path + ": no such file, and no folder " + folder
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := wording.Nearest(name, names); near != "" {
		return path + ": no such file; did you mean " + dir + near + "?"
	}
	return path + ": no such file"
}
