package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// compiledTest makes a Go test that makes the calls of a history that is not linearizable, in goroutines that nothing
// holds up. It fails if they answer the same, and each call that returned before another one did so there, too: what
// such a run has fewer of are linearizations. The files are to lay over the package's, by path; the error says why there
// is no such test.
func (p *problem) compiledTest(events []machine.Event) (map[string]string, error) {
	if p.own != p.loaded.program {
		return nil, errors.New("the program is a mutant")
	}
	gates := p.pkg.Gate("adtinferGate", "adtinferDeferred", nil)
	lanes, err := p.goCalls(gates, events)
	if err != nil {
		return nil, err
	}
	var sizes, calls strings.Builder
	for i, lane := range lanes {
		fmt.Fprintf(&sizes, "make([]adtinferCall, %d), ", len(lane))
		if len(lane) == 0 {
			continue
		}
		calls.WriteString("\tall.Add(1)\n\tgo func() {\n\t\tdefer all.Done()\n")
		for k, c := range lane {
			fmt.Fprintf(&calls, "\t\tcalls[%d][%d].run(%q, func() string { return %s })\n", i, k, c.want, c.text)
		}
		calls.WriteString("\t}()\n")
	}
	return map[string]string{
		filepath.Join(gates.Dir, "adtinfer_calls_test.go"):   gates.Wrappers,
		filepath.Join(gates.Dir, "adtinfer_history_test.go"): fmt.Sprintf(historyTest, p.pkg.Name, gates.New, &sizes, &calls, before(events, len(lanes))),
	}, nil
}

// before lists the pairs of calls of different goroutines of which one returned before the other was made: goroutine and
// number of the one, and of the other.
func before(events []machine.Event, goroutines int) string {
	type call struct{ lane, nth int }
	var returned []call
	made := make([]int, goroutines)
	var b strings.Builder
	for _, e := range events {
		if e.Thread >= goroutines {
			continue
		}
		switch e.Kind {
		case machine.CallEvent:
			for _, r := range returned {
				if r.lane != e.Thread {
					fmt.Fprintf(&b, "{%d, %d, %d, %d}, ", r.lane, r.nth, e.Thread, made[e.Thread])
				}
			}
			made[e.Thread]++
		case machine.ReturnEvent:
			returned = append(returned, call{e.Thread, made[e.Thread] - 1})
		}
	}
	return b.String()
}

// historyTest is a test: the package's name, the constructor, how many calls each goroutine makes, the calls, and which
// of them returned before which.
const historyTest = `package %s

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

var adtinferClock atomic.Int64

type adtinferCall struct {
	call, ret int64
	differs   bool
}

func (c *adtinferCall) run(want string, f func() string) {
	c.call = adtinferClock.Add(1)
	got := f()
	c.ret = adtinferClock.Add(1)
	c.differs = want != "" && got != want
}

var _ = fmt.Sprint

// TestHistory fails if calls answer what is not linearizable.
func TestHistory(t *testing.T) {
	o := %s()
	calls := [][]adtinferCall{%s}
	var all sync.WaitGroup
%s	all.Wait()
	for _, lane := range calls {
		for _, c := range lane {
			if c.differs {
				return
			}
		}
	}
	for _, p := range [][4]int{%s} {
		if calls[p[0]][p[1]].ret > calls[p[2]][p[3]].call {
			return
		}
	}
	t.Error("the calls answer what is not linearizable")
}
`
