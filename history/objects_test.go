package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// mixed draws a log of several objects: its lines by object, without the objects'
// names, and all of them with these, in one log.
func mixed(rng source) (names []string, logs map[string]string, all string) {
	logs = map[string]string{}
	open := map[string][]int{}
	var b strings.Builder
	for range rng.IntN(30) {
		name := []string{"q1", "q2", "r", `a "b"`}[rng.IntN(4)]
		if _, ok := logs[name]; !ok {
			names = append(names, name)
		}
		line := ""
		if runs := open[name]; len(runs) > 0 && rng.IntN(2) == 0 {
			i := rng.IntN(len(runs))
			line = fmt.Sprintf(`{"op":%d,"event":"return","process":%[1]d`, runs[i])
			open[name] = append(append([]int{}, runs[:i]...), runs[i+1:]...)
		} else {
			op := strings.Count(logs[name], "call") + 1
			line = fmt.Sprintf(`{"op":%d,"event":"call","process":%[1]d,"method":"add","args":[%d]`, op, rng.IntN(5))
			open[name] = append(open[name], op)
		}
		logs[name] += line + "}\n"
		fmt.Fprintf(&b, "%s,\"object\":%q}\n", line, name)
	}
	return names, logs, b.String()
}

var noPlaces = cmp.Options{ignoring("CallPos", "ReturnPos")}

// The executions of a log are those of the logs of its objects.
func TestExecutionsOfObjects(t *testing.T) {
	sig := testSignature(t)
	several := 0
	check(t, func(t *rapid.T, rng source) {
		names, logs, all := mixed(rng)
		got, err := NewReader(strings.NewReader(all), "x.jsonl").Executions(sig)
		if err != nil {
			t.Fatal(err)
		}
		var want []*Execution
		for _, name := range names {
			e, err := ReadLog(strings.NewReader(logs[name]), "y.jsonl", sig)
			if err != nil {
				t.Fatal(err)
			}
			e.Object = name
			want = append(want, e)
		}
		if len(names) == 0 {
			want = []*Execution{{}}
		}
		if d := cmp.Diff(want, got, noPlaces); d != "" {
			t.Fatalf("%s%s", all, d)
		}
		_, err = ReadLog(strings.NewReader(all), "x.jsonl", sig)
		if few := len(names) < 2; few != (err == nil) {
			t.Fatalf("%d objects as one execution: %v", len(names), err)
		} else if !few {
			several++
			if NewReader(strings.NewReader(all), "x.jsonl").Visit(sig, &collector{sig: sig}) {
				t.Fatal("visited")
			}
			if _, err := followed(NewReader(strings.NewReader(all), "x.jsonl"), sig); err == nil || !strings.Contains(err.Error(), "several objects") {
				t.Fatalf("followed: %v", err)
			}
		}
		sameObjects(t, all, sig, got)
	})
	if !t.Failed() && several < 10 {
		t.Errorf("only %d logs of several objects", several)
	}
}

// sameObjects converts a log that reads as es.
func sameObjects(t rapid.TB, src string, sig Signature, es []*Execution) {
	t.Helper()
	for name, format := range formats {
		var out bytes.Buffer
		err := NewReader(strings.NewReader(src), "x.jsonl").Convert(context.Background(), &out, format)
		if len(es) > 1 && format != JSON {
			if err == nil || !strings.Contains(err.Error(), "several objects") {
				t.Fatalf("%s takes several objects: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := NewReader(&out, "y").Executions(sig)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(es, again, ignoring("CallPos", "ReturnPos")); d != "" {
			t.Fatalf("%s as %s: %s", src, name, d)
		}
	}
}

// An object that the head names is that of the events that name none.
func TestHeadNamesObject(t *testing.T) {
	const src = `{"format":2,"object":"q"}
{"op":1,"event":"call","method":"add","args":[1],"object":"r"}
{"op":1,"event":"call","method":"add","args":[2]}
{"op":1,"event":"return","object":"q"}
`
	es, err := NewReader(strings.NewReader(src), "x.jsonl").Executions(testSignature(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range es {
		got = append(got, fmt.Sprint(e.Object, ": ", e))
	}
	if d := cmp.Diff([]string{"r: add(1)*", "q: add(2)"}, got); d != "" {
		t.Error(d)
	}
	var out bytes.Buffer
	if err := NewReader(strings.NewReader(src), "x.jsonl").Convert(t.Context(), &out, JSON); err != nil {
		t.Fatal(err)
	}
	sameObjects(t, out.String(), testSignature(t), es)
}

// Events from elsewhere have objects, too.
func TestImportedObjects(t *testing.T) {
	events := []Event{
		{Op: "1", Call: true, Method: "add", Values: []Value{"1"}, Object: "a"},
		{Op: "1", Call: true, Method: "add", Values: []Value{"2"}, Object: "b"},
		{Op: "1", Outcome: None, Object: "b"},
	}
	read := func() *Reader {
		rest := events
		return NewImported(func() (*Event, error) {
			if len(rest) == 0 {
				return nil, io.EOF
			}
			e := rest[0]
			rest = rest[1:]
			return &e, nil
		})
	}
	es, err := read().Executions(testSignature(t))
	if err != nil || len(es) != 2 || es[0].Object+es[1].Object != "ab" || es[1].String() != "add(2)" {
		t.Errorf("%v, %v", es, err)
	}
	if _, err := read().Execution(testSignature(t)); err == nil {
		t.Error("one execution of two objects")
	}
	events[1].Object = ""
	var wrong *ParseError
	if _, err := read().Executions(testSignature(t)); !errors.As(err, &wrong) {
		t.Errorf("an event without an object: %v", err)
	}
}

// What is in fields that we do not know is skipped, and structured values have one text.
func TestForeignFields(t *testing.T) {
	const src = `{"time":"us","tool":{"name":"x","v":[1,2]}}
{"node":{"op":[3,{"event":"]}"}]},"op":1,"event":"call","ok":true,"method":"add","args":[ { "b":1.50, "a":[ true,null,"<ü>" ] } ],"":-1e5}
{"op":1,"event":"return","line":"\"","error":null}
{"op":2,"event":"call","method":"remove"}
{"op":2,"event":"return","rets":[[1, {}]]}
`
	e, err := ReadLog(strings.NewReader(src), "x.jsonl", testSignature(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`add({"a":[true,null,"<ü>"],"b":1.50}); remove => [1,{}]`, e.String()); d != "" {
		t.Error(d)
	}
	roundTrip(t, e, testSignature(t))
	sameCopies(t, src, testSignature(t), e)
}
