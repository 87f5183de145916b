package tape

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

// made is a tape of one process.
func made(es ...Entry) *Tape {
	t := &Tape{Names: &Names{}, Procs: []string{"p"}, Entries: es}
	for _, name := range []string{string(history.None), "add", "remove"} {
		t.Names.ID(name)
	}
	for i := range t.Entries {
		t.Entries[i].Seq = uint64(i + 1)
	}
	return t
}

var (
	call   = Entry{Kind: binlog.CallEntry | CountOne, ID: 1, Types: binlog.IntValue, Vals: [2]uint64{7}}
	begin  = Entry{Kind: binlog.BeginEntry}
	commit = Entry{Kind: binlog.CommitEntry}
	write  = Entry{Kind: binlog.WriteEntry, ID: 2}
	ret    = Entry{Kind: binlog.ReturnEntry, ID: 0}
)

func TestExecution(t *testing.T) {
	e, err := made(write, call, begin, write, commit, ret, call).Execution()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := history.WriteText(&b, e); err != nil {
		t.Fatal(err)
	}
	if want := "[1@p] call add(7)\n[1@p] return\n[2@p] call add(7)\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMisuse(t *testing.T) {
	for want, tape := range map[string]*Tape{
		"record: process p, operation [1] add(7)*, entry 2: calls add before it returned":       made(call, call),
		"record: process p, entry 3: returns without a call":                                    made(call, ret, ret),
		"record: process p, entry 1: commits outside an operation":                              made(commit),
		"record: process p, entry 1: begins a commit outside an operation":                      made(begin),
		"record: process p, operation [1] add(7)*, entry 3: commits twice":                      made(call, commit, begin),
		"record: process p, operation [1] add(7)*, entry 2: the log has an entry of an unknown": made(call, Entry{Kind: 15}),
		"record: process #3, entry 1: returns without a call":                                   made(Entry{Kind: binlog.ReturnEntry, Proc: 3}),
	} {
		_, err := tape.Execution()
		var m *Misuse
		if !errors.As(err, &m) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestNames(t *testing.T) {
	var n Names
	if n.ID("a") != 0 || n.ID("b") != 1 || n.ID("a") != 0 || n.Name(1) != "b" || n.Name(2) != "#2" || n.Full() != nil {
		t.Error("names are not numbered from 0")
	}
	if id, ok := n.Find("b"); !ok || id != 1 {
		t.Error("b is not found")
	}
	if _, ok := n.Find("c"); ok {
		t.Error("c is found")
	}
	x := n.TextID("x y")
	if n.TextID("x y") != x || n.TextID("z") == x {
		t.Error("texts are not numbered")
	}
	names, texts := n.Since(1, 0)
	if len(names) != 1 || names[0] != "b" || len(texts) != 2 {
		t.Errorf("new: %q, %q", names, texts)
	}
	for v, want := range map[Value]history.Value{
		{^uint64(0), binlog.IntValue}: "-1", {^uint64(0), binlog.UintValue}: "18446744073709551615",
		{1, binlog.BoolValue}: "true", {x, binlog.TextValue}: "x y", {9, binlog.TextValue}: "#9", {}: "",
	} {
		if got := n.Text(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	for i := range 1 << 16 {
		n.ID(string(rune('a')) + strings.Repeat("x", i%7) + string(rune(i)))
	}
	for i := 0; n.Full() == nil && i < 1<<17; i++ {
		n.ID("more" + strings.Repeat("y", i%100) + string(rune(i)))
	}
	if err := n.Full(); err == nil || !strings.Contains(err.Error(), "is one name too many") {
		t.Errorf("error %v", err)
	}
}
