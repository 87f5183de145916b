package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// promise is by which factor the work for an operation may grow where executions become
// eight times as long.
type promise struct{ most, pending float64 }

// promised reads from docs/engines.md what is promised, by type.
func promised(t *testing.T) map[string]promise {
	t.Helper()
	text, err := os.ReadFile("../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	promises := map[string]promise{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z ]+) \| ([0-9.]+) \| ([0-9.]+) \|`).FindAllStringSubmatch(string(text), -1) {
		most, _ := strconv.ParseFloat(row[2], 64)
		pending, _ := strconv.ParseFloat(row[3], 64)
		promises[row[1]] = promise{most, pending}
	}
	return promises
}

// TestGrowth: the work for an operation grows no more than is promised, for good and
// violating executions and for those with pending operations. Work is how many statements of the engines run, which no other
// program disturbs.
func TestGrowth(t *testing.T) {
	if !testsize.Long() {
		t.Skip("builds the command again, to count its statements: set ADTINFER_LONG=1")
	}
	promises := promised(t)
	if len(promises) < 10 {
		t.Fatalf("promises for %d types only", len(promises))
	}
	work, command := t.TempDir(), filepath.Join(t.TempDir(), "experiments")
	counted := "-coverpkg=../../check,../../internal/engine/...,." // runtime/coverage wants the main package, too
	output(t, "go", "build", "-cover", "-covermode=atomic", counted, "-o", command, ".")
	covdata := strings.TrimSpace(output(t, "go", "tool", "-n", "covdata"))
	const small, large = 4_000, 32_000
	processes := testsize.Some([]int{2, 8, 32}, 4) // the ends, if not all
	for _, s := range simulations() {
		promise, ok := promises[s.name]
		if !ok {
			continue
		}
		delete(promises, s.name)
		output(t, command, "sweep", "-root", "../..", "-work", work, "-types", s.name,
			"-processes", strings.Trim(strings.ReplaceAll(fmt.Sprint(processes), " ", ","), "[]"), "-kinds", "good,violating,pending", "-sizes", "4000,32000", "-limit", "10m")
		for _, kind := range []string{"good", "violating", "pending"} {
			most := promise.most
			if kind == "pending" {
				most = promise.pending
			}
			for _, n := range processes {
				few := statements(t, covdata, filepath.Join(work, countsOf(s.name, kind, n, small))) / small
				many := statements(t, covdata, filepath.Join(work, countsOf(s.name, kind, n, large))) / large
				t.Logf("%s, %s, %d processes: %.0f statements for each operation, then %.0f", s.name, kind, n, few, many)
				if many > most*few {
					t.Errorf("%s, %s, %d processes: %.0f statements for each of %d operations, and %.0f for each of %d; the factor should be at most %v",
						s.name, kind, n, few, small, many, large, most)
				}
			}
		}
	}
	if len(promises) > 0 {
		t.Errorf("there are promises for types that are not simulated: %v", promises)
	}
}

// output is what a command prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir()) // the command writes there when it ends
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// statements is how many statements of the engines ran, by the counts in a folder.
func statements(t *testing.T, covdata, dir string) (sum float64) {
	t.Helper()
	profile := filepath.Join(dir, "profile")
	output(t, covdata, "textfmt", "-i="+dir, "-o="+profile)
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		cells := strings.Fields(s.Text()) // file:from,to statements count
		if len(cells) != 3 || strings.Contains(cells[0], "/cmd/") {
			continue
		}
		n, _ := strconv.ParseFloat(cells[1], 64)
		times, _ := strconv.ParseFloat(cells[2], 64)
		sum += n * times
	}
	if sum == 0 {
		t.Fatalf("%s: nothing was counted", profile)
	}
	return sum
}
