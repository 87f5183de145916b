package follow

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// subject is a type with the procedure for it and what follows it.
type subject struct {
	historytest.Type
	reader *batch.Reader
	whole  func() batch.Algorithm
	follow func(*batch.Reader) Follower // nil for segments
}

func (s *subject) stream() *Stream {
	f := NewSegments(s.whole(), s.reader)
	if s.follow != nil {
		f = s.follow(s.reader)
	}
	return New(s.reader, f, errors.New("unclear"))
}

// reading is what the methods of a type do, by their outcomes.
func reading(methods map[string]*batch.Method) *batch.Reader {
	return &batch.Reader{Methods: methods}
}

var (
	adds    = batch.Outcome{Outcome: history.None, Role: batch.Add, FromArg: true, Unique: true}
	removes = batch.Outcome{Outcome: history.Some, Rets: 1, Role: batch.Remove}
	sees    = batch.Outcome{Outcome: history.Some, Rets: 1, Role: batch.Present}
	finds   = batch.Outcome{Outcome: history.Nil, Role: batch.Empty}
)

func subjects() []subject {
	add := &batch.Method{Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: []batch.Outcome{adds}}
	remove := &batch.Method{Open: batch.MaybeRemove, Outcomes: []batch.Outcome{removes, finds}}
	peek := &batch.Method{Outcomes: []batch.Outcome{sees, finds}}
	container := reading(map[string]*batch.Method{"add": add, "remove": remove, "peek": peek})
	plain := reading(map[string]*batch.Method{"add": add, "remove": remove})
	locks := adds
	locks.Outcome = history.Nil
	keyed := func(o batch.Outcome) batch.Outcome { o.FromArg, o.Agree = true, o.Rets == 1; return o }
	misses := batch.Outcome{Outcome: history.Nil, Role: batch.Absent}
	bag, pq, peekqueue, peekstack := historytest.Bag(), historytest.PriorityQueue(), historytest.Queue(), historytest.Stack()
	bag.Methods = bag.Methods[:2]
	for _, x := range []*historytest.Type{&peekqueue, &peekstack} {
		model := x.Model
		x.Name = "peek" + x.Name
		x.Methods = append(x.Methods, historytest.Method{Name: "peek", Outcomes: x.Methods[1].Outcomes})
		x.Model = func(s string, call *history.Label) []historytest.Way {
			ways := model(s, call)
			if call.Method == "peek" {
				ways[0].Next = s
			}
			return ways
		}
	}
	largest := *container
	largest.Priority = func(v history.Value) (int64, error) { return strconv.ParseInt(string(v), 10, 64) }
	return []subject{
		{historytest.Queue(), plain, func() batch.Algorithm { return new(batch.Queue) }, func(*batch.Reader) Follower { return NewQueue() }},
		{bag, plain, func() batch.Algorithm { return new(batch.Bag) }, func(*batch.Reader) Follower { return NewBag() }},
		{historytest.Stack(), plain, func() batch.Algorithm { return new(batch.Stack) }, nil},
		{peekqueue, container, func() batch.Algorithm { return new(batch.Queue) }, nil},
		{peekstack, container, func() batch.Algorithm { return new(batch.Stack) }, nil},
		{pq, &largest, func() batch.Algorithm { return new(batch.Priority) }, nil},
		{historytest.Register(), reading(map[string]*batch.Method{"write": add, "read": peek}),
			func() batch.Algorithm { return new(batch.Register) }, func(*batch.Reader) Follower { return NewRegister() }},
		{historytest.Lock(), reading(map[string]*batch.Method{
			"lock":   {Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: []batch.Outcome{locks, sees}},
			"unlock": remove}),
			func() batch.Algorithm { return new(batch.Lock) }, func(*batch.Reader) Follower { return NewLock() }},
		{historytest.Set(), reading(map[string]*batch.Method{
			"insert":   {Args: 1, Open: batch.MaybeAdd, Outcomes: []batch.Outcome{locks, keyed(sees)}},
			"remove":   {Args: 1, Open: batch.MaybeRemove, Outcomes: []batch.Outcome{keyed(removes), keyed(misses)}},
			"contains": {Args: 1, Outcomes: []batch.Outcome{keyed(sees), keyed(misses)}}}),
			func() batch.Algorithm { return new(batch.Set) }, func(*batch.Reader) Follower { return NewSet(false) }},
	}
}

// execution is a random one, small mostly.
func (s *subject) execution(r *rand.Rand) *history.Execution {
	x, ops := s.Type, 4+r.IntN(10)
	if r.IntN(5) == 0 {
		ops = 60 + r.IntN(100)
	}
	if x.Name == "set" {
		x.Methods = append([]historytest.Method{}, x.Methods...)
		for i := range x.Methods {
			x.Methods[i].Takes = max(4, ops/2)
		}
	}
	x.Lost = []int{0, 0, 8, 16}[r.IntN(4)]
	return x.Execution(r, ops, 2+r.IntN(7), []int{0, 3, ops, 4 * ops}[r.IntN(4)])
}

// follow hands the events of an execution to a stream, until it says no. It
// returns the most that was kept.
func follow(s *Stream, e *history.Execution) (ok bool, most int, err error) {
	at := make([]*history.Operation, e.Events)
	for i := range e.Ops {
		at[e.Ops[i].Call] = &e.Ops[i]
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = &e.Ops[i]
		}
	}
	for n, o := range at {
		ok := true
		if o.Call == n {
			err = s.Call(o.ID, o.Method, o.Args...)
		} else {
			ok, err = s.Return(o.ID, o.Outcome, o.Rets...)
		}
		if most = max(most, s.Live()); !ok || err != nil {
			return ok, most, err
		}
	}
	ok, err = s.Finish()
	return ok, most, err
}

// TestFollowers compares what follows a type with the shortest violating prefix
// that the whole execution has.
func TestFollowers(t *testing.T) {
	for i, x := range subjects() {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 21))
			total := int(testsize.Samples(10_000))
			if x.follow == nil {
				total /= 4 // they are decided again and again
			}
			good, bad := 0, 0
			for k := range total {
				e := x.execution(r)
				c, err := x.reader.Read(e)
				if err != nil {
					continue // a value is added twice
				}
				p, want, exact := x.whole(), int32(0), true
				a, w := p.Decide(c, c.Events)
				if a == batch.Violating {
					want, a, _, exact = batch.Shortest(t.Context(), p, c, c.Events, a, w)
				}
				s := x.stream()
				ok, _, err := follow(s, e)
				got, _ := s.Prefix()
				switch {
				case a == batch.Unclear || !exact || err != nil && a == batch.Linearizable:
				case err != nil || ok != (a == batch.Linearizable) || got != int(want) || ok != (s.Reason() == ""):
					t.Fatalf("execution %d: %v, %v after %d events (%s), the whole: %v after %d\n%s", k, ok, err, got, s.Reason(), a, want, historytest.Text(e))
				case ok:
					good++
				default:
					bad++
				}
			}
			if min(good, bad) < total/20 {
				t.Errorf("of %d, %d linearizable and %d not", total, good, bad)
			}
		})
	}
}

// TestKeepsLittle bounds what is kept of an execution in which few values are in
// at a time.
func TestKeepsLittle(t *testing.T) {
	for _, x := range subjects() {
		t.Run(x.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 22))
			s, most, n := x.stream(), 0, 0
			state := ""
			for range testsize.Samples(20_000) {
				method, v := &x.Methods[n%2], n/2 // it comes and goes
				if x.Name == "register" {
					method, v = &x.Methods[r.IntN(2)], n
				}
				n++
				l := history.Label{Kind: history.Kind{Method: method.Name}}
				if method.Takes != 0 {
					l.Args = []history.Value{history.Value(strconv.Itoa(v))}
				}
				ways := x.Model(state, &l)
				l.Outcome, l.Rets, state = ways[0].Outcome, ways[0].Rets, ways[0].Next
				if err := s.Call("1", l.Method, l.Args...); err != nil {
					t.Fatal(err)
				}
				if ok, err := s.Return("1", l.Outcome, l.Rets...); !ok || err != nil {
					t.Fatalf("%s: %v, %v, %s", l, ok, err, s.Reason())
				}
				most = max(most, s.Live())
			}
			if most > 40 || s.Events() != 2*n {
				t.Errorf("%d kept after %d events", most, s.Events())
			}
		})
	}
}

// TestHolds: a set takes an insert for one more of a value that it keeps, other
// types for the first.
func TestHolds(t *testing.T) {
	for _, x := range subjects() {
		s := x.stream()
		if x.Name == "set" {
			if err := s.Call("1", "insert", "7"); err != nil || !s.Holds("7") || s.Holds("8") {
				t.Error(err, s.Holds("7"), s.Holds("8"))
			}
		} else if s.Holds("7") {
			t.Error(x.Name)
		}
	}
}

func TestIntervalSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var s intervalSet
		var twin [30]bool
		for range 6 {
			from := r.Int64N(30)
			to := from + 1 + r.Int64N(30-from)
			s = s.plus(from, to)
			for g := from; g < to; g++ {
				twin[g] = true
			}
		}
		since := r.Int64N(30)
		s = s.after(since)
		for g := since; g < 30; g++ {
			i := s.ending(g)
			if in := i < len(s) && s[i].from <= g; in != twin[g] {
				t.Fatalf("gap %d: %v", g, s)
			}
		}
		for i := range s {
			if s[i].to <= since || i > 0 && s[i-1].to >= s[i].from {
				t.Fatalf("after %d: %v", since, s)
			}
		}
	}
}

// A stream keeps columns that were not decided, and later ones have more values.
func TestPrioritiesGrow(t *testing.T) {
	x := subjects()[5]
	s := NewSegments(x.whole(), x.reader).(*segments)
	add := func(v history.Value) {
		at, why := s.called(calling{open: batch.MaybeAdd, asked: v})
		if a := s.returned(returning{at: at, open: batch.MaybeAdd, did: batch.Add, asked: v, val: v}); why != "" || a != batch.Linearizable {
			t.Fatal(why, a)
		}
	}
	add("1")
	s.Decide(s.c, s.c.Events)
	was := s.c
	s.checked = 1000 // not yet
	add("2")
	at, _ := s.called(calling{open: batch.MaybeRemove})
	s.checked = 0
	if a := s.returned(returning{at: at, open: batch.MaybeRemove, did: batch.Remove, val: "1"}); a != batch.Violating || s.c != was {
		t.Errorf("%v: 1 left before 2", a)
	}
}

// TestFull: when a stretch has as many operations as are kept, all up to there was
// decided, and no call is taken; a stretch that ended in time is forgotten.
func TestFull(t *testing.T) {
	r := reading(map[string]*batch.Method{
		"push": {Args: 1, Open: batch.MaybeAdd, Unique: true, Outcomes: []batch.Outcome{{Outcome: history.None, Role: batch.Add, FromArg: true}}},
		"pop":  {Open: batch.MaybeRemove, Outcomes: []batch.Outcome{{Outcome: history.Some, Rets: 1, Role: batch.Remove}}},
	})
	const most = 10
	for stay := range 3 {
		f := NewSegments(new(batch.Stack), r).(*segments)
		f.most = most
		s := New(r, f, nil)
		calls := 0
		one := func(method string, rets []history.Value, args ...history.Value) error {
			if err := s.Call("1", method, args...); err != nil {
				return err
			}
			calls++
			outcome := history.Outcome(history.None)
			if len(rets) > 0 {
				outcome = history.Some
			}
			ok, err := s.Return("1", outcome, rets...)
			if !ok || err != nil {
				t.Fatalf("%d stay: call %d: %v, %v", stay, calls, ok, err)
			}
			return nil
		}
		var err error
		for i := 0; i < stay && err == nil; i++ {
			err = one("push", nil, history.Value("s"+strconv.Itoa(i)))
		}
		for i := 0; i < 4*most && err == nil; i++ {
			if err = one("push", nil, history.Value(strconv.Itoa(i))); err == nil {
				err = one("pop", []history.Value{history.Value(strconv.Itoa(i))})
			}
		}
		if full := err != nil; full != (stay > 0) || full && (calls != most || !strings.Contains(err.Error(), "10 operations are kept")) {
			t.Errorf("%d stay: after %d calls: %v", stay, calls, err)
		}
		if stay == 0 && s.Live() > 2 {
			t.Errorf("%d are kept", s.Live())
		}
	}
}
