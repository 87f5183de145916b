package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/adtinfer/adtinfer/cmd/internal/terminal"
	"github.com/adtinfer/adtinfer/internal/host/cache"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/schedule"
)

var update = flag.Bool("update", false, "rewrite the expected output in scripts")

// TestMain makes the test binary a command named adtinfer as well. It says
// nothing about its progress, however slow the machine, and keeps nothing.
func TestMain(m *testing.M) {
	terminal.LineEvery = 1000 * time.Hour
	if _, set := os.LookupEnv(cache.Variable); !set { // tests of inference infer
		os.Setenv(cache.Variable, "off")
	}
	testscript.Main(m, map[string]func(){"adtinfer": main})
}

// TestScript runs the command line as users do: testdata/script/*.txtar.
//
// Beyond the usual commands of testscript there are "exits CODE PROGRAM ARGS..."
// and "recorded KIND FILE", and the conditions [long], which is ADTINFER_LONG, and
// [schedules]: this Go has them.
// In go.mod files, ROOT is the project's root, and so is $ROOT.
func TestScript(t *testing.T) {
	root := projectRoot(t)
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOTOOLCHAIN")
	env["XDG_CACHE_HOME"] = t.TempDir() // a driver that one script has built serves all
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			e.Setenv("GOPROXY", "off")
			e.Setenv(cache.Variable, "off")
			e.Setenv("GOFLAGS", "-ldflags=-w") // links faster
			for k, v := range env {
				e.Setenv(k, v)
			}
			return replaceRoot(e.WorkDir, root)
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "long":
				return testsize.Long(), nil
			case "schedules":
				_, err := schedule.NewToolchain(t.Context(), root)
				return !errors.Is(err, schedule.ErrUnsupported), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "recorded": recorded},
	})
}

// exits runs a program that must end with the given exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// replaceRoot puts the project's root into the go.mod files of a script.
func replaceRoot(dir, root string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(data, []byte("ROOT"), []byte(root)), 0o666)
	})
}

func projectRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// goEnv asks the go command for settings that it derives from the home
// directory, which scripts do not have.
func goEnv(t *testing.T, names ...string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for i, v := range strings.Split(strings.TrimRight(string(out), "\n"), "\n") {
		env[names[i]] = v
	}
	return env
}
