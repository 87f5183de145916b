package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("ADTINFER_BEAM_MAIN") != "" {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// command runs this test's program as the command; before may be a command that runs it.
func command(t *testing.T, before []string, args ...string) (code int, stderr string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	all := append(append(before, exe), args...)
	cmd := exec.CommandContext(t.Context(), all[0], all[1:]...)
	cmd.Env = append(os.Environ(), "ADTINFER_BEAM_MAIN=1")
	var b bytes.Buffer
	cmd.Stderr = &b
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return code, b.String()
}

// TestCommand: verdicts, exit codes, and what is said of wrong input.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, log string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.log", "[1] call put(a, 1)\n[1] return\n[2] call get(a)\n[2] return 1\n")
	bad := write("bad.log", "[1] call put(a, 1)\n[1] return\n[2] call get(a)\n[2] return 2\n")
	empty := write("empty.log", "")
	theory := []string{"--theory", "../../../examples/kv/kv.theory.yaml", "--out", filepath.Join(dir, "v")}
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"good":               {append(theory, good), 0, "logs: linearizable: 1\n"},
		"another word":       {append(theory, "--alias", "set=put", write("other.log", "[1] call set(a, 1)\n[1] return\n")), 0, "logs: linearizable: 1\n"},
		"no alias":           {append(theory, "--alias", "set", good), 2, "it takes NAME=METHOD"},
		"a violation":        {append(theory, good, bad, empty), 1, "logs: violation: 1\n"},
		"nothing is decided": {append(theory, empty), 3, "logs: inconclusive: 1\n"},
		"no file":            {append(theory, good, filepath.Join(dir, "*.jsonl")), 2, "logs: error: 1\n"},
		"no logs":            {theory, 2, "there are no logs: name files, or a pattern"},
		"no theory":          {[]string{good}, 2, "--theory and --out are required"},
		"a wrong theory":     {[]string{"--theory", good, "--out", "v", good}, 2, "good.log: theory:1:1: not YAML"},
		"a wrong engine":     {append(theory, "--engine", "fast", good), 2, `unknown engine "fast"`},
		"no runner there":    {append(theory, "--runner", "universal", "--endpoint", "127.0.0.1:1", good), 2, "the runner at --endpoint 127.0.0.1:1 cannot be reached: "},
		"no such folder":     {[]string{theory[0], theory[1], "--out", filepath.Join(good, "v"), good}, 2, "the pipeline did not run to its end"},
	} {
		if code, said := command(t, nil, tt.args...); code != tt.code || !strings.Contains(said, tt.says) {
			t.Errorf("%s: exit code %d, want %d with %q:\n%s", name, code, tt.code, tt.says, said)
		}
	}
}

// TestOffLine: nothing is needed but this machine.
func TestOffLine(t *testing.T) {
	alone := []string{"unshare", "--map-root-user", "--net", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}
	if err := exec.Command(alone[0], append(alone[1:], "true")...).Run(); err != nil {
		t.Skipf("a process cannot be cut off from the network here: %v", err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "good.log")
	if err := os.WriteFile(log, []byte("[1] call put(a, 1)\n[1] return\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := command(t, alone, "--theory", "../../../examples/kv/kv.theory.yaml", "--out", filepath.Join(dir, "v"), log)
	verdicts, err := os.ReadFile(filepath.Join(dir, "v.jsonl"))
	if code != 0 || err != nil || !bytes.Contains(verdicts, []byte(`"verdict":"linearizable"`)) {
		t.Errorf("exit code %d, %v\n%s%s", code, err, verdicts, said)
	}
}
