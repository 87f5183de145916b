package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// command runs a command line, and gives what it prints and its exit code.
func command(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), streams{in: strings.NewReader(""), out: &out, err: &out}, args)
	if err != nil && !isSilent(err) {
		fmt.Fprintln(&out, err)
	}
	return out.String(), exitCode(t.Context(), err)
}

// TestModelEvidence: what check --model writes as evidence verify --model accepts, whatever names the log has for the methods, with the
// same flags; and it does not accept it for another log.
func TestModelEvidence(t *testing.T) {
	names := append(wgl.Builtins(), "bounded-queue(100)", "cas-register(0)", "kv(0)", "counter(5)", "log(1)", "bank({1 20, 2 20})", "versioned-register(7)", "overdraft-bank({1 0, 2 0})")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			log, ev := filepath.Join(dir, "run.log"), filepath.Join(dir, "run.evidence")
			accepted := 0
			for seed := range testsize.Samples(60) {
				r := rand.New(rand.NewPCG(seed, 50))
				w := &modelRun{Rand: r, name: name}
				text := w.write(t)
				if err := os.WriteFile(log, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				flags := append([]string{"--model", name}, w.flags...)
				out, code := command(t, slices.Concat([]string{"check", "--witness", ev, log}, flags)...)
				if code != exitHolds || strings.Contains(out, "no evidence") {
					t.Fatalf("seed %d: exit %d\n%s\n%s", seed, code, out, text)
				}
				out, code = command(t, slices.Concat([]string{"verify", log, ev}, flags)...)
				if code != exitHolds {
					t.Fatalf("seed %d, %q: exit %d\n%s\n%s", seed, flags, code, out, text)
				}
				if err := os.WriteFile(log, []byte(strings.Replace(text, "[1] call", "[one] call", 1)+"[one] return\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				if _, code = command(t, slices.Concat([]string{"verify", log, ev}, flags)...); code == exitHolds {
					t.Fatalf("seed %d: evidence for another log is accepted\n%s", seed, text)
				}
				accepted++
			}
			t.Logf("%d logs", accepted)
		})
	}
}

// modelRun is a log of a built-in model under other names, with the flags that it is checked with.
type modelRun struct {
	*rand.Rand
	name  string
	flags []string
	as    map[string]string
}

// call is the name of a method in the log: its own, an alias, or one that a flag tells.
func (w *modelRun) call(m *history.MethodSig) string {
	if w.as == nil {
		w.as = map[string]string{}
	}
	if w.as[m.Name] == "" {
		all := append([]string{m.Name, "my" + m.Name}, m.Aliases...)
		if title := strings.ToUpper(m.Name[:1]) + m.Name[1:]; w.known(title) {
			all = append(all, title)
		}
		n := w.IntN(len(all))
		if w.as[m.Name] = all[n]; n == 1 {
			w.flags = append(w.flags, "--alias", all[n]+"="+m.Name)
		}
	}
	return w.as[m.Name]
}

// known reports whether logs may call a method of the model so.
func (w *modelRun) known(name string) bool {
	sig, err := history.NewSignature(wgl.Methods(w.name)...)
	_, ok := sig.Method(name)
	return ok && err == nil
}

// write makes a log of calls that the model allows, one after the other, of which some return late or never.
func (w *modelRun) write(t *testing.T) string {
	m, err := wgl.Builtin(w.name)
	if err != nil {
		t.Fatal(err)
	}
	methods, s := wgl.Methods(w.name), m.Init()
	var b, late strings.Builder
	for id := 1; id <= 8; id++ {
		sig := &methods[w.IntN(len(methods))]
		l := w.allowed(m, &s, sig)
		if l == nil {
			continue
		}
		fmt.Fprintf(&b, "[%d] call %s", id, w.call(sig))
		if len(l.Args) > 0 {
			fmt.Fprintf(&b, "(%s)", joined(l.Args))
		}
		to := &b
		if fmt.Fprintln(&b); w.IntN(4) == 0 {
			to = &late
		}
		if id == 5 || w.IntN(12) == 0 {
			continue // pending
		}
		switch l.Outcome {
		case history.None:
			fmt.Fprintf(to, "[%d] return\n", id)
		case history.Some:
			fmt.Fprintf(to, "[%d] return %s\n", id, joined(l.Rets))
		default:
			fmt.Fprintf(to, "[%d] return %s\n", id, l.Outcome)
		}
	}
	w.mayFail(&b, methods)
	return b.String() + late.String()
}

// mayFail adds calls that fail, whatever the state, and flags that allow it.
func (w *modelRun) mayFail(b *strings.Builder, methods []history.MethodSig) {
	for i := range methods {
		m := &methods[i]
		fails := slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == history.Error })
		if !fails || w.IntN(2) == 0 || strings.HasSuffix(w.name, "bank") || strings.Contains(w.name, "bank(") {
			continue
		}
		name := w.call(m)
		fmt.Fprintf(b, "[f%d] call %s(%s)\n[f%d] return error\n", i, name, strings.Join(slices.Repeat([]string{"1"}, m.Args-m.Optional), ", "), i)
		w.flags = append(w.flags, "--may-fail", name+"=error")
	}
}

func joined(vs []history.Value) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, ", ")
}

// allowed is a call with an answer that the model allows, or nil; the state moves.
func (w *modelRun) allowed(m wgl.Model, s *wgl.State, sig *history.MethodSig) *history.Label {
	values := []history.Value{"1", "2", "3", "4", "5", "0", "6", "7"}
	for range 200 {
		l := &history.Label{Kind: history.Kind{Method: sig.Name}}
		for range sig.Args - w.IntN(sig.Optional+1) {
			l.Args = append(l.Args, values[w.IntN(2)])
		}
		o := sig.Outcomes[w.IntN(len(sig.Outcomes))]
		for range o.Rets {
			l.Rets = append(l.Rets, values[w.IntN(len(values))])
		}
		if sig.Name == "read" && strings.HasPrefix(fmt.Sprint(*s), "{") { // the whole state
			l.Rets = []history.Value{history.Value(fmt.Sprint(*s))}
			if strings.HasSuffix(w.name, "bank") && (!strings.Contains(string(l.Rets[0]), "1:") || !strings.Contains(string(l.Rets[0]), "2:")) {
				return nil // not of all accounts
			}
		}
		l.Outcome = o.Outcome
		if r, ok := m.(wgl.Refusing); ok && r.Refuses(l) != nil {
			continue
		}
		if next, ok := m.Step(*s, l); ok {
			*s = next
			return l
		}
	}
	return nil
}
