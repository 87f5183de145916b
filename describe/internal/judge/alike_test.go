package judge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// tired counts how often it was looked at, and answers nothing any more after 60 times:
// looking is not what it seems.
type tired struct{ value, looks int }

func (x *tired) Set(v int) { x.value = v }
func (x *tired) Look() int {
	if x.looks++; x.looks > 60 {
		return 0
	}
	return x.value
}

// gate panics where it is shut twice, which a method without answers does not say.
type gate struct{ shut bool }

func (x *gate) Shut() {
	if x.shut {
		panic("shut twice")
	}
	x.shut = true
}
func (x *gate) IsShut() bool { return x.shut }

// lazy tidies up when it is looked at, which nobody sees.
type lazy struct{ values []int }

func (x *lazy) Set(v int) { x.values = append(x.values, v) }
func (x *lazy) Look() int {
	if len(x.values) == 0 {
		return 0
	}
	x.values = x.values[len(x.values)-1:]
	return x.values[0]
}

// fortieth forgets the value that is looked at when it was set forty times.
type fortieth struct{ value, sets int }

func (x *fortieth) Set(v int) { x.value, x.sets = v, min(40, x.sets+1) }
func (x *fortieth) Look() int {
	v := x.value
	if x.sets == 40 {
		x.value = 0
	}
	return v
}

// place has a channel, which cannot be copied.
type place struct{ taken chan int }

func (x *place) Take(v int) bool {
	select {
	case x.taken <- v:
		return true
	default:
		return false
	}
}
func (x *place) Holder() (int, bool) {
	select {
	case v := <-x.taken:
		x.taken <- v
		return v, true
	default:
		return 0, false
	}
}

// switching does one thing after the other.
type switching struct{ on, ever bool }

func (x *switching) Turn() (bool, error) {
	if x.on, x.ever = !x.on, true; x.on {
		return true, nil
	}
	return false, errors.New("off")
}
func (x *switching) Set(on bool) { x.on = on }

// roomy tells how much room there is, which nothing else shows.
type roomy struct{ values []int }

func (x *roomy) Add(v int)  { x.values = append(x.values, v) }
func (x *roomy) Trim()      { x.values = slices.Clip(x.values) }
func (x *roomy) Full() bool { return len(x.values) == cap(x.values) }

// alikeTypes are constructors, with the mutants that are alike.
var alikeTypes = map[string]struct {
	construct any
	alike     []string
}{
	"tired":     {func() *tired { return &tired{} }, []string{"set takes effect twice"}},
	"gate":      {func() *gate { return &gate{} }, []string{"shut takes effect twice", "isShut does nothing", "isShut takes effect twice", "isShut does nothing every second time"}},
	"lazy":      {func() *lazy { return &lazy{} }, []string{"look takes effect twice"}},
	"fortieth":  {func() *fortieth { return &fortieth{} }, []string{"look takes effect twice"}},
	"place":     {func() *place { return &place{make(chan int, 1)} }, nil},
	"switching": {func() *switching { return &switching{} }, []string{"set takes effect twice"}},
	"roomy":     {func() *roomy { return &roomy{} }, []string{"trim takes effect twice", "full does nothing", "full takes effect twice", "full does nothing every second time"}},
	"register":  {register.Spec.New, []string{"write takes effect twice", "read does nothing", "read takes effect twice", "read does nothing every second time"}},
	"queue":     {queue.Spec.New, nil},
}

// TestAlike holds the mutants that leave the states of a reference against new random
// words and long ones: they answer as it does.
func TestAlike(t *testing.T) {
	for name, typ := range alikeTypes {
		t.Run(name, func(t *testing.T) {
			impl, err := reference.Of(typ.construct)
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			l := NewLineup(impl)
			found, err := l.compared(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			words := teacher.Long(impl.Methods(), 50, 53)
			for i := range testsize.Samples(100) {
				words = append(words, teacher.NewGenerator(impl.Methods(), 1<<50+i).Random(int(1+i%40)))
			}
			right, err := impl.Replay(t.Context(), words)
			if err != nil {
				t.Fatal(err)
			}
			var alike []string
			for i, m := range l.mutants {
				if !found.mutants[i] {
					continue
				}
				alike = append(alike, m.Name)
				wrong, err := m.Replay(t.Context(), impl, words)
				if err != nil {
					t.Fatal(err)
				}
				for k := range words {
					if at, differs := Differs(right[k], wrong[k]); differs {
						t.Errorf("%s answers call %d of %v with %v", m.Name, at, words[k], wrong[k])
					}
				}
			}
			if diff := cmp.Diff(typ.alike, alike); diff != "" {
				t.Errorf("alike (-want +got):\n%s", diff)
			}
			if (found.states == 0) != (name == "place") {
				t.Errorf("compared in %d states", found.states)
			}
		})
	}
}

// TestAlikeOnWords: words see no difference where states show none, so that nothing that
// was seen is lost; and of those that states tell apart and words do not, words say so.
func TestAlikeOnWords(t *testing.T) {
	for name, typ := range alikeTypes {
		impl, err := reference.Of(typ.construct)
		if err != nil {
			t.Fatal(err)
		}
		defer impl.Close()
		l := NewLineup(impl)
		found, err := l.compared(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		keys := []batchKey{{longWords, 0}, {randomWord, 0}}
		for n := range uint64(shortCalls) {
			keys = append(keys, batchKey{shortWords, n + 1})
		}
		differ := 0
		for _, k := range keys {
			b, err := l.batch(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			for i := range l.mutants {
				run, err := l.run(t.Context(), b, i)
				if err != nil || run.err != nil {
					t.Fatal(err, run.err)
				}
				if differ += len(run.otherwise); found.mutants[i] && len(run.otherwise) > 0 {
					t.Errorf("%s: %s answers otherwise: %v", name, l.mutants[i].Name, run.otherwise[0])
				}
			}
		}
		if differ == 0 {
			t.Errorf("%s: no mutant differs", name)
		}
	}
}

// counted counts the calls of a reference.
type counted struct {
	reference.Implementation
	calls int
}

func (c *counted) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	for _, s := range seqs {
		c.calls += len(s)
	}
	return c.Implementation.Replay(ctx, seqs)
}

// TestLineup: a second description is judged as it is alone, and asks the reference little.
func TestLineup(t *testing.T) {
	impl := &counted{Implementation: implementation(t, register.Spec)}
	judged := func(l *Lineup) (status [2]string, calls [2]int) {
		for i := range status {
			th := example(t, "register")
			if i == 0 {
				th.Spec.Automaton = nil
			}
			th.Status.Mutants, th.Status.LongRuns, impl.calls = nil, nil, 0
			j := fewer()
			j.Lineup = l
			if wrong, err := j.judge(t.Context(), impl, register.Spec.Info(), patterns.Options{Progress: func(string) {}}, th); wrong != nil || err != nil {
				t.Fatal(wrong, err)
			}
			text, err := json.Marshal(th.Status)
			if err != nil {
				t.Fatal(err)
			}
			status[i], calls[i] = string(text), impl.calls
		}
		return status, calls
	}
	alone, first := judged(nil)
	together, later := judged(NewLineup(impl))
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Error(diff)
	}
	if later[0] != first[0] || later[1] > first[1]/4 {
		t.Errorf("together %v calls, alone %v", later, first)
	}
	if !strings.Contains(alone[0], `"seen":8`) {
		t.Errorf("not all mutants are seen: %s", alone[0])
	}
}
