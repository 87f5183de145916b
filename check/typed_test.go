package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/anytype"
	"github.com/adtinfer/adtinfer/internal/caller"
	basics "github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/internal/typename"
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
		b := basics.Types{}.BasicOf(typ)
		c := cellOf(t, typename.Of(b))
		byRef := caller.Value(&reference.Method{Name: "set", Args: []string{typ.String()}, Params: []basics.Basic{b}})
		v, other := reflect.New(typ).Elem(), reflect.New(typ).Elem()
		anytype.Value(r, v)
		anytype.Value(r, other)
		forms := anytype.Printed(v)
		forms["log"] = basics.LogText(v)
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
			if again, err := byRef(false, 0, string(want)); err != nil || again != want {
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
