package schedule

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// built are the test programs of a folder; they are skipped where this Go has no schedules.
func built(t *testing.T, folder string, race bool) *Program {
	t.Helper()
	if !testsize.Long() {
		t.Skip("compiles the standard library")
	}
	tool, err := NewToolchain(t.Context(), ".")
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	programs, err := tool.Build(t.Context(), ".", []string{"./testdata/" + folder}, BuildOptions{Out: t.TempDir(), Race: race})
	if err != nil {
		t.Fatal(err)
	}
	return programs[0]
}

// TestPrograms runs small programs, each of which shows a published bug, and its mended version.
func TestPrograms(t *testing.T) {
	found, all := map[string]int{}, map[string]int{}
	again := 2
	if testsize.Nightly() {
		again = 100
	}
	for _, folder := range []string{"blocking1", "blocking2", "other1", "other2"} {
		programs := []*Program{built(t, "programs/"+folder, false), built(t, "programs/"+folder, true)}
		tests, err := programs[0].Tests(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		kind := strings.TrimRight(folder, "12")
		for _, test := range tests {
			if strings.HasSuffix(test, "Fixed") {
				n := 1000
				if testsize.Nightly() {
					n = 20_000
				}
				if r, err := RunAll(t.Context(), programs, test, Budget{Schedules: n}); err != nil || r.Verdict != Passed {
					t.Errorf("%s: %+v %v", test, r, err)
				}
				continue
			}
			all[kind]++
			r, err := RunAll(t.Context(), programs, test, Budget{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Verdict.Failing() {
				t.Logf("%s is not found: %s %s", test, r.Verdict, r.Why)
				continue
			}
			found[kind]++
			replays(t, programs, r, again)
		}
	}
	t.Logf("found: %v of %v", found, all)
	for kind, share := range map[string]int{"blocking": 90, "other": 80} {
		if found[kind]*100 < share*all[kind] {
			t.Errorf("%s: %d of %d are found", kind, found[kind], all[kind])
		}
	}
}

// replays makes a failure again in new processes.
func replays(t *testing.T, programs []*Program, r *Result, times int) {
	t.Helper()
	if r.Failure.Free {
		return
	}
	x, err := ParseReplay(r.Failure.Replay)
	if err != nil {
		t.Errorf("%s: %v", r.Test, err)
		return
	}
	p := programs[0]
	if x.Race {
		p = programs[1]
	}
	for range times {
		again, err := p.Replay(t.Context(), x, nil)
		if err != nil || again.Verdict != r.Verdict {
			t.Errorf("%s again: %v %v", r.Test, again, err)
			return
		}
	}
}

// TestEdges runs tests on which a scheduler could go wrong; what is to come of each stands above it.
func TestEdges(t *testing.T) { asWritten(t, "edges", built(t, "edges", false)) }

// TestCgo runs tests whose goroutines call C, and C Go.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	asWritten(t, "cgo", built(t, "cgo", false))
	asWritten(t, "cgo", built(t, "cgo", true))
}

// asWritten runs tests, above each of which stands what is to come of it.
func asWritten(t *testing.T, folder string, p *Program) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", folder, folder+"_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	wants := regexp.MustCompile(`(?m)^// (\w+)(?:: (.*))?\nfunc (Test\w+)`).FindAllStringSubmatch(string(text), -1)
	tests, err := p.Tests(t.Context(), "")
	if err != nil || len(tests) != len(wants) {
		t.Fatal(tests, err)
	}
	for _, w := range wants {
		t.Run(w[3], func(t *testing.T) {
			t.Parallel()
			r, err := p.Run(t.Context(), w[3], Budget{Schedules: 60, Leaks: w[1] == "leak"})
			if err != nil {
				t.Fatal(err)
			}
			why := r.Why
			if f := r.Failure; f != nil {
				if why = f.Message + "\n" + f.Output; f.Free {
					why += "\nwithout schedules"
				}
			}
			if want := strings.Contains(" TestSkips TestToday TestStarted TestSubtests TestLongAlone ", " "+w[3]+" "); r.Lone != want {
				t.Errorf("after %d schedules it is said to have one order: %t, want %t", r.Schedules, r.Lone, want)
			}
			if string(r.Verdict) != w[1] || !strings.Contains(why, w[2]) {
				t.Errorf("%s: %s; want %s: %s", r.Verdict, why, w[1], w[2])
			}
		})
	}
}

// TestOtherMachine builds tests for other machines, and runs some in an emulator if there is one.
func TestOtherMachine(t *testing.T) {
	t.Setenv("GOARCH", "arm64")
	t.Setenv("CGO_ENABLED", "0")
	t.Setenv("GOOS", "darwin")
	if _, err := NewToolchain(t.Context(), "."); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "darwin") {
		t.Error(err)
	}
	t.Setenv("GOOS", "linux")
	p := built(t, "edges", false)
	if runtime.GOARCH == "arm64" {
		t.Skip("the others test this machine")
	}
	if _, err := p.Tests(t.Context(), ""); err != nil && !strings.Contains(err.Error(), "linux/arm64") {
		t.Error(err)
	}
	emulator, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip(err)
	}
	real := p.binary + ".arm64"
	script := "#!/bin/sh\nexec " + emulator + " " + real + " \"$@\"\n"
	if err := errors.Join(os.Rename(p.binary, real), os.WriteFile(p.binary, []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	for test, want := range map[string]Verdict{"TestNine": Undecided, "TestHash": Failed, "TestToday": Passed} {
		r, err := p.Run(t.Context(), test, Budget{Schedules: 60})
		if err != nil || r.Verdict != want {
			t.Errorf("%s: %+v %v", test, r, err)
			continue
		}
		if r.Failure == nil {
			continue
		}
		x, err := ParseReplay(r.Failure.Replay)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := p.Replay(t.Context(), x, nil); err != nil || again.Verdict != want {
			t.Errorf("%s again: %+v %v", test, again, err)
		}
	}
}

// TestHashes holds that hashes and orders of maps are the same in each process.
func TestHashes(t *testing.T) {
	p := built(t, "edges", false)
	r, err := p.Run(t.Context(), "TestHash", Budget{Schedules: 60})
	if err != nil || r.Failure == nil {
		t.Fatal(r, err)
	}
	x, err := ParseReplay(r.Failure.Replay)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := p.Replay(t.Context(), x, nil)
		if err != nil || again.Failure == nil || again.Failure.Message != r.Failure.Message {
			t.Errorf("%+v %v, and before %+v", again, err, r.Failure)
		}
	}
}

// TestSame holds that a budget of schedules has the same outcome each time.
func TestSame(t *testing.T) {
	p := built(t, "programs/other1", false)
	tests, err := p.Tests(t.Context(), "[^d]$")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests[:5] {
		var first *Result
		for range 3 {
			r, err := p.Run(t.Context(), test, Budget{Schedules: 300, Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			if r.Elapsed = 0; first == nil {
				first = r
				continue
			}
			if diff := cmp.Diff(first, r); diff != "" {
				t.Errorf("%s: (-first +again)\n%s", test, diff)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	p := built(t, "edges", false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Run(ctx, "TestToday", Budget{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestLimited holds that schedules that reach the limit decide nothing while others may not.
func TestLimited(t *testing.T) {
	s := &search{p: &Program{}, result: &Result{Verdict: Passed}, limited: map[kind]int{}, b: Budget{Schedules: 100, Steps: 5}}
	left := 0
	for i := range 100 {
		s.result.Schedules++
		if over, err := s.judge(t.Context(), &said{kind: "steps"}, []run{rotation(0, i, false)}); over || err != nil || s.result.Verdict != Passed {
			t.Fatal(over, err, s.result)
		}
		runs, _ := s.next(i + 1)
		left = len(runs)
	}
	if s.limits(); left != 0 || s.result.Verdict != Undecided {
		t.Error(left, s.result)
	}
	one := &search{result: &Result{Verdict: Passed, Schedules: 1}, limited: map[kind]int{}}
	if over, _ := one.judge(t.Context(), &said{kind: "steps", lone: true}, []run{rotation(0, 0, false)}); !over || one.result.Verdict != Undecided {
		t.Error(over, one.result)
	}
}

func TestRotation(t *testing.T) {
	if len(turns) != Turns {
		t.Errorf("there are %d turns, and Turns is %d", len(turns), Turns)
	}
	kinds := map[strategy]int{}
	for i := range 100 {
		r := rotation(3, i, false)
		kinds[r.strategy]++
		if again := rotation(3, i, false); r.String() != again.String() {
			t.Error(r, again)
		}
		if parsed, err := parseRun(r.String()); err != nil || parsed.String() != r.String() {
			t.Error(r, parsed, err)
		}
	}
	for _, s := range []strategy{random, pct, pos, toBlock, inStep} {
		if kinds[s] < 5 {
			t.Errorf("strategy %d has %d of 100 schedules", s, kinds[s])
		}
	}
}

// TestFewer leaves each switch out, and stretches of them.
func TestFewer(t *testing.T) {
	r := run{strategy: follow, seed: 3, picks: []pick{{1, 2}, {4, 3}, {5, 2}, {9, 1}}, jumps: []uint32{7}}
	left := map[int]int{}
	for _, line := range Fewer(r.String()) {
		x, err := parseRun(line)
		if err != nil || len(x.picks)+len(x.jumps) >= 5 {
			t.Errorf("%q: %v", line, err)
		}
		left[len(x.picks)]++
	}
	if left[3] != 4 || left[0] != 1 || left[4] == 0 {
		t.Errorf("so many lines with so many switches: %v", left)
	}
	if all := Fewer("no schedule"); all != nil {
		t.Error(all)
	}
}

// TestReport reads what a schedule with a record says.
func TestReport(t *testing.T) {
	line := rotation(5, 3, false).String()
	r, err := ReadReport(Recorded(line), "said 1 passed 9 00000000000000ff 0 false\npicks 4:2,-\njumps 8,-\nend\n")
	if want := (run{strategy: follow, seed: 8, picks: []pick{{4, 2}}, jumps: []uint32{8}}).String(); err != nil || r.Kind != "passed" || r.Listed != want {
		t.Errorf("%+v %v, want %s", r, err, want)
	}
	if r, err := ReadReport(line, ""); err != nil || r.Kind != "passed" || r.Listed != "" {
		t.Errorf("%+v %v", r, err)
	}
}

func FuzzReplay(f *testing.F) {
	f.Add("s1+go1.26.8+d411dd49+p+100000+0.4.0.0.0.0+9:3,11:3,-+-+d163816712d03afa+example.com/k+TestLost")
	f.Add("s1+go1.26.8+d411dd49+rl+1+1.4.3.7.1.40+-+5,-+d163816712d03afa+example.com/k+TestLost")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReplay(text)
		if err != nil {
			return
		}
		again, err := ParseReplay(r.r.String())
		if err != nil || again.r.String() != r.r.String() {
			t.Errorf("%q is %v, and that %v: %v", text, r, again, err)
		}
	})
}

func ExampleDraw() {
	os.Stdout.WriteString(Draw([]Step{
		{Goroutine: 1, File: "pool.go", Line: 12, What: "go", Started: 2},
		{Goroutine: 2, File: "pool.go", Line: 30, What: "lock"},
		{Goroutine: 2, What: "waits"},
		{Goroutine: 1, What: "ends"},
	}))
	// Output:
	//   *    pool.go:12    (starts goroutine 2)
	//   | *  pool.go:30
	//   | *              waits
	//   * |              ends
}
