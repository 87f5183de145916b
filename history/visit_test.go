package history

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// collector makes an execution of a visit, without identifiers and places.
type collector struct {
	sig Signature
	e   Execution
}

func valuesOf(texts []string) (vs []Value) {
	for _, s := range texts {
		vs = append(vs, Value(s))
	}
	return vs
}

func (c *collector) Call(method int, args []string) bool {
	l := Label{Kind: Kind{Method: c.sig.Methods()[method].Name}, Args: valuesOf(args)}
	c.e.Ops = append(c.e.Ops, Operation{Label: l, Call: c.e.Events, Return: NoReturn})
	c.e.Events++
	return true
}

func (c *collector) Return(op int, outcome Outcome, rets []string) bool {
	o := &c.e.Ops[op]
	o.Outcome, o.Rets, o.Return = outcome, valuesOf(rets), c.e.Events
	c.e.Events++
	return true
}

// bare is an execution without identifiers, processes and places.
func bare(e *Execution) Execution {
	b := Execution{Events: e.Events, Ops: slices.Clone(e.Ops)}
	for i := range b.Ops {
		o := &b.Ops[i]
		o.ID, o.Process, o.CallPos, o.ReturnPos = "", "", Pos{}, Pos{}
	}
	return b
}

// What is visited to the end is what is read.
func TestVisit(t *testing.T) {
	sig := testSignature(t)
	visited := 0
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		c := collector{sig: sig}
		if !Visit(src, sig, &c) {
			return
		}
		visited++
		want, err := ReadExecution(strings.NewReader(src), "x.log", sig)
		if err != nil {
			t.Fatalf("%q: visited, although %v", src, err)
		}
		if len(want.Ops) > 0 && !reflect.DeepEqual(bare(want), c.e) {
			t.Fatalf("%q: visited\n%v\nread\n%v", src, c.e.String(), want)
		}
	})
	if !t.Failed() && visited < 10 {
		t.Errorf("only %d logs were visited", visited)
	}
}

// Event by event, more logs are visited, to the same end.
func TestVisitEvents(t *testing.T) {
	sig := testSignature(t)
	check(t, func(t *rapid.T, rng source) {
		src := randomLog(rng)
		var lines, events collector
		lines.sig, events.sig = sig, sig
		if !VisitEvents(NewReader(strings.NewReader(src), "x.log"), sig, &events) {
			if Visit(src, sig, &lines) {
				t.Fatalf("%q is visited by lines only", src)
			}
			return
		}
		want, err := ReadExecution(strings.NewReader(src), "x.log", sig)
		if err != nil {
			t.Fatalf("%q: visited, although %v", src, err)
		}
		if len(want.Ops) > 0 && !reflect.DeepEqual(bare(want), events.e) {
			t.Fatalf("%q: visited\n%v\nread\n%v", src, events.e.String(), want)
		}
	})
}

func TestVisitEventsOfProcesses(t *testing.T) {
	sig := testSignature(t)
	for returns, want := range map[string]bool{"": true, `,"process":1`: true, `,"process":2`: false, `,"method":"push"`: true, `,"method":"pop"`: false, `,"method":"ad"`: false} {
		src := `{"op":1,"event":"call","method":"add","args":[1],"process":1}` + "\n" + `{"op":1,"event":"return"` + returns + "}\n"
		if got := VisitEvents(NewReader(strings.NewReader(src), "x.log"), sig, &collector{sig: sig}); got != want {
			t.Errorf("%s: visited to the end: %v, want %v", src, got, want)
		}
		if got := Visit(src, sig, &collector{sig: sig}); got != want {
			t.Errorf("%s: visited by lines to the end: %v, want %v", src, got, want)
		}
	}
}

func TestVisitPlain(t *testing.T) {
	sig := testSignature(t)
	const plain = "# @object queue\n\n# comment\n[1] call push(1)\n[a] call pop()\n[1] return\r\n[a] return 1\n"
	c := collector{sig: sig}
	if !Visit(plain, sig, &c) || c.e.String() != "add(1); remove => 1" {
		t.Errorf("visited %s", c.e.String())
	}
	for name, src := range map[string]string{
		"second object": plain + "# @object stack\n", "second return": plain + "[1] return\n", "second call": plain + "[1] call pop\n", "bad comment": "# \xff\n",
		"long line": "[1] call add(" + strings.Repeat("x", maxPlainLine) + ")", "long comment": "#" + strings.Repeat("x", maxPlainLine), "JSON": "{}", "wrong result": "[1] call add(1)\n[1] return 1\n",
	} {
		if Visit(src, sig, &collector{sig: sig}) {
			t.Errorf("%s: visited to the end", name)
		}
	}
}

func TestReadText(t *testing.T) {
	for _, log := range []string{"[1] call a", "{}"} {
		if src, _, ok := ReadText(strings.NewReader(log)); !ok || src != log {
			t.Errorf("%q, %v", src, ok)
		}
	}
	for name, r := range map[string]io.Reader{"neither": strings.NewReader("\n{}"), "broken": io.MultiReader(strings.NewReader("\n{}"), iotest.ErrReader(io.ErrNoProgress))} {
		src, rest, ok := ReadText(r)
		all, err := io.ReadAll(rest)
		if ok || src != "" || string(all) != "\n{}" || (err == io.ErrNoProgress) != (name == "broken") {
			t.Errorf("%s: %q, %v, rest %q, %v", name, src, ok, all, err)
		}
	}
}
