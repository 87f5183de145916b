package history

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// longExecution has n operations of 8 processes that always overlap, of a queue or
// of a stack: half of them adds.
func longExecution(n int, stack bool) *Execution {
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	e := &Execution{Object: "atomic-queue"}
	var running []int // operations
	var held []Value
	added := 0
	for len(e.Ops) < n || len(running) > 0 {
		if len(e.Ops) < n && len(running) < 8 {
			op := Operation{ID: itoa(len(e.Ops) + 1), Label: Label{Kind: Kind{Method: "remove"}}, Call: e.Events, Return: NoReturn}
			if rng.IntN(2) == 0 {
				op.Method, op.Args = "add", []Value{Value(itoa(added))}
				added++
			}
			running = append(running, len(e.Ops))
			e.Ops = append(e.Ops, op)
		} else {
			k := rng.IntN(len(running))
			op := &e.Ops[running[k]]
			running = slices.Delete(running, k, k+1)
			held = takeEffect(op, held, stack)
			op.Return = e.Events
		}
		e.Events++
	}
	return e
}

// takeEffect says in an operation what it returns, and what is held after it.
func takeEffect(op *Operation, held []Value, stack bool) []Value {
	n := len(held)
	switch {
	case op.Method == "add":
		op.Outcome = None
		return append(held, op.Args[0])
	case n == 0:
		op.Outcome = Nil
		return held
	case stack:
		op.Outcome, op.Rets = Some, []Value{held[n-1]}
		return held[:n-1]
	default:
		op.Outcome, op.Rets = Some, []Value{held[0]}
		return held[1:]
	}
}

func benchmarkRead(b *testing.B, write func(io.Writer, *Execution) error) {
	sig := testSignature(b)
	var log bytes.Buffer
	const events = 100_000
	if err := write(&log, longExecution(events/2, false)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		e, err := ReadLog(bytes.NewReader(log.Bytes()), "x.log", sig)
		if err != nil || e.Events != events {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkLong reads logs of 1,000,000 operations: visited, as a whole, and as a
// stream. Beside nanoseconds it says how many times
// what it takes to count the ends of the lines, and to add up all bytes.
func BenchmarkLong(b *testing.B) {
	sig := testSignature(b)
	for _, log := range longLogs(b) {
		counts := float64(shortest(9, func() { sink += strings.Count(log.src, "\n") }))
		sums := float64(shortest(5, func() {
			sum := 0
			for i := range len(log.src) {
				sum += int(log.src[i])
			}
			sink += sum
		}))
		for _, way := range []struct {
			name string
			read func() error
		}{
			{"visit", func() error { return visitAll(strings.NewReader(log.src), sig) }},
			{"file and visit", func() error {
				f, err := os.Open(log.file)
				if err != nil {
					return err
				}
				defer f.Close()
				return visitAll(f, sig)
			}},
			{"whole", func() error {
				_, err := ReadLog(strings.NewReader(log.src), "x.log", sig)
				return err
			}},
			{"as a stream", func() error {
				_, err := streamed(log.src, sig)
				return err
			}},
		} {
			b.Run(log.name+"/"+way.name, func(b *testing.B) {
				b.SetBytes(int64(len(log.src)))
				b.ReportAllocs()
				least := time.Hour
				for b.Loop() {
					least = min(least, shortest(1, func() {
						if err := way.read(); err != nil {
							b.Fatal(err)
						}
					}))
				}
				b.ReportMetric(float64(least)/counts, "counts")
				b.ReportMetric(float64(least)/sums, "sums")
				b.ReportMetric(float64(len(log.src))/float64(least), "best-GB/s")
			})
		}
	}
}

func visitAll(r io.Reader, sig Signature) error {
	log := NewReader(r, "x.log")
	if !log.Visit(sig, nobody{}) {
		_, err := log.Execution(sig)
		return fmt.Errorf("not visited: %w", err)
	}
	return nil
}

// sink is where results go that nobody needs.
var sink int

type longLog struct{ name, src, file string }

// longLogs are logs of 1,000,000 operations in all forms.
func longLogs(b *testing.B) (logs []longLog) {
	stack := strings.NewReplacer(" add(", " push(", " remove", " pop", `"add"`, `"push"`, `"remove"`, `"pop"`)
	put := func(name, src string) {
		file := filepath.Join(b.TempDir(), "x.log")
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			b.Fatal(err)
		}
		logs = append(logs, longLog{name, src, file})
	}
	for _, form := range []struct {
		name  string
		write func(io.Writer, *Execution) error
	}{{"text", WriteText}, {"JSON", WriteJSON}} {
		for _, object := range []string{"queue", "stack"} {
			var log bytes.Buffer
			if err := form.write(&log, longExecution(1_000_000, object == "stack")); err != nil {
				b.Fatal(err)
			}
			if object == "stack" {
				put(form.name+" stack", stack.Replace(log.String()))
				continue
			}
			put(form.name+" queue", log.String())
			if form.name == "JSON" {
				put("JSON queue with times", withTimes(log.String()))
			}
		}
	}
	return logs
}

// nobody visits a log and looks at nothing.
type nobody struct{}

func (nobody) Call(int, []string) bool                 { return true }
func (nobody) Return(int, int, Outcome, []string) bool { return true }

// shortest is the shortest time that something took.
func shortest(n int, f func()) time.Duration {
	least := time.Hour
	for range n {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

func BenchmarkReadText(b *testing.B) { benchmarkRead(b, WriteText) }
func BenchmarkReadJSON(b *testing.B) { benchmarkRead(b, WriteJSON) }

// BenchmarkNext reads events without building an execution.
func BenchmarkNext(b *testing.B) {
	var log bytes.Buffer
	if err := WriteText(&log, longExecution(50_000, false)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(log.Bytes()), "x.log")
		r.open()
		for {
			if _, err := r.events.next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// counter counts what it visits.
type counter struct{ events int }

func (c *counter) Call(int, []string) bool                 { c.events++; return true }
func (c *counter) Return(int, int, Outcome, []string) bool { c.events++; return true }

// inFormats is a long log of a queue in each format.
func inFormats(tb testing.TB, ops int) map[string][]byte {
	logs := map[string][]byte{}
	for name, f := range map[string]Format{"text": Text, "JSON Lines": JSON, "binary": Binary} {
		var log bytes.Buffer
		if err := write(newWriter(&log, f), longExecution(ops, false)); err != nil {
			tb.Fatal(err)
		}
		logs[name] = log.Bytes()
	}
	return logs
}

// BenchmarkVisit visits logs: a binary one in less time than a text.
func BenchmarkVisit(b *testing.B) {
	const ops = 500_000
	sig := testSignature(b)
	for format, log := range inFormats(b, ops) {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var c counter
				if !NewReader(bytes.NewReader(log), "x.log").Visit(sig, &c) || c.events != 2*ops {
					b.Fatal(c.events)
				}
			}
		})
	}
}

// Visiting a log allocates neither for its events nor for their values.
func TestVisitAllocates(t *testing.T) {
	const ops = 20_000
	sig := testSignature(t)
	for format, log := range inFormats(t, ops) {
		n := testing.AllocsPerRun(3, func() {
			var c counter
			if !NewReader(bytes.NewReader(log), "x.log").Visit(sig, &c) || c.events != 2*ops {
				t.Fatal(c.events)
			}
		})
		if n > ops/200 {
			t.Errorf("%s: %v allocations for %d operations", format, n, ops)
		}
	}
}
