package schedule

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// job is what one process of a test program does: a test under schedules, one after the other, until one fails.
type job struct {
	test   string
	runs   []run
	steps  uint64        // the limit of one schedule
	time   time.Duration // of all; 0: no limit
	quiet  time.Duration // a process that says nothing for so long is ended
	record bool
	leaks  bool
	hosted bool     // the test makes its schedules itself
	env    []string // more of it
	sub    string   // which subtests; "": all
	args   []string // of the program
}

// said is what a process reported.
type said struct {
	number       int    // of the last schedule, from 1
	kind         string // of the report, or "" where there was none
	done         bool   // all schedules went through
	steps        uint64
	hash         string
	length       uint64
	uncontrolled bool   // something outside of the program decided, too:
	lone         bool   // there never was a choice: more schedules are the same
	waited       string // what it was, in the words of the runtime
	picks        []pick
	jumps        []uint32
	whole        bool // picks and jumps are all
	message      string
	output       string
	events       []event
	stderr       string // what the process printed
	exit         string // how the process ended
	silent       bool   // it was ended because it said nothing
}

// event is what a goroutine did.
type event struct {
	kind     int
	id       int
	other    int
	file     string
	line     int
	function string
}

// ended0 is how a process ends whose tests pass.
const ended0 = "it ended with exit status 0"

// do runs a process.
func (p *Program) do(ctx context.Context, j *job) (*said, error) {
	plan, err := os.CreateTemp("", "adtinfer-plan-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(plan.Name())
	if err := errors.Join(j.write(plan, p.own), plan.Close()); err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(p.binary, append([]string{"-test.run", pattern(j.test, j.sub), "-test.timeout=0"}, j.args...)...)
	cmd.Dir = p.Dir
	variable := "ADTINFER_SCHEDULE"
	if j.hosted {
		variable = "ADTINFER_HOSTED"
	}
	cmd.Env = append(os.Environ(), variable+"="+plan.Name(), "GOMAXPROCS=1", "GODEBUG="+godebug(), "GORACE=atexit_sleep_ms=0")
	cmd.Env = append(cmd.Env, j.env...)
	cmd.ExtraFiles = []*os.File{w}
	ownGroup(cmd)
	text := &head{limit: 1 << 20}
	cmd.Stdout, cmd.Stderr = text, text
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, fmt.Errorf("schedules: cannot start the test program: %w", err)
	}
	var silent atomic.Bool
	alive := make(chan struct{}, 1)
	ended := make(chan struct{})
	go watch(ctx, cmd.Process, j.quiet, alive, ended, &silent)
	s, err := read(r, alive)
	exit := ended0
	if bad := cmd.Wait(); bad != nil {
		exit = "it ended with " + bad.Error()
	}
	close(ended)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s.stderr, s.exit, s.silent = text.String(), exit, silent.Load()
	return s, nil
}

// watch ends a process that says nothing for too long; before, it names its schedule, and prints its goroutines.
func watch(ctx context.Context, p *os.Process, quiet time.Duration, alive, ended chan struct{}, silent *atomic.Bool) {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			kill(p)
			return
		case <-alive:
			timer.Reset(quiet)
		case <-timer.C:
			silent.Store(true)
			dump(p)
			select {
			case <-ended:
			case <-time.After(2 * time.Second):
			}
			kill(p)
			return
		}
	}
}

func (j *job) write(w io.Writer, own []string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "test %s\nlimit %d\ntime %d\n", j.test, j.steps, j.time.Nanoseconds())
	if j.record {
		fmt.Fprintln(b, "record")
	}
	if j.leaks {
		fmt.Fprintln(b, "leaks")
	}
	if j.hosted {
		fmt.Fprintln(b, "hosted")
	}
	for _, o := range own {
		fmt.Fprintln(b, "own "+o)
	}
	for _, r := range j.runs {
		fmt.Fprintln(b, "run "+r.String())
	}
	return b.Flush()
}

// read reads what a process reports, until it ends.
func read(r io.Reader, alive chan<- struct{}) (*said, error) {
	s := &said{}
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		select {
		case alive <- struct{}{}:
		default:
		}
		if err := s.add(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("schedules: the test program reported %q: %w", line, err)
		}
	}
}

func (s *said) add(line string) (err error) {
	key, rest, _ := strings.Cut(line, " ")
	switch key {
	case "at":
		s.number, err = strconv.Atoi(rest)
	case "crash":
		if s.kind == "" {
			s.kind = "crash"
			s.number, err = strconv.Atoi(rest)
		}
	case "done":
		s.done = true
		s.number, err = strconv.Atoi(rest)
	case "lone":
		s.lone = true
	case "uncontrolled":
		s.uncontrolled, s.waited = true, rest
	case "said":
		_, err = fmt.Sscan(rest, &s.number, &s.kind, &s.steps, &s.hash, &s.length, &s.uncontrolled)
	case "picks":
		s.whole = true
		s.picks, err = parsePicks(rest)
	case "jumps":
		s.jumps, err = parseJumps(rest)
	case "message":
		s.message, err = strconv.Unquote(rest)
	case "output":
		s.output, err = strconv.Unquote(rest)
	case "event":
		var e event
		_, err = fmt.Sscanf(rest, "%d %d %d %d %q %q", &e.kind, &e.id, &e.other, &e.line, &e.file, &e.function)
		s.events = append(s.events, e)
	}
	return err
}

// head keeps the beginning of what is written to it.
type head struct {
	b     bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.b.Len(); room > 0 {
		h.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (h *head) String() string { return h.b.String() }

// pattern is what -test.run gets for a test and some of its subtests.
func pattern(test, sub string) string {
	if test = "^" + test + "$"; sub != "" {
		test += "/" + sub
	}
	return test
}

// free runs a test once without schedules, for at most ten seconds.
func (p *Program) free(ctx context.Context, test, sub string, args []string) (ok bool, err error) {
	cmd := exec.CommandContext(ctx, p.binary, append([]string{"-test.run", pattern(test, sub), "-test.timeout=10s"}, args...)...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "GODEBUG="+godebug())
	ownGroup(cmd)
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}
