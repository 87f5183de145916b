package explore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// compiled are the packages whose random sequential calls are made in compiled Go,
// too: what the explorer's machine answers must be the same.
func compiled(t *testing.T) (dirs []string) {
	// Package reference takes no goroutines that fail, no answers that change, and nobody
	// who waits without sleeping.
	seen := map[string]bool{"crashes": true, "looping": true, "mapfirst": true, "twochannels": true, "libraries/ringbuffer": true, "libraries/fifowait": true}
	for _, p := range programs {
		if !seen[p.name] {
			seen[p.name] = true
			dirs = append(dirs, p.name)
		}
	}
	for name := range theories {
		dirs = append(dirs, name)
	}
	for _, name := range []string{"queue", "stack", "set", "register", "deque", "kv", "counter", "boundedqueue", "casregister", "semaphore", "mutex"} {
		dirs = append(dirs, "examples/"+name)
	}
	if testsize.Long() { // modules that may have to be downloaded
		libraries, err := filepath.Glob("libraries/*/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range libraries {
			if dir := filepath.Dir(file); !seen[dir] {
				dirs = append(dirs, dir)
			}
		}
	}
	return append(dirs, "examples/verified/set")
}

func TestSequentialCalls(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, dir := range testsize.Some(compiled(t), 12) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			typ, expr := constructor(dir)
			compare(t, folder(dir), typ, expr, 3, testsize.Samples(2000))
		})
	}
}

// TestLanguage compares what the language and its standard library do.
func TestLanguage(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dirs, err := filepath.Glob("testdata/language/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range testsize.Some(dirs, 4) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			compare(t, dir, "", "", 15, testsize.Samples(2000))
		})
	}
}

// length is that of the sequences.
const length = 6

// compare makes random sequences of calls in both, with arguments of so many values.
func compare(t *testing.T, dir, typ, expr string, values int, times uint64) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v\n%s", r, debug.Stack())
		}
	}()
	i := newInterpreter(t, source.Options{Dir: dir, Type: typ, New: expr}, values)
	p, err := reference.Load(t.Context(), dir, reference.Options{Type: typ, New: expr, AnyError: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	method := map[string]int{}
	for n, m := range p.Methods() {
		method[m.Name] = n
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for done := uint64(0); done < times; done += sequences {
		i.restart(t, r)
		var seqs [][]int
		var made [][]reference.Call
		for range sequences {
			var seq []int
			var calls []reference.Call
			for range length {
				c := r.IntN(len(i.calls))
				label := i.list.Labels[i.calls[c]]
				seq = append(seq, c)
				calls = append(calls, reference.Call{Method: method[label.Method], Values: label.Args})
			}
			seqs, made = append(seqs, seq), append(made, calls)
		}
		answers, err := p.Replay(t.Context(), made)
		if err != nil {
			t.Fatal(err)
		}
		for s, seq := range seqs {
			if wrong := i.follow(seq, answers[s]); wrong != "" {
				t.Fatalf("seed %d: %s", seed, wrong)
			}
		}
	}
}

// What is done with calls that were chosen: there are so many, in so many sequences.
const (
	chosen    = 10
	sequences = 100
)

// interpreter makes calls in the explorer's machine, one after the other.
type interpreter struct {
	program *ir.Program
	list    *spec.List
	calls   []int // of the list, which it makes
	shared  *machine.Shared
	m       *machine.Machine
}

func newInterpreter(t *testing.T, o source.Options, values int) *interpreter {
	t.Helper()
	pkg, err := source.Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	p, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	list, err := spec.New(p, spec.Options{Values: values, Most: length})
	if err != nil {
		t.Fatal(err)
	}
	return &interpreter{program: p, list: list}
}

// restart chooses other calls.
func (i *interpreter) restart(t *testing.T, r *rand.Rand) {
	t.Helper()
	bounds := machine.Bounds{Threads: 1, Ops: length}
	i.calls = nil
	for range chosen {
		c := r.IntN(len(i.list.Calls))
		i.calls, bounds.Calls = append(i.calls, c), append(bounds.Calls, i.list.Calls[c])
	}
	var err error
	if i.shared, err = machine.New(t.Context(), i.program, bounds, machine.Options{}); err != nil {
		t.Fatal(err)
	}
	i.m = i.shared.Machine()
}

// follow makes the calls of a sequence in all ways that give the answers. It says what is
// wrong if there is none.
func (i *interpreter) follow(seq []int, answers []reference.Answer) string {
	states := [][]byte{i.shared.Start()}
	var drawn strings.Builder
	for n, c := range seq {
		label := i.list.Labels[i.calls[c]]
		fmt.Fprintf(&drawn, "%s(%s) ", label.Method, values(label.Args))
		after, err := i.call(states, int32(c))
		if err == machine.ErrAgain {
			i.shared.Again()
			i.m = i.shared.Machine()
			return i.follow(seq, answers)
		}
		if err != nil {
			return fmt.Sprintf("%s: %v", drawn.String(), err)
		}
		if answers[n].Blocked {
			if len(after) > 0 {
				return fmt.Sprintf("%s waits, but the machine answers %v", drawn.String(), keys(after))
			}
			return ""
		}
		if o := answers[n].Outcome; o == history.Nil || o == history.Error {
			answers[n].Rets = nil // the machine says what stands beside them only if asked
		}
		answer := fmt.Sprintf("%s %s", answers[n].Outcome, values(answers[n].Rets))
		if states = after[answer]; len(states) == 0 {
			return fmt.Sprintf("%s=> %s, but the machine answers %q", drawn.String(), answer, keys(after))
		}
		fmt.Fprintf(&drawn, "=> %s; ", answer)
	}
	return ""
}

// call makes a call in some states: the states after it, by the answer.
func (i *interpreter) call(states [][]byte, call int32) (map[string][][]byte, error) {
	after := map[string][][]byte{}
	for begun := false; len(states) > 0; begun = true {
		var running [][]byte
		for _, s := range states {
			err := i.m.Expand(s, func(step *machine.Step) error {
				switch {
				case step.Fault != nil:
					return step.Fault
				case !begun && step.Call != call:
				case step.Answer < 0:
					running = with(running, step.Next)
				default:
					result := i.shared.Result(step.Answer)
					outcome, rets := i.list.Answer(&result)
					key := fmt.Sprintf("%s %s", outcome, values(rets))
					after[key] = with(after[key], step.Next)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		states = running
	}
	return after, nil
}

// with adds a state unless it is there.
func with(states [][]byte, s []byte) [][]byte {
	for _, old := range states {
		if bytes.Equal(old, s) {
			return states
		}
	}
	return append(states, bytes.Clone(s))
}

func values(vs []history.Value) string {
	var text []string
	for _, v := range vs {
		s := strings.NewReplacer("(", "", ")", "").Replace(string(v)) // around what no argument was
		if u, err := strconv.Unquote(s); err == nil {
			s = u
		}
		text = append(text, s)
	}
	return strings.Join(text, ", ")
}

func keys(after map[string][][]byte) (all []string) {
	for k := range after {
		all = append(all, k)
	}
	return all
}
