package machine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine/testdata/concurrent"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// meetings are calls of threads, which are separated by a bar, and all that may come of them:
// what the calls answer, in alphabetical order, those that wait for ever left
// out, or the kind of a fault. Without any, it is what compiled code is seen to do.
var meetings = map[string]map[string][]string{
	"Meet": {
		"give 1 | take":                {"give=0 take=1"},
		"give 1 | give 2 | take, take": {"give=0 give=0 take=1 take=2"},
		"give 1 | give 2 | take":       {"give=0 take=1", "give=0 take=2"},
		"take | take":                  {""},
	},
	"Try": {
		"offer 1 | poll":             {"offer=0 poll=-1"},
		"offer 1 | take":             {"offer=0", "offer=1 take=1"},
		"give 1 | poll, poll":        {"give=0 poll=-1 poll=1", "poll=-1 poll=-1"},
		"give 1 | give 2 | poll":     {"give=0 poll=1", "give=0 poll=2", "poll=-1"},
		"give 1 | offer 2 | take":    {"give=0 offer=0 take=1", "offer=1 take=2"},
		"take | take | offer 1":      {"offer=0", "offer=1 take=1"},
		"give 1 | take | poll":       {"give=0 poll=-1 take=1", "give=0 poll=1"},
		"offer 1, offer 2 | take":    {"offer=0 offer=0", "offer=0 offer=1 take=1", "offer=0 offer=1 take=2"},
		"offer 1 | offer 2 | take 0": {"offer=0 offer=0", "offer=0 offer=1 take=1", "offer=0 offer=1 take=2"},
	},
	"Room": {
		"put 1, put 2 | take | len":    {"len=0 put=0 put=0 take=1", "len=1 put=0 put=0 take=1"},
		"put 1 | put 2 | take":         {"put=0 put=0 take=1", "put=0 put=0 take=2"},
		"put 1 | put 2":                {"put=0"},
		"tryput 1 | tryput 2 | take":   nil,
		"put 1, tryput 2 | take, take": {"put=0 take=1 tryput=0", "put=0 take=1 take=2 tryput=1"},
	},
	"Two": {
		"either 1 | either 2":             {"either=2"},
		"either 1 | any":                  {"any=1 either=1", "any=11 either=2"},
		"either 1 | any | peek":           nil,
		"either 1, either 3 | any | any":  nil,
		"either 1, either 3 | any, peek":  {"any=1 either=1 either=2 peek=-1", "any=11 either=2 either=2 peek=-1", "any=3 either=1 either=2 peek=-1"},
		"either 1, either 2 | either 3":   nil,
		"either 1 | peek | peek":          nil,
		"either 1, peek | either 2, peek": nil,
	},
	"Shut": {
		"close | send 1 | take": {"close=1 send=-1 take=-1", "close=1 send=1 take=1"},
		"close | close":         {"close=-1 close=1"},
		"close | take, take":    {"close=1 take=-1 take=-1"},
	},
	"Workers": {
		"sum 1":           {"sum=12", "sum=21"},
		"sum 1 | sum 10":  nil,
		"first 1":         {"first=0", "first=1"},
		"first 1 | count": nil,
	},
	"Buffer": {
		"take | put 5":               {"put=0 take=5"},
		"take | take | puttwo 1":     {"puttwo=0 take=1 take=2"},
		"take | take | put 1, put 2": {"put=0 put=0 take=1 take=2"},
		"take, take | put 1":         {"put=0 take=1"},
	},
	"Names": {
		"set 1 | set 2 | get":     nil,
		"set 1, get | tryset 2":   nil,
		"tryset 1 | get | tryget": nil,
		"set 1 | tryget":          {"set=0 tryget=-1", "set=0 tryget=0", "set=0 tryget=1"},
	},
	"Pool": {
		"use 1 | use 2": {"use=0 use=0", "use=0 use=1", "use=0 use=2"},
		"keep 1":        {"misuse"},
		"twice 0":       {"misuse"},
	},
	"Server": {
		"ask 1 | ask 2":        {"ask=2 ask=4"},
		"ask 1, ask 3 | ask 2": {"ask=2 ask=4 ask=6"},
		"change 1":             {"change=0"},
	},
	"Bad": {
		"write 1 | write 2": {"data race"},
		"write 1 | read 1":  {"data race"},
		"read 1 | read 1":   {"read=0 read=0"},
		"copy 1 | copy 2":   {"data race"},
		"copy 1 | grow 2":   {"copy=1 grow=2"},
		"grow 1 | grow 2":   {"data race"},
		"crash 3":           {"crash"},
		"rescue 3":          {"rescue=3"},
		"unlock 0":          {"misuse"},
		"runlock 0":         {"misuse"},
		"done 0":            {"misuse"},
		"again 0 | lock 0":  {"", "again=0 lock=0"},
		"nothing 0":         {""},
		"alone 0":           {""},
	},
}

var constructors = map[string]func() any{
	"Meet": func() any { return concurrent.NewMeet() }, "Try": func() any { return concurrent.NewTry() }, "Room": func() any { return concurrent.NewRoom() },
	"Two": func() any { return concurrent.NewTwo() }, "Workers": func() any { return concurrent.NewWorkers() },
	"Buffer": func() any { return concurrent.NewBuffer() }, "Names": func() any { return concurrent.NewNames() }, "Pool": func() any { return concurrent.NewPool() },
	"Server": func() any { return concurrent.NewServer() },
}

// plans are the calls of a meeting, and which thread makes which.
func plans(t *testing.T, p *ir.Program, meeting string) (b Bounds) {
	t.Helper()
	for thread := range strings.SplitSeq(meeting, " | ") {
		var plan []int32
		for call := range strings.SplitSeq(thread, ", ") {
			name, arg, _ := strings.Cut(call, " ")
			op := slices.IndexFunc(p.Ops, func(o ir.Operation) bool { return strings.EqualFold(goName(o), name) })
			if op < 0 {
				t.Fatalf("no operation %s", name)
			}
			c := Call{Op: op}
			if len(p.Ops[op].Params) > 0 {
				x, _ := strconv.Atoi(arg)
				c.Args = []ir.Word{ir.Word(x)}
			}
			plan = append(plan, int32(len(b.Calls)))
			b.Calls = append(b.Calls, c)
		}
		b.Plans = append(b.Plans, plan)
		b.Ops = max(b.Ops, len(plan))
	}
	b.Threads = len(b.Plans)
	return b
}

func goName(o ir.Operation) string {
	_, name, _ := strings.Cut(o.GoName, ").")
	return name
}

// named gives the numbers of operations in outcomes their names.
func named(p *ir.Program, outcomes map[string]bool) map[string]bool {
	out := map[string]bool{}
	for o := range outcomes {
		var words []string
		for w := range strings.FieldsSeq(o) {
			if n, value, ok := strings.Cut(w, "="); ok {
				op, _ := strconv.Atoi(n)
				w = strings.ToLower(goName(p.Ops[op])) + "=" + value
				words = append(words, w)
			} else {
				words = append(words, w)
			}
		}
		if strings.Contains(o, "=") {
			slices.Sort(words)
		}
		out[strings.Join(words, " ")] = true
	}
	return out
}

// runs makes a meeting take place, compiled.
func runs(p *ir.Program, object any, b Bounds, r *rand.Rand) string {
	var wg sync.WaitGroup
	said := make([][]string, b.Threads)
	for t, plan := range b.Plans {
		yields := r.IntN(4)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range yields {
				runtime.Gosched()
			}
			for _, c := range plan {
				call := b.Calls[c]
				var args []reflect.Value
				for _, a := range call.Args {
					args = append(args, reflect.ValueOf(int(a)))
				}
				name := goName(p.Ops[call.Op])
				out := reflect.ValueOf(object).MethodByName(name).Call(args)
				said[t] = append(said[t], strings.ToLower(name)+"="+fmt.Sprint(out[0]))
			}
		}()
	}
	wg.Wait()
	all := slices.Concat(said...)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestMeetings explores what may come of calls: all of what is listed, whether or not
// accesses are fused and threads have names, and no less than what compiled code does.
func TestMeetings(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 6))
	for _, typ := range testsize.Some(slices.Sorted(maps.Keys(meetings)), 4) {
		t.Run(typ, func(t *testing.T) {
			p := compile(t, source.Options{Dir: "concurrent", Type: typ})
			for meeting, want := range meetings[typ] {
				b := plans(t, p, meeting)
				var got map[string]bool
				for _, o := range []Options{{}, {NoFusion: true}, {NoSymmetry: true}, {NoFusion: true, NoSymmetry: true}} {
					out, states := outcomes(t, p, b, o)
					if out = named(p, out); out["data race"] {
						out = map[string]bool{"data race": true}
					}
					if got == nil {
						t.Logf("%s: %d states, %v", meeting, states, slices.Sorted(maps.Keys(out)))
						got = out
					} else if !maps.Equal(got, out) {
						t.Errorf("%s: %v, with %+v %v", meeting, slices.Sorted(maps.Keys(got)), o, slices.Sorted(maps.Keys(out)))
					}
				}
				if want != nil && !slices.Equal(slices.Sorted(maps.Keys(got)), sortedSet(want)) {
					t.Errorf("%s:\n%q, want\n%q", meeting, slices.Sorted(maps.Keys(got)), sortedSet(want))
				}
				calls := len(b.Calls)
				for o := range got {
					if len(strings.Fields(o)) < calls || !strings.Contains(o, "=") { // it may wait for ever
						calls = -1
					}
				}
				if calls < 0 || constructors[typ] == nil {
					continue
				}
				for range testsize.Samples(500) {
					if o := runs(p, constructors[typ](), b, r); !got[o] {
						t.Fatalf("seed %d: %s: compiled code answers %s, explored is %v", seed, meeting, o, slices.Sorted(maps.Keys(got)))
					}
				}
			}
		})
	}
}

// TestNotes asks for a note if, and only if, the constructor had a choice.
func TestNotes(t *testing.T) {
	for typ, want := range map[string]int{"Started": 1, "Names": 0} {
		s, err := New(context.Background(), compile(t, source.Options{Dir: "concurrent", Type: typ}), Bounds{Threads: 1}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Notes(); len(got) != want {
			t.Errorf("%s: notes %q", typ, got)
		}
	}
}

// TestLateSetUp asks for a note if a constructor does what a goroutine could see that it has started, and refuses
// one that waits for it.
func TestLateSetUp(t *testing.T) {
	for typ, want := range map[string]int{"Late": 1, "Apart": 0} {
		s, err := New(context.Background(), compile(t, source.Options{Dir: "concurrent", Type: typ}), Bounds{Threads: 1}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Notes(); len(got) != want {
			t.Errorf("%s: notes %q", typ, got)
		}
	}
	_, err := New(context.Background(), compile(t, source.Options{Dir: "concurrent", Type: "Meets"}), Bounds{Threads: 1}, Options{})
	var fault *Fault
	if !errors.As(err, &fault) || fault.Kind != NotCovered {
		t.Errorf("%v", err)
	}
}

func sortedSet(list []string) []string {
	var out []string
	for _, o := range list {
		words := strings.Fields(o)
		if strings.Contains(o, "=") {
			slices.Sort(words)
		}
		out = append(out, strings.Join(words, " "))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
