package history

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// longExecution has n operations of a queue, each overlapping the next.
func longExecution(n int) *Execution {
	e := &Execution{Object: "atomic-queue", Events: 2 * n}
	for i := range n {
		l := Label{Kind: Kind{"add", None}, Args: []Value{Value(itoa(i / 2))}}
		if i%2 == 1 {
			l = Label{Kind: Kind{"remove", Some}, Rets: []Value{Value(itoa(i / 2))}}
		}
		call, ret := 2*i-1, 2*i+2
		if i == 0 {
			call = 0
		}
		if i == n-1 {
			ret = 2*n - 1
		}
		e.Ops = append(e.Ops, Operation{ID: itoa(i + 1), Label: l, Call: call, Return: ret})
	}
	return e
}

func benchmarkRead(b *testing.B, write func(io.Writer, *Execution) error) {
	sig := testSignature(b)
	var log bytes.Buffer
	const events = 100_000
	if err := write(&log, longExecution(events/2)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		e, err := ReadExecution(bytes.NewReader(log.Bytes()), "x.log", sig)
		if err != nil || e.Events != events {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkLong reads logs of 1,000,000 operations: whole, visited, event by
// event and, of the latter, with care. Beside nanoseconds it says how many times
// what it takes to find the ends of the lines alone, of the text log, that is.
func BenchmarkLong(b *testing.B) {
	sig := testSignature(b)
	e := longExecution(1_000_000)
	var text, json bytes.Buffer
	for log, write := range map[*bytes.Buffer]func(io.Writer, *Execution) error{&text: WriteText, &json: WriteJSON} {
		if err := write(log, e); err != nil {
			b.Fatal(err)
		}
	}
	lines := float64(shortest(3, func() {
		for lines := bufio.NewScanner(bytes.NewReader(text.Bytes())); lines.Scan(); {
		}
	}))
	for _, log := range []struct{ name, src string }{{"text", text.String()}, {"JSON", json.String()}, {"JSON with times", withTimes(json.String())}} {
		collect := func(careful bool) error {
			r := NewReader(strings.NewReader(log.src), "x.log")
			r.careful = careful
			_, err := Collect(r, sig)
			return err
		}
		for _, way := range []struct {
			name string
			read func() error
		}{
			{"visit", func() error {
				if !Visit(log.src, sig, nobody{}) {
					return errUnusual
				}
				return nil
			}},
			{"whole", func() error {
				_, err := ReadExecution(strings.NewReader(log.src), "x.log", sig)
				return err
			}},
			{"by events", func() error { return collect(false) }},
			{"with care", func() error { return collect(true) }},
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
				b.ReportMetric(float64(least)/lines, "scans")
			})
		}
	}
}

// nobody visits a log and looks at nothing.
type nobody struct{}

func (nobody) Call(int, []string) bool            { return true }
func (nobody) Return(int, Outcome, []string) bool { return true }

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
	if err := WriteText(&log, longExecution(50_000)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(log.Bytes()), "x.log")
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
