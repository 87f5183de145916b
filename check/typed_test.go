package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// cellOf is a checker for a cell with values of a type.
func cellOf(t testing.TB, typ string) *check.Checker {
	t.Helper()
	th, err := theory.Read(strings.NewReader(`
apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: cell}
spec:
  methods:
    - {name: set, args: 1, params: [`+typ+`], outcomes: [{outcome: none}]}
    - {name: get, results: [`+typ+`], outcomes: [{outcome: value, returns: 1}, {outcome: nil}]}
    - {name: note, args: 1, params: [float64], outcomes: [{outcome: none}]}
  automaton: |
    -> (empty)    set(x)        (holds x)
                  get     => -  (empty)
                  note(x)       (empty)
       (holds r)  set(x)        (holds x)
                  get     => r  (holds r)
                  note(x)       (holds r)
`), "cell")
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// setAndGot is a log in which one value is set, and another one is got while it is set
// again.
func setAndGot(set, got string) *history.Execution {
	op := func(id string, call, ret int, l history.Label) history.Operation {
		return history.Operation{ID: id, Label: l, Call: call, Return: ret}
	}
	one := history.Label{Kind: history.Kind{Method: "set", Outcome: history.None}, Args: []history.Value{history.Value(set)}}
	return &history.Execution{Events: 6, Ops: []history.Operation{
		op("1", 0, 1, one), op("2", 2, 4, one),
		op("3", 3, 5, history.Label{Kind: history.Kind{Method: "get", Outcome: history.Some}, Rets: []history.Value{history.Value(got)}}),
	}}
}

// typedLog is a log in a format.
func typedLog(t testing.TB, e *history.Execution, write func(io.Writer, *history.Execution) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func writeBinary(w io.Writer, e *history.Execution) error {
	var text bytes.Buffer
	if err := history.WriteText(&text, e); err != nil {
		return err
	}
	return history.NewReader(&text, "log").Convert(context.Background(), w, history.Binary)
}

// TestTypesDecide: each way to write a value is read by a theory as the reference reads it,
// or is refused by both, in logs of all formats; so that a log in which a value comes
// back in another way is right, and one in which another value comes back is wrong.
func TestTypesDecide(t *testing.T) {
	read, refused, decided := 0, 0, 0
	for seed := range uint64(testsize.Samples(3000)) {
		r := rand.New(rand.NewPCG(seed, 43))
		typ := anytype.Named(r, 2)
		b := values.Types{}.BasicOf(typ)
		c := cellOf(t, typename.Of(b))
		byRef := live.Value(&reference.Method{Name: "set", Args: []string{typ.String()}, Params: []values.Basic{b}})
		v, other := reflect.New(typ).Elem(), reflect.New(typ).Elem()
		anytype.Value(r, v)
		anytype.Value(r, other)
		forms := anytype.Printed(v)
		if forms["log"] = values.LogText(v); forms["log"] == "nil" && b.Kind == values.KindBytes {
			continue // which is refused, since it may be no bytes at all
		}
		for form, text := range forms {
			if text != "" {
				i := r.IntN(len(text))
				forms[form+" changed"] = text[:i] + string("0123456789.eE-+xnT {}[]:\",truems"[r.IntN(32)]) + text[i+1:]
			}
		}
		for _, text := range forms {
			want, bad := byRef(false, 0, text)
			for _, write := range []func(io.Writer, *history.Execution) error{history.WriteText, history.WriteJSON, writeBinary} {
				log := typedLog(t, setAndGot(text, text), write)
				e, err := c.ReadLog(strings.NewReader(log), "log")
				var place *history.ParseError
				switch {
				case (err == nil) != (bad == nil):
					t.Fatalf("seed %d: %s as %s: %v, by the reference %v", seed, text, typ, err, bad)
				case err == nil && (e.Ops[0].Args[0] != want || e.Ops[2].Rets[0] != want):
					t.Fatalf("seed %d: %s as %s: %v, by the reference %s", seed, text, typ, e.Ops, want)
				case err != nil && (!errors.As(err, &place) || place.Pos.Line == 0 || !strings.HasSuffix(err.Error(), " where set takes "+typename.Of(b))):
					t.Fatalf("seed %d: %s as %s: %v", seed, text, typ, err)
				}
			}
			if bad != nil {
				refused++
				continue
			}
			read++
			if again, err := byRef(false, 0, string(want)); err != nil && !strings.Contains(typename.Of(b), "ambiguous") || err == nil && again != want {
				t.Fatalf("seed %d: %s as %s is %s, and that %s, %v", seed, text, typ, want, again, err)
			}
			own, bad := byRef(false, 0, forms["log"])
			if bad != nil { // it prints as another value
				continue
			}
			verdict := check.Violation
			if own == want {
				verdict = check.Linearizable
			}
			log := typedLog(t, setAndGot(forms["log"], text), history.WriteText)
			if strings.Contains(string(own+want), "NaN") || strings.Contains(string(own+want), "-0") { // a theory does not know whether these are equal
				continue
			}
			if res, err := c.CheckLog(t.Context(), strings.NewReader(log), "log"); err != nil || res.Verdict != verdict {
				t.Fatalf("seed %d: %s and %s as %s: %v, %v, want %v", seed, forms["log"], text, typ, res.Verdict, err, verdict)
			}
			if rep := c.Follow(t.Context(), sourceOf(strings.NewReader(log)), new(check.Progress)); rep.Err != nil || rep.Result.Verdict != verdict {
				t.Fatalf("seed %d: %s and %s as %s, followed: %v, %v, want %v", seed, forms["log"], text, typ, rep.Result.Verdict, rep.Err, verdict)
			}
			decided++
		}
	}
	t.Logf("%d texts read, %d refused; %d logs decided", read, refused, decided)
	if read < refused/4 || refused < read/8 {
		t.Errorf("%d texts read, %d refused", read, refused)
	}
}

// TestTypedLogs: what a theory with types reads, and what it refuses.
func TestTypedLogs(t *testing.T) {
	const enum = "{enum: int, names: [closed, open, half-open], ambiguous: [unknown]}"
	for _, tt := range []struct {
		typ, set, got string
		want          string // a verdict, or else an error
	}{
		{"float64", "2.50", "2.5", "linearizable"}, {"float64", "25e-1", "2.5", "linearizable"}, {"float64", "2.5", "2.6", "violation"},
		{"float64", "2.5", "two", "log:6:12: the log has two where get answers with float64"}, {"int", "3.0", "3", "linearizable"}, {"int", "0x10", "16", "linearizable"},
		{"int", "3.5", "3", "log:1:14: the log has 3.5 where set takes int"}, {"int8", "300", "300", "log:1:14: the log has 300 where set takes int8"},
		{"bool", "True", "true", "linearizable"}, {"bool", "1", "true", "log:1:14: the log has 1 where set takes bool"}, {"string", "3.0", "3", "violation"},
		{"duration", "1m30s", "90s", "linearizable"}, {"duration", "5s", "5000000000", "linearizable"}, {"duration", "5x", "5s", "log:1:14: the log has 5x where set takes duration"},
		{"time", `"2024-05-06T12:00:00Z"`, `"2024-05-06 12:00:00 +0000 UTC"`, "linearizable"}, {enum, "open", "1", "linearizable"}, {enum, "half-open", "half-open", "linearizable"},
		{enum, "open", "closed", "violation"}, {enum, "unknown", "1", "log:1:14: the log has unknown where set takes " + enum}, {enum, "Open", "1", "log:1:14: the log has Open where set takes " + enum},
		{enum, "70", "70", "linearizable"}, {"[int]", "[1 2]", `"[1, 2]"`, "linearizable"}, {"[int]", "[1 2]", `"[]int{1, 3}"`, "violation"},
		{"{map: [string, int]}", `"map[a:1 b:2]"`, `"{\"b\": 2, \"a\": 1}"`, "linearizable"},
		{"{struct: [{name: Hits, type: int, json: hits}]}", `{7}`, `{"hits":7}`, "linearizable"}, {"{struct: [{name: Hits, type: int, json: hits}]}", `{Hits:7}`, `{8}`, "violation"},
		{"opaque", "3.0", "3.0", `log:1:14: 3.0 and 3 may be one value or two: write it in one way`}, {"opaque", `"3.0"`, `"3.0"`, "linearizable"},
		{"opaque", "{A:1}", "{A:1}", "log:1:14: {A:1} and its %v form"}, {"opaque", "{1}", "{1}", "linearizable"},
	} {
		log := fmt.Sprintf("[1] call set(%s)\n[1] return\n[2] call set(%s)\n[3] call get()\n[2] return\n[3] return %s\n", tt.set, tt.set, tt.got)
		c := cellOf(t, tt.typ)
		res, err := c.CheckLog(t.Context(), strings.NewReader(log), "log")
		if got := fmt.Sprint(res.Verdict); err == nil && got != tt.want || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: set(%s), get => %s: %s, %v, want %s", tt.typ, tt.set, tt.got, got, err, tt.want)
		}
	}
}

// TestTypesOfEngines: every engine decides a log in which values are written in several
// ways, by types, as it decides the log that writes each in one way; so do streams.
func TestTypesOfEngines(t *testing.T) {
	float := values.Basic{Kind: values.KindFloat, Bits: 64}
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			plain, typed := build(t, s.source), build(t, s.source)
			for j := range typed.Spec.Methods {
				m := &typed.Spec.Methods[j]
				most := 0
				for _, o := range m.Outcomes {
					most = max(most, o.Rets)
				}
				m.Params, m.Results = slices.Repeat([]values.Basic{float}, m.Args), slices.Repeat([]values.Basic{float}, most)
			}
			violations := 0
			for _, engine := range []string{"", "symbolic", "saturate", "monitor"} {
				one, err := check.New(plain, check.Options{Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				own, err := check.New(typed, check.Options{Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				for seed := range testsize.Samples(400) {
					r := rand.New(rand.NewPCG(seed, 44))
					e := everyExecution(s, r)
					log, other := typedLog(t, e, history.WriteText), typedLog(t, spelled(r, e), history.WriteText)
					want, bad := one.CheckLog(t.Context(), strings.NewReader(log), "log")
					got, err := own.CheckLog(t.Context(), strings.NewReader(other), "log")
					if got.Verdict != want.Verdict || got.Prefix != want.Prefix || (err == nil) != (bad == nil) {
						t.Fatalf("%s, seed %d: %v after %d, %v, not %v after %d, %v\n%s", engine, seed, got.Verdict, got.Prefix, err, want.Verdict, want.Prefix, bad, other)
					}
					followed, again := one.Follow(t.Context(), sourceOf(strings.NewReader(log)), new(check.Progress)), own.Follow(t.Context(), sourceOf(strings.NewReader(other)), new(check.Progress))
					if followed.Result.Verdict != again.Result.Verdict || followed.Result.Prefix != again.Result.Prefix {
						t.Fatalf("%s, seed %d, followed: %v after %d, not %v after %d\n%s", engine, seed, again.Result.Verdict, again.Result.Prefix, followed.Result.Verdict, followed.Result.Prefix, other)
					}
					if got.Verdict == check.Violation {
						violations++
					}
				}
			}
			if violations == 0 {
				t.Error("no violations")
			}
		})
	}
}

// spelled is an execution with numbers in any way to write them.
func spelled(r *rand.Rand, e *history.Execution) *history.Execution {
	own := *e
	own.Ops = slices.Clone(e.Ops)
	write := func(vs []history.Value) (out []history.Value) {
		for _, v := range vs {
			out = append(out, []history.Value{v, v + ".0", v + "e0", "+" + v, v + ".000"}[r.IntN(5)])
		}
		return out
	}
	for i := range own.Ops {
		o := &own.Ops[i]
		o.Args, o.Rets = write(o.Args), write(o.Rets)
	}
	return &own
}

// TestShown: people read values by their names, and machines as numbers.
func TestShown(t *testing.T) {
	c := cellOf(t, "{map: [{enum: int, names: [closed, open, half open]}, [duration]]}")
	log := "[1] call set(\"map[open:[5s 90s]]\")\n[1] return\n[2] call get()\n[2] return \"map[2:[1ns]]\"\n"
	e, err := c.ReadLog(strings.NewReader(log), "log")
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Explain(t.Context(), e, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		x    *check.Explanation
		want string
	}{{x, "[2] get => map[2:[1]] map[1:[5000000000 90000000000]]"}, {x.Shown(), `[2] get => map["half open":[1ns]] map[open:[5s 1m30s]]`}} {
		if got := fmt.Sprintf("[%s] %s %s", tt.x.Last.ID, tt.x.Last.Label, tt.x.Answers[0].Rets[0]); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
