package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// peer is another checker: a program that is run with a file, where it is installed. write
// writes a history of a model, nil if the peer has no such model; args come before the
// file; good is what the program prints of a linearizable history, and bad of others.
type peer struct {
	name, program, url string
	write              map[string]func(e *history.Execution) string
	args               []string
	good, bad          string
}

// foreignPeers are read as their documentation says.
func foreignPeers() []peer {
	both := func(line func(*history.Operation, int, string, history.Value) string, queue, stack [2]string) map[string]func(*history.Execution) string {
		one := func(object string, methods [2]string) func(*history.Execution) string {
			return func(e *history.Execution) string { return collectionLines(e, object, methods, line) }
		}
		return map[string]func(*history.Execution) string{"queue": one("queue", queue), "stack": one("stack", stack)}
	}
	return []peer{
		{"Fastlin", "fastlin", "https://github.com/solarrabbit99/fastlin", both(func(o *history.Operation, _ int, method string, v history.Value) string {
			return fmt.Sprintf("%s %s %d %d\n", method, v, o.Call, o.Return)
		}, [2]string{"enq", "deq"}, [2]string{"push", "pop"}), []string{"-x"}, "1", "0"},
		{"FPTLin", "fptlin", "https://github.com/solarrabbit99/fptlin", both(func(o *history.Operation, process int, method string, v history.Value) string {
			return fmt.Sprintf("%d %d %d %s %s\n", process, o.Call, o.Return, method, v)
		}, [2]string{"ENQ", "DEQ"}, [2]string{"PUSH", "POP"}), nil, "1", "0"},
		{"LiMo", "linearize", "https://github.com/grahnen/LiMo", map[string]func(*history.Execution) string{
			"queue": func(e *history.Execution) string { return violinLines(e, "atomic-queue", "enq", "deq") },
			"stack": func(e *history.Execution) string { return violinLines(e, "atomic-stack", "push", "pop") },
		}, nil, "OK", ""},
		{"Elle", "elle-cli", "https://github.com/ligurio/elle-cli", map[string]func(*history.Execution) string{"register": elleTransactions},
			[]string{"--model", "rw-register"}, "true", "false"},
		{"Knossos", "elle-cli", "https://github.com/ligurio/elle-cli", map[string]func(*history.Execution) string{"cas-register(0)": knossosLines},
			[]string{"--model", "cas-register"}, "true", "false"},
	}
}

// peers has all checkers that are installed decide the same logs.
func peers(ctx context.Context, r *report) error {
	ops := at(r.size, [3]int{400, 10_000, 100_000})
	limit := at(r.size, [3]time.Duration{5 * time.Second, 10 * time.Second, 10 * time.Minute})
	theirs, note := newPorcupine(ctx, r)
	notes := []string{"Porcupine: " + note}
	columns := []string{"auto"}
	if theirs != nil {
		defer theirs.close()
		columns = append(columns, "Porcupine")
	}
	var installed []peer
	for _, p := range foreignPeers() {
		if _, err := exec.LookPath(p.program); err != nil {
			notes = append(notes, fmt.Sprintf("%s: left out, as there is no program %s (%s)", p.name, p.program, p.url))
			continue
		}
		installed, columns = append(installed, p), append(columns, p.name)
	}
	r.section("Same logs, same machine", "Executions of %d operations by four processes that always overlap, drawn at random, without pending operations: right ones, and\n"+
		"with one wrong answer after two thirds. At most %v each. Times of auto and Porcupine are those of the search; other programs read a\n"+
		"file in their own format, which counts. A verdict that is not auto's is marked (!).\n\n- %s", ops, limit, strings.Join(notes, "\n- "))
	var rows [][]string
	for _, s := range simulations() {
		model := map[string]string{"queue": "queue", "stack": "stack", "register": "register", "cas register": "cas-register(0)"}[s.name]
		if model == "" {
			continue
		}
		for _, bad := range []bool{false, true} {
			e := simulate(s, rand.New(rand.NewPCG(uint64(ops), 4)), ops, 4, false, bad)
			row, err := decidedBy(ctx, s, model, e, limit, theirs, installed)
			if err != nil {
				return err
			}
			kind := map[bool]string{false: "right", true: "wrong"}[bad]
			rows = append(rows, append([]string{s.name, kind}, row...))
		}
	}
	if theirs != nil {
		r.finding("A right queue and a right register: auto; Porcupine", "no paper", strings.ReplaceAll(fmt.Sprintf("%s, %s; %s, %s", rows[0][2], rows[4][2], rows[0][3], rows[4][3]), "linearizable, ", ""))
	}
	r.table(append([]string{"type", "execution"}, columns...), rows)
	return nil
}

// decidedBy has all decide an execution.
func decidedBy(ctx context.Context, s simulated, model string, e *history.Execution, limit time.Duration, theirs *porcupine, installed []peer) (row []string, err error) {
	th, err := theoryIn(s.theory + ".theory.yaml")
	if err != nil {
		return nil, err
	}
	c, err := check.New(th, check.Options{})
	if err != nil {
		return nil, err
	}
	own, err := auto(c).decide(ctx, limit, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	row = []string{own.verdict(own)}
	if theirs != nil {
		o, err := theirs.judge(ctx, model, limit, e)
		if err != nil {
			return nil, err
		}
		row = append(row, o.verdict(own))
	}
	for _, p := range installed {
		cell := ""
		if write := p.write[model]; write != nil {
			o, err := p.decide(ctx, write(e), limit)
			if cell = o.verdict(own); err != nil {
				cell = err.Error()
			}
		}
		row = append(row, cell)
	}
	return row, nil
}

// verdict is the outcome in words, with a mark if it is not that of the other.
func (o outcome) verdict(other outcome) string {
	switch {
	case o.late:
		return "late"
	case !other.late && o.good != other.good:
		return map[bool]string{true: "linearizable", false: "violation"}[o.good] + " (!), " + short(o.took)
	case o.good:
		return "linearizable, " + short(o.took)
	}
	return "violation, " + short(o.took)
}

// decide runs a peer on a history.
func (p *peer) decide(ctx context.Context, text string, limit time.Duration) (o outcome, err error) {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "history.edn")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return o, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	out, err := exec.CommandContext(ctx, p.program, append(slices.Clone(p.args), file)...).Output()
	o.took = time.Since(start)
	if ctx.Err() != nil {
		return outcome{late: true}, nil
	}
	words := strings.Fields(string(bytes.ReplaceAll(out, []byte(file), nil)))
	switch exit := (&exec.ExitError{}); {
	case slices.Contains(words, p.good):
		o.good = true
	case p.bad != "" && !slices.Contains(words, p.bad), len(words) == 0:
		return o, errors.New("not understood")
	case err != nil && !errors.As(err, &exit):
		return o, err
	}
	return o, nil
}

// processes numbers who makes each operation: as many as overlap.
func processes(e *history.Execution) []int {
	at, free, next := make([]int, len(e.Ops)), []int{}, 0
	_ = each(context.Background(), e, func(i int, call bool) error {
		switch {
		case !call:
			free = append(free, at[i])
		case len(free) > 0:
			at[i], free = free[0], free[1:]
		default:
			at[i] = next
			next++
		}
		return nil
	})
	return at
}

// collectionLines writes an operation a line; nothing found is the value -1.
func collectionLines(e *history.Execution, object string, methods [2]string, line func(*history.Operation, int, string, history.Value) string) string {
	b, by := strings.Builder{}, processes(e)
	fmt.Fprintf(&b, "# %s\n", object)
	for i := range e.Ops {
		o := &e.Ops[i]
		switch {
		case len(o.Args) > 0:
			b.WriteString(line(o, by[i], methods[0], o.Args[0]))
		case o.Outcome == history.Nil:
			b.WriteString(line(o, by[i], methods[1], "-1"))
		default:
			b.WriteString(line(o, by[i], methods[1], o.Rets[0]))
		}
	}
	return b.String()
}

// violinLines writes an event a line.
func violinLines(e *history.Execution, object, add, remove string) string {
	b := strings.Builder{}
	fmt.Fprintf(&b, "# @object %s\n", object)
	_ = each(context.Background(), e, func(i int, call bool) error {
		switch o := &e.Ops[i]; {
		case call && len(o.Args) > 0:
			fmt.Fprintf(&b, "[%d] call %s(%s)\n", i+1, add, o.Args[0])
		case call:
			fmt.Fprintf(&b, "[%d] call %s\n", i+1, remove)
		case o.Outcome == history.Nil:
			fmt.Fprintf(&b, "[%d] return empty\n", i+1)
		case len(o.Rets) > 0:
			fmt.Fprintf(&b, "[%d] return %s\n", i+1, o.Rets[0])
		default:
			fmt.Fprintf(&b, "[%d] return\n", i+1)
		}
		return nil
	})
	return b.String()
}

// jepsenLines writes an event a line, in Jepsen's format; value is what an operation asks,
// and what is known of it then. Before that, a process wrote what there is at first.
func jepsenLines(e *history.Execution, first string, value func(o *history.Operation, call bool) (f, value string)) string {
	b, by, n := strings.Builder{}, processes(e), 0
	for _, kind := range []string{":invoke", ":ok"} {
		if first != "" {
			fmt.Fprintf(&b, "{:index %d, :time %d, :type %s, :process 0, :f :write, :value %s}\n", n, n, kind, first)
			n++
		}
	}
	_ = each(context.Background(), e, func(i int, call bool) error {
		o := &e.Ops[i]
		kind := ":ok"
		switch {
		case call:
			kind = ":invoke"
		case o.Outcome == history.False:
			kind = ":fail"
		}
		f, v := value(o, call)
		fmt.Fprintf(&b, "{:index %d, :time %d, :type %s, :process %d, :f %s, :value %s}\n", n, n, kind, by[i], f, v)
		n++
		return nil
	})
	return b.String()
}

func elleTransactions(e *history.Execution) string {
	return jepsenLines(e, "", func(o *history.Operation, call bool) (string, string) {
		if len(o.Args) > 0 {
			return ":txn", fmt.Sprintf("[[:w 0 %s]]", o.Args[0])
		}
		return ":txn", fmt.Sprintf("[[:r 0 %s]]", readValue(o, call))
	})
}

func knossosLines(e *history.Execution) string {
	return jepsenLines(e, "0", func(o *history.Operation, call bool) (string, string) {
		switch len(o.Args) {
		case 0:
			return ":read", readValue(o, call)
		case 1:
			return ":write", string(o.Args[0])
		}
		return ":cas", fmt.Sprintf("[%s %s]", o.Args[0], o.Args[1])
	})
}

func readValue(o *history.Operation, call bool) string {
	if call || o.Outcome == history.Nil {
		return "nil"
	}
	return string(o.Rets[0])
}
