package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// goTest makes a Go test that forces the interleaving of a history that is not linearizable:
// the files to lay over the package's, by path. The error says why that cannot be done.
func (p *problem) goTest(events []machine.Event) (map[string]string, error) {
	if p.own != p.loaded.program {
		return nil, errors.New("the program is a mutant")
	}
	at := map[source.Problem]int{}
	for _, f := range p.program.WithoutPolicy().Funcs {
		for i := range f.Code {
			if in := &f.Code[i]; in.Op.Class() == ir.Sync && !p.program.Positions[in.Pos].Within && at[p.place(in.Pos)] == 0 {
				at[p.place(in.Pos)] = len(at) + 1
			}
		}
	}
	gates := p.pkg.Gate("adtinferGate", "adtinferDeferred", at)
	var schedule []string
	for _, e := range events {
		place := p.place(e.Pos)
		switch {
		case e.Kind == machine.StartEvent || e.Thread >= p.bounds.Threads:
			return nil, errors.New("operations start goroutines of their own")
		case e.Kind == machine.CallEvent:
			schedule = append(schedule, fmt.Sprintf("{%d, 0}", e.Thread))
		case e.Kind != machine.SyncEvent || e.Within && e.Hidden:
		case e.Within:
			return nil, fmt.Errorf("no gate fits within what is called at %s:%d", place.File, place.Line)
		case !gates.Without[place]:
			schedule = append(schedule, fmt.Sprintf("{%d, %d}", e.Thread, at[place]))
		case !e.Hidden:
			return nil, fmt.Errorf("no gate fits before the operation at %s:%d", place.File, place.Line)
		}
	}
	calls, err := p.goCalls(gates, events)
	if err != nil {
		return nil, err
	}
	files := gates.Files
	files[filepath.Join(gates.Dir, "adtinfer_calls_test.go")] = gates.Wrappers
	files[filepath.Join(gates.Dir, "adtinfer_gates_test.go")] = fmt.Sprintf(gatesTest, p.pkg.Name, strings.Join(schedule, ", "), gates.New, forced(calls))
	return files, nil
}

func (p *problem) place(pos int32) source.Problem {
	x := p.program.Positions[pos]
	return source.Problem{File: x.File, Line: x.Line, Col: x.Col}
}

// goCall is a call in Go, whose value is a string, and what that is where it returns.
type goCall struct{ text, want string }

// goCalls are the calls of each goroutine, with what they answer.
func (p *problem) goCalls(gates *source.Gates, events []machine.Event) ([][]goCall, error) {
	lanes, running := make([][]goCall, p.bounds.Threads), map[int]int32{}
	for _, e := range events {
		lane := &lanes[min(e.Thread, len(lanes)-1)]
		switch e.Kind {
		case machine.CallEvent:
			running[e.Thread] = e.Call
			args, err := p.goArgs(e.Call)
			if err != nil {
				return nil, err
			}
			c := p.list.Calls[e.Call]
			text := fmt.Sprintf("%s(%s)", gates.Ops[c.Op], strings.Join(append([]string{"o"}, args...), ", "))
			if n := len(p.program.Ops[c.Op].Results); n > 0 {
				text = "fmt.Sprintln(" + text + ")"
			} else {
				text = "func() string { " + text + "; return \"\\n\" }()"
			}
			*lane = append(*lane, goCall{text: text})
		case machine.ReturnEvent:
			r := p.shared.Result(e.Answer)
			if r.Panic != "" {
				return nil, errors.New("an operation panics")
			}
			for _, f := range p.program.Ops[r.Op].Results {
				if f.Of != ir.Basic {
					return nil, errors.New("answers are not plain values")
				}
			}
			(*lane)[len(*lane)-1].want = strings.Join(r.Values, " ") + "\n"
		}
	}
	return lanes, nil
}

// forced are calls of goroutines that wait for their turns.
func forced(lanes [][]goCall) string {
	var b strings.Builder
	for i, lane := range lanes {
		if len(lane) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\tadtinferGo(%d, &all, func() {\n", i)
		for _, c := range lane {
			fmt.Fprintf(&b, "\t\tadtinferTurn(0)\n\t\tadtinferSame(t, &same, %s, %q)\n", c.text, c.want)
		}
		b.WriteString("\t})\n")
	}
	return b.String()
}

// goArgs are a call's arguments in Go.
func (p *problem) goArgs(call int32) (args []string, err error) {
	c := p.list.Calls[call]
	for i, f := range p.program.Ops[c.Op].Params {
		value := string(p.list.Labels[call].Args[i])
		switch {
		case f.Choices != nil:
			value = strconv.Itoa(slices.Index(f.Choices, value))
		case f.Of == ir.Basic && f.Kind == ir.Str:
			value = strconv.Quote(value)
		case f.Of != ir.Basic && f.Of != ir.InterfaceOf:
			return nil, errors.New("arguments are not plain values")
		}
		args = append(args, value)
	}
	return args, nil
}

// gatesTest is a test: the package's name, which goroutine passes which gate, the
// constructor, the calls.
const gatesTest = `package %s

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

// adtinferOrder is which goroutine passes which gate next; gate 0 is a call. One runs at a time:
// from a gate to its next one.
var adtinferOrder = [][2]int{%s}

var adtinferState = struct {
	sync.Mutex
	next   int
	runs   string         // who runs
	number map[string]int // of goroutines, by name
	late   bool
}{number: map[string]int{}}

func adtinferName() string {
	var b [64]byte
	return string(bytes.Fields(b[:runtime.Stack(b[:], false)])[1])
}

// adtinferTurn waits for the goroutine's turn. A gate that it is not to pass next is before
// something that others do not see, and stands open.
func adtinferTurn(gate int) {
	s, me := &adtinferState, adtinferName()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Microsecond) {
		s.Lock()
		n, mine := s.number[me]
		open := !mine || s.late
		for i := s.next; !open; i++ {
			if i == len(adtinferOrder) {
				open = s.next == i // it goes on when all is over
				break
			}
			if adtinferOrder[i][0] == n {
				open = adtinferOrder[i][1] != gate
				break
			}
		}
		if !open && s.runs == me {
			s.runs = ""
		}
		turn := !open && s.runs == "" && s.next < len(adtinferOrder) && adtinferOrder[s.next][0] == n
		if turn {
			s.runs = me
			s.next++
		}
		s.late = s.late || !open && !turn && time.Now().After(end)
		s.Unlock()
		if open || turn {
			return
		}
	}
}

func adtinferGate[T any](n int, x T) T {
	adtinferTurn(n)
	return x
}

func adtinferDeferred(n int, f func()) {
	adtinferTurn(n)
	f()
}

func adtinferGo(n int, all *sync.WaitGroup, f func()) {
	all.Add(1)
	go func() {
		defer all.Done()
		s, me := &adtinferState, adtinferName()
		s.Lock()
		s.number[me] = n
		s.Unlock()
		f()
		s.Lock()
		if s.runs == me {
			s.runs = ""
		}
		s.Unlock()
	}()
}

func adtinferSame(t *testing.T, same *sync.Map, got, want string) {
	if want != "" && got != want {
		same.Store("differs", fmt.Sprintf("an operation answers %%q, and not %%q", got, want))
	}
}

// TestInterleaving forces an interleaving, and fails if operations answer what is not
// linearizable.
func TestInterleaving(t *testing.T) {
	var all sync.WaitGroup
	var same sync.Map
	o := %s()
%s	all.Wait()
	if adtinferState.late {
		t.Fatal("the interleaving cannot be forced: goroutines wait where they should not")
	}
	if why, differs := same.Load("differs"); differs {
		t.Skip("the interleaving shows something else: ", why)
	}
	t.Error("the interleaving shows a history that is not linearizable")
}
`
