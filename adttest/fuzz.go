package adttest

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
)

// Fuzz has the fuzzer look for scenarios that fail: go test -fuzz finds those that
// reach new code, makes a failing one smaller, and keeps it in testdata/fuzz, where
// every go test runs it again. Each scenario is run Config.Repeat times, by
// default 20 with -fuzz and 100 without. Seeds are saved scenarios, those of the
// Config, and some that Run would generate; with Fixed there are no generated ones.
// While the fuzzer makes an input smaller, for 60 seconds unless -fuzzminimizetime says
// otherwise, it runs nothing else: 2s will do, since what fails is made smaller here, too.
// With ADTTEST_REPLAY a saved log is checked again, and nothing is run.
//
// Every byte string is a scenario; what an input means changes only with the names and
// parameters of the operations, and with Config.Threads and Config.Calls. A call is a
// byte for its place (0 before, 1 to Threads the thread, Threads+1 after, modulo Threads+2), one for its
// operation (modulo their number, in the order in which the type lists them), and one
// for each argument (0 for the first value of its type, which is 1, or v1, ...). A
// call cut off at the end is none; neither is one more of a thread than Calls, or
// one more before or after than sixteen times that.
func Fuzz(f *testing.F, c Config) {
	f.Helper()
	pkg := packageOf(testFunction())
	if fuzzing := flag.Lookup("test.fuzz"); fuzzing != nil && fuzzing.Value.String() != "" {
		orElse(&c.Repeat, 20)
	}
	r, err := fuzzed(f.Context(), c, hostOf(f, pkg))
	if err != nil {
		f.Fatal(err)
	}
	if log := r.env.replay; log != "" {
		failure, err := r.recheck(log)
		if err != nil {
			f.Fatal(err)
		} else if failure != nil {
			f.Fatal(failure)
		}
		f.Skipf("adttest: %s does not fail", log)
	}
	for _, data := range r.seeds() {
		f.Add(data)
	}
	acquireProcs()
	defer releaseProcs()
	defer r.disturbance.stop.Store(true)
	go r.disturbance.run(rand.New(rand.NewPCG(r.Seed, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		sc := r.decode(data)
		if sc.size() == 0 || r.abandoned >= maxAbandoned {
			return
		}
		failure, err := r.one(t.Context(), sc, hostOf(t, pkg))
		switch {
		case err != nil:
			t.Fatal(err)
		case failure != nil:
			t.Fatal(failure)
		}
	})
}

// fuzzed is a run that gets its scenarios from the fuzzer.
func fuzzed(ctx context.Context, c Config, h host) (*run, error) {
	env, err := readEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	r, err := newRun(ctx, c, env, h)
	if err != nil {
		return nil, err
	}
	r.start = time.Now()
	r.generator = newGenerator(ctx, r.subject, &r.Config, rand.New(rand.NewPCG(r.Seed, 2)))
	return r, nil
}

// one runs one scenario. The fuzzer makes it smaller.
func (r *run) one(ctx context.Context, sc Scenario, h host) (*Failure, error) {
	h.test = r.host.test // whose files these are, and who finds the log again
	r.ctx, r.host = ctx, h
	r.scenarios++
	f, err := r.try(sc, r.Repeat)
	if f != nil && err == nil {
		f.found = "found by the fuzzer"
		r.report(f)
	}
	return f, err
}

// seeds are inputs to begin with.
func (r *run) seeds() (all [][]byte) {
	const generated = 16
	scenarios := append(r.saved(), r.Scenarios...)
	if !r.Fixed {
		for range generated {
			scenarios = append(scenarios, r.generator.next())
		}
	}
	for _, sc := range scenarios {
		if data, ok := r.encode(sc); ok {
			all = append(all, data)
		}
	}
	return all
}

// alone is how many calls before and after there may be for one of a thread.
const alone = 16

// decode is the scenario that bytes mean.
func (r *run) decode(data []byte) Scenario {
	parts := make([][]Call, r.Threads+2)
	for len(data) >= 2 && len(r.subject.methods) > 0 {
		part := int(data[0]) % len(parts)
		m := &r.subject.methods[int(data[1])%len(r.subject.methods)]
		if data = data[2:]; len(data) < len(m.params) {
			break
		}
		c := Call{Method: m.goName}
		for i, t := range m.params {
			k := 1 + int(data[i])
			v, ok := argument(t, k)
			for ; !ok && k > 1; v, ok = argument(t, k) { // a type with fewer values
				k /= 2
			}
			c.Args = append(c.Args, v)
		}
		data = data[len(m.params):]
		most := r.Calls
		if part == 0 || part == len(parts)-1 {
			most *= alone
		}
		if len(parts[part]) < most {
			parts[part] = append(parts[part], c)
		}
	}
	sc := Scenario{Before: parts[0], After: parts[len(parts)-1]}
	for _, calls := range parts[1 : len(parts)-1] {
		if len(calls) > 0 {
			sc.Threads = append(sc.Threads, calls)
		}
	}
	return sc
}

// encode is an input that means a scenario, if there is one.
func (r *run) encode(sc Scenario) (data []byte, ok bool) {
	parts := append([][]Call{sc.Before}, sc.Threads...)
	for len(parts) <= r.Threads {
		parts = append(parts, nil)
	}
	parts = append(parts, sc.After)
	for p, calls := range parts {
		for _, c := range calls {
			m := r.subject.method(c.Method)
			if m == nil || len(c.Args) != len(m.params) {
				return nil, false
			}
			i := slices.IndexFunc(r.subject.methods, func(o method) bool { return o.index == m.index })
			data = append(data, byte(p), byte(i))
			for a, t := range m.params {
				k := 0
				for ; k < 256; k++ {
					if v, ok := argument(t, 1+k); ok && (Call{Args: []any{v}}).String() == (Call{Args: c.Args[a : a+1]}).String() {
						break
					}
				}
				data = append(data, byte(k))
			}
		}
	}
	return data, r.decode(data).String() == sc.String()
}
