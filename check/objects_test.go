package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func stringSource(name, log string) check.Source {
	return check.Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}
}

// objectLines are the lines of an execution as those of an object.
func objectLines(t testing.TB, e *history.Execution, object string) []string {
	t.Helper()
	var b bytes.Buffer
	if err := history.WriteJSON(&b, e); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[1:]
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"object":%q,`, object) + lines[i][1:]
	}
	return lines
}

// TestObjects: each object of a log gets the verdict that its own log gets, and the log
// the worst of them.
func TestObjects(t *testing.T) {
	typ := historytest.Queue()
	c, err := check.New(build(t, queue), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(16, 4))
	violations := 0
	for range testsize.Samples(60) {
		var names, lines []string
		var rest [][]string
		want := map[string]check.Report{}
		for i := range 2 + r.IntN(3) {
			e := typ.Execution(r, 2+r.IntN(6), 3, 8)
			name := fmt.Sprintf("q%d", i)
			res, err := c.Check(t.Context(), e)
			want[name] = check.Report{Result: res, Err: err}
			rest = append(rest, objectLines(t, e, name))
		}
		for len(rest) > 0 {
			i := r.IntN(len(rest))
			if len(rest[i]) == 0 {
				rest = slices.Delete(rest, i, i+1)
				continue
			}
			lines = append(lines, rest[i][0])
			rest[i] = rest[i][1:]
		}
		for _, l := range lines {
			if name := l[len(`{"object":"`):][:2]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		log := strings.Join(lines, "\n")
		var got []string
		wrong, refused := "", false
		err := (&check.Batch{Checker: c}).Run(t.Context(), slices.Values([]check.Source{stringSource("x.jsonl", log)}), func(r check.Report) {
			got = append(got, r.Object)
			w := want[r.Object]
			if r.Name != "x.jsonl" || r.Result.Verdict != w.Result.Verdict || r.Result.Prefix != w.Result.Prefix || (r.Err == nil) != (w.Err == nil) {
				t.Errorf("%s\n%s: %+v, want %+v", log, r.Object, r, w)
			}
			if r.Result.Verdict == check.Violation && wrong == "" {
				wrong = r.Object
			}
			refused = refused || r.Err != nil
		})
		if err != nil || !slices.Equal(got, names) {
			t.Fatalf("reports on %v, want %v, %v", got, names, err)
		}
		res, err := c.CheckLog(t.Context(), strings.NewReader(log), "x.jsonl")
		switch {
		case wrong != "":
			violations++
			if err != nil || res.Verdict != check.Violation || !strings.Contains(res.Detail, fmt.Sprintf("object %q", wrong)) {
				t.Errorf("%s\nthe log: %+v, %v, want a violation of %s", log, res, err, wrong)
			}
		case refused != (err != nil) || !refused && res.Verdict != check.Linearizable:
			t.Errorf("%s\nthe log: %+v, %v", log, res, err)
		}
		es, err := c.ReadObjects(strings.NewReader(log), "x.jsonl")
		if err != nil || len(es) != len(names) {
			t.Errorf("%d executions of %d objects: %v", len(es), len(names), err)
		}
	}
	if violations == 0 {
		t.Error("no log with a violation")
	}
}

// TestObjectsInTime: when the time is over, what was decided by then is reported.
func TestObjectsInTime(t *testing.T) {
	c, err := check.New(build(t, queue), check.Options{Timeout: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	good := history.Sequential(label("add", history.None, 1))
	log := strings.Join(append(objectLines(t, good, "a"), objectLines(t, good, "b")...), "\n")
	n := 0
	if err := (&check.Batch{Checker: c}).Run(t.Context(), slices.Values([]check.Source{stringSource("x.jsonl", log)}), func(r check.Report) {
		n++
		if r.Result.Verdict == check.Violation || r.Err != nil {
			t.Errorf("%+v", r)
		}
	}); err != nil || n == 0 {
		t.Errorf("%d reports, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&check.Batch{Checker: c}).Run(ctx, slices.Values([]check.Source{stringSource("x.jsonl", log)}), func(check.Report) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// clocked writes an execution whose events are 10 units from each other, by clocks that
// are before or behind the true time, and in random order.
func clocked(r *rand.Rand, e *history.Execution, most int) string {
	clocks := map[string]int{}
	var lines []string
	add := func(process, format string, at int, args ...any) {
		if _, ok := clocks[process]; !ok {
			clocks[process] = r.IntN(2*most+1) - most
		}
		lines = append(lines, fmt.Sprintf(`{"process":%q,"time":%d,`, process, 10*at+clocks[process])+fmt.Sprintf(format, args...))
	}
	texts := func(vs []history.Value) string {
		var quoted []string
		for _, v := range vs {
			quoted = append(quoted, fmt.Sprintf("%q", v))
		}
		return strings.Join(quoted, ",")
	}
	for i := range e.Ops {
		op := &e.Ops[i]
		process := op.Process
		if process == "" {
			process = fmt.Sprint(i % 3)
		}
		add(process, `"op":%q,"event":"call","method":%q,"args":[%s]}`, op.Call, op.ID, op.Method, texts(op.Args))
		if op.Completed() {
			add(process, `"op":%q,"event":"return","outcome":%q,"rets":[%s]}`, op.Return, op.ID, op.Outcome, texts(op.Rets))
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return strings.Join(append([]string{`{"format":2,"time":"us"}`}, lines...), "\n")
}

// TestClocks: clocks that are at most the skew from the true time make no violation of
// what is none; and what is a violation with a skew is one with a smaller one.
func TestClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	wrong, mended := 0, 0
	for _, typ := range []historytest.Type{historytest.Queue(), historytest.Stack()} {
		th := build(t, map[string]source{"queue": queue, "stack": stack}[typ.Name])
		verdict := func(log string, skew int) check.Verdict {
			t.Helper()
			c, err := check.New(th, check.Options{Reader: func(in io.Reader, file string, _ history.Signature) *history.Reader {
				log := history.NewReader(in, file)
				log.Skew = time.Duration(skew) * time.Microsecond
				return log
			}})
			if err != nil {
				t.Fatal(err)
			}
			res, err := c.CheckLog(t.Context(), strings.NewReader(log), "x.jsonl")
			if err != nil {
				return "" // a spoilt answer may leave the language
			}
			return res.Verdict
		}
		for i := range testsize.Samples(300) {
			spoil, most := 0, 1+r.IntN(25)
			if i%3 == 0 {
				spoil = 6
			}
			e := typ.Execution(r, 2+r.IntN(6), 3, spoil)
			if e.Events == 0 {
				continue
			}
			log := clocked(r, e, most)
			wide := verdict(log, most)
			if spoil == 0 {
				if wide != check.Linearizable {
					t.Fatalf("with a skew of %d %q, although %v is good:\n%s", most, wide, e, log)
				}
				if verdict(log, 0) == check.Violation {
					mended++
				}
				continue
			}
			if wide == check.Violation {
				wrong++
				if own, err := check.New(th, check.Options{}); err != nil {
					t.Fatal(err)
				} else if res, err := own.Check(t.Context(), e); err == nil && res.Verdict != check.Violation {
					t.Fatalf("with a skew of %d a violation, but truly %v:\n%s", most, res, log)
				}
				if v := verdict(log, most/2); v != check.Violation && v != "" {
					t.Fatalf("with a skew of %d a violation, with half of it %v:\n%s", most, v, log)
				}
			}
		}
	}
	if wrong == 0 || mended == 0 {
		t.Errorf("%d violations in spite of the skew, %d that the clocks alone make", wrong, mended)
	}
}
