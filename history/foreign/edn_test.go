package foreign

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

var ofProcess = regexp.MustCompile(`^\[([^@\]]+)@[^\]]*\]`)

// text is a history as a text log, without processes, or the error.
func text(src string, o Options, methods history.Signature) string {
	var b strings.Builder
	if err := New(strings.NewReader(src), "f", o, methods).Convert(context.Background(), &b, history.Text); err != nil {
		return err.Error()
	}
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if l != "" && l[0] != '#' {
			lines = append(lines, ofProcess.ReplaceAllString(l, "[$1]"))
		}
	}
	return strings.Join(lines, "; ")
}

func TestMalformedEDN(t *testing.T) {
	const head = "{:process 0, :type :invoke, :f :read}\n"
	for _, tt := range []struct{ src, at string }{
		{"{:process 0", "2:1: this { is never closed"},
		{"{:process 0}", "2:1: this operation has no :type"},
		{"{:process 0, :type :invoke, :f :read]", "2:37: ] cannot close the { of 2:1"},
		{"}", "2:1: expected an operation"},
		{"7", "2:1: expected an operation"},
		{"\"a", "2:1: expected an operation"},
		{"{:process 0 :type}", "2:13: :type has no value"},
		{"{:type :begin, :process 0, :f :read}", "2:8: :type is"},
		{"{:type :ok, :process 0}", "2:1: this operation has no name"},
		{"{:type :ok, :f :read}", "2:1: this operation has no :process"},
		{"{:type :ok, :type :ok}", "2:13: a second :type"},
		{"{:type :ok, :f 7, :process 0}", "2:16: :f names the operation"},
		{"{:type :ok, :f :read, :process 0, :time 1.5}", "2:41: :time is a whole number"},
		{"{:value [1 2}", "2:13: } cannot close the [ of 2:9"},
		{"{:value (1 2", "2:9: this ( is never closed"},
		{"{:value {1}}", "2:9: a map has an even number"},
		{"{:value \"a", "2:9: this string is never closed"},
		{`{:value "a\qb"}`, `2:11: a string has the escapes`},
		{`{:value \ }`, `2:9: \ has no character`},
		{`{:value \nope}`, `2:9: \nope is no character`},
		{"{:value 12x}", "2:9: 12x is no number"},
		{"{:value 08}", "2:9: 08 is no number"},
		{"{:value 0x}", "2:9: 0x is no number"},
		{"{:value 0x1g}", "2:9: 0x1g is no number"},
		{"{:value 37r1}", "2:9: 37r1 is no number"},
		{"{:value 2r2}", "2:9: 2r2 is no number"},
		{"{:value 1/}", "2:9: 1/ is no number"},
		{"{:value 1e}", "2:9: 1e is no number"},
		{"{:value :}", "2:9: a keyword has a name"},
		{"{:value @x}", "2:9: unexpected character '@'"},
		{"{:value a~b}", "2:10: unexpected character '~'"},
		{"{:value ^m}", "2:9: unexpected character '^'"},
		{"{:value #}", "2:9: # begins a set"},
		{"{:value #inst}", "2:9: the tag #inst has no value"},
		{"{:value ##Nan}", "2:9: ##Nan is no value"},
		{"{:value 1 #_}", "2:11: #_ has nothing after it"},
		{"{:value #{1 2}", "2:1: this { is never closed"},
		{"{:x " + strings.Repeat("[", 300) + "}", "2:205: nested deeper than 200"},
		{"{:value é\xff}", "2:10: this is no UTF-8"},
		{"{:process 0, :type :invoke, :f :read}", "2:1: process 0 invokes read before read completed, which it invoked at 1:1"},
		{"{:process 1, :type :ok, :f :read}", "2:1: process 1 completes read without having invoked it"},
		{"{:process 0, :type :ok, :f :write}", "2:1: process 0 completes write, and what it invoked at 1:1 is read"},
		{"{:process 0, :type :info, :f :read}{:process 0, :type :invoke, :f :read}", "2:36: process 0 invokes read after its :info at 2:1"},
	} {
		got := text(head+tt.src, Options{Format: Jepsen}, history.Signature{})
		if !strings.HasPrefix(got, "f:"+tt.at) {
			t.Errorf("%s\n got %s\nwant f:%s", tt.src, got, tt.at)
		}
	}
}

func methods(t testing.TB) history.Signature {
	value, none := history.OutcomeSig{Outcome: history.Some, Rets: 1}, history.OutcomeSig{Outcome: history.None}
	null, yes, no := history.OutcomeSig{Outcome: history.Nil}, history.OutcomeSig{Outcome: history.True}, history.OutcomeSig{Outcome: history.False}
	s, err := history.NewSignature(
		history.MethodSig{Name: "read", Outcomes: []history.OutcomeSig{value}},
		history.MethodSig{Name: "write", Args: 1, Outcomes: []history.OutcomeSig{none}},
		history.MethodSig{Name: "cas", Args: 2, Outcomes: []history.OutcomeSig{yes, no}},
		history.MethodSig{Name: "get", Outcomes: []history.OutcomeSig{value, null}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// history of one operation of process 0, and its events as text: with a signature, and without one if that differs.
func TestMeanings(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		o                   Options
		want, guessed       string
	}{
		{name: "write", first: "invoke :f :write :value 3", second: "ok :f :write :value 3", want: "[1] call write(3); [1] return"},
		{name: "argument only in the completion", first: "invoke :f :write :value nil", second: "ok :f :write :value 4", want: "f:1:68: write takes 1 argument, and nil is none", guessed: "[1] call write; [1] return 4"},
		{name: "read", first: "invoke :f :read :value nil", second: "ok :f :read :value 3", want: "[1] call read; [1] return 3"},
		{name: "completed history", first: "invoke :f :read :value 3", second: "ok :f :read :value 3", want: "[1] call read; [1] return 3"},
		{name: "pending read", first: "invoke :f :read :value nil", want: ""},
		{name: "read timed out", first: "invoke :f :read :value nil", second: "info :f :read :value :timed-out", want: ""},
		{name: "read failed", first: "invoke :f :read", second: "fail :f :read", o: Options{FailedIsFalse: true}, want: ""},
		{name: "nil is unknown", first: "invoke :f :read", second: "ok :f :read :value nil", want: ""},
		{name: "nil is a value", first: "invoke :f :read", second: "ok :f :read :value nil", o: Options{NilIsUnset: true}, want: `[1] call read; [1] return "nil"`, guessed: "[1] call read; [1] return nil"},
		{name: "pending write", first: "invoke :f :write :value 3", second: "info :f :write :value 3", want: "[1] call write(3)"},
		{name: "pending dequeue", first: "invoke :f :get", want: "[1] call get"},
		{name: "cas", first: "invoke :f :cas :value [1 2]", second: "ok :f :cas :value [1 2]", want: "[1] call cas(1, 2); [1] return true"},
		{name: "cas did not happen", first: "invoke :f :cas :value [1 2]", second: "fail :f :cas :value [1 2]", want: ""},
		{name: "cas answered false", first: "invoke :f :cas :value [1 2]", second: "fail :f :cas :value [1 2]", o: Options{FailedIsFalse: true}, want: "[1] call cas(1, 2); [1] return false"},
		{name: "object", first: "invoke :f :cas :value [k [1 2]]", second: "ok :f :cas :value [k [1 2]]", o: Options{ByKey: true}, want: "[1] call cas(1, 2); [1] return true"},
		{name: "canonical", first: "invoke :f :write :value (+1,  #{3 2} ; so\n :b)", want: "[1] call write([1 #{2 3} :b])"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := "{:process :nemesis :type :info :f :start} #jepsen.history.Op{:process 0 :type :" + tt.first + "}"
			if tt.second != "" {
				src += " {:process 0 :type :" + tt.second + "}"
			}
			tt.o.Format = Jepsen
			for _, src := range []string{src, "[" + src + "]", "(" + src + ")"} {
				if got := text(src, tt.o, methods(t)); !matches(got, tt.want) {
					t.Errorf("with a signature: %s, want %s", got, tt.want)
				}
			}
			if tt.guessed != "" {
				if got := text(src, tt.o, history.Signature{}); got != tt.guessed {
					t.Errorf("without one: %s, want %s", got, tt.guessed)
				}
			}
		})
	}
}

// matches compares a log, or an error but for its column.
func matches(got, want string) bool {
	if _, message, isError := strings.Cut(want, ": "); isError && strings.HasPrefix(want, "f:") {
		return strings.HasPrefix(got, "f:") && strings.Contains(got, message)
	}
	return strings.ReplaceAll(got, `"[1 #{2 3} :b]"`, "[1 #{2 3} :b]") == want
}

func TestUnsortedTimes(t *testing.T) {
	const late, early = "{:process 0 :type :ok :f :write :value 3 :time 7}", "{:process 0 :type :invoke :f :write :value 3 :time %s}"
	o := Options{Format: Jepsen}
	if got, want := text(late+fmt.Sprintf(early, "5"), o, methods(t)), "[1] call write(3); [1] return"; got != want {
		t.Errorf("sorted: %s, want %s", got, want)
	}
	if got, want := text(late+fmt.Sprintf(early, "9"), o, methods(t)), "f:1:1: process 0 completes write at time 7 and invokes it only at 9, at 1:50"; got != want {
		t.Errorf("completed too early: %s, want %s", got, want)
	}
	untimed := "{:process 1 :type :invoke :f :read}"
	if got, want := text(untimed+late+fmt.Sprintf(early, "5"), o, methods(t)), "f:1:85: this time is before the one at 1:36"; !strings.HasPrefix(got, want) {
		t.Errorf("not sortable: %s, want %s", got, want)
	}
}

func FuzzEDN(f *testing.F) {
	f.Add(`[{:process 0, :type :invoke, :f :cas, :value [1 #{2 "a\n"}]} ; c` + "\n#_x {:process 0 :type :ok :f :cas}]")
	f.Add(`#a.B{:process 0 :type :info :f :x :value {1 \a 2 ##Inf} :time 3}`)
	f.Fuzz(func(t *testing.T, src string) {
		var first []string
		if parseEDN(src, "f", func(r *record) error { first = append(first, r.value.text); return nil }) != nil {
			return
		}
		for _, v := range first {
			if v == "" || v[0] != '[' && v[0] != '{' && v[0] != '#' {
				continue
			}
			l := lexer{src: v + " "}
			if l.skip(1) != nil || l.at != len(v) {
				continue // a string that looks like a collection
			}
			l.at = 0
			if again := string(l.canonical(nil)); again != v && isCanonical(v) {
				t.Errorf("%q is called canonical, and is %q", v, again)
			}
		}
	})
}

// The same history in EDN and in JSON Lines.
func BenchmarkRead(b *testing.B) {
	var edn, lines strings.Builder
	for i := range 200_000 {
		p := i % 10
		fmt.Fprintf(&edn, "{:type :invoke, :f :write, :value %d, :process %d, :time %d, :index %d}\n", i, p, 1000*i, 2*i)
		fmt.Fprintf(&edn, "{:type :ok, :f :write, :value %d, :process %d, :time %d, :index %d}\n", i, p, 1000*i+500, 2*i+1)
		fmt.Fprintf(&lines, `{"op":%d,"event":"call","method":"write","args":[%d],"process":"%d","time":%d}`+"\n", i, i, p, 1000*i)
		fmt.Fprintf(&lines, `{"op":%d,"event":"return","process":"%d","time":%d}`+"\n", i, p, 1000*i+500)
	}
	read := func(src string, o Options) func(*testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if err := New(strings.NewReader(src), "f", o, history.Signature{}).Convert(context.Background(), io.Discard, history.Binary); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("edn", read(edn.String(), Options{Format: Jepsen}))
	b.Run("parser", func(b *testing.B) {
		b.SetBytes(int64(edn.Len()))
		b.ReportAllocs()
		for b.Loop() {
			a := newAssembler("f", Options{}, history.Signature{})
			if err := parseEDN(edn.String(), "f", a.add); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("jsonl", read(lines.String(), Options{}))
}

func TestCanonicalText(t *testing.T) {
	for in, want := range map[string]string{
		"[1  2]": "[1 2]", "(1 2)": "[1 2]", "{:b 1, :a [ 2 ]}": "{:a [2] :b 1}", "#{ b a}": "#{a b}", "[+1 -0 2N]": "[1 0 2]", `["a  b" \x]`: `["a  b" \x]`, "[007]": "[7]", "[010 0x1F -0xff 36rZ 10 0]": "[8 31 -255 35 10 0]", "[0x1f]": "[31]", "[8r17]": "[15]", "[a0x1 :x]": "[a0x1 :x]", "[100 00]": "[100 0]",
	} {
		e := &edn{lexer: lexer{src: in}}
		v, err := e.value(&e.outer, 1)
		if diff := cmp.Diff(want, v.text); err != nil || diff != "" {
			t.Error(in, err, diff)
		}
	}
}
