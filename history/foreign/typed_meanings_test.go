package foreign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// typedMethods have types of all kinds.
func typedMethods(t *testing.T) history.Signature {
	t.Helper()
	number, text, yes := values.Basic{Kind: values.KindInt, Bits: 64}, values.Basic{Kind: values.KindString}, values.Basic{Kind: values.KindBool}
	fault := values.Basic{Kind: values.KindInterface, Elem: &text}
	pair := values.Basic{Kind: values.KindStruct, Fields: []values.Field{{Name: "hits", GoName: "Hits", Basic: number}, {Name: "LastKey", GoName: "LastKey", Omits: true, Basic: text}}}
	types := func(b ...values.Basic) []values.Basic { return b }
	none, some, null := history.OutcomeSig{Outcome: history.None}, history.OutcomeSig{Outcome: history.Some, Rets: 1}, history.OutcomeSig{Outcome: history.Nil}
	twice, closed := history.OutcomeSig{Outcome: "ErrTwice", Error: "already voted"}, history.OutcomeSig{Outcome: "ErrClosed", Error: "votes: closed"}
	outcomes := func(o ...history.OutcomeSig) []history.OutcomeSig { return o }
	sig, err := history.NewSignature(
		history.MethodSig{Name: "vote", Args: 1, Params: types(text), Results: types(fault), Outcomes: outcomes(none, twice, closed)},
		history.MethodSig{Name: "state", Results: types(state), Outcomes: outcomes(some)},
		history.MethodSig{Name: "add", Args: 1, Params: types(number), Results: types(number), Outcomes: outcomes(some)},
		history.MethodSig{Name: "has", Args: 1, Params: types(number), Results: types(yes), Outcomes: outcomes(history.OutcomeSig{Outcome: history.True}, history.OutcomeSig{Outcome: history.False})},
		history.MethodSig{Name: "flip", Results: types(yes, fault), Outcomes: outcomes(some, closed)},
		history.MethodSig{Name: "members", Results: types(values.Basic{Kind: values.KindList, Elem: &number}), Outcomes: outcomes(some)},
		history.MethodSig{Name: "balances", Results: types(values.Basic{Kind: values.KindMap, Key: &number, Elem: &number}), Outcomes: outcomes(some)},
		history.MethodSig{Name: "version", Results: types(text, number), Outcomes: outcomes(history.OutcomeSig{Outcome: history.Some, Rets: 2})},
		history.MethodSig{Name: "poll", Results: types(number, yes), Outcomes: outcomes(some, null)},
		history.MethodSig{Name: "peek", Results: types(number, yes), Outcomes: outcomes(some, history.OutcomeSig{Outcome: history.Nil, Rets: 1})},
		history.MethodSig{Name: "find", Args: 1, Params: types(text), Results: types(values.Basic{Kind: values.KindPointer, Elem: &pair}), Outcomes: outcomes(some)},
		history.MethodSig{Name: "stat", Results: types(pair), Outcomes: outcomes(some)},
		history.MethodSig{Name: "take", Args: 1, Params: types(pair), Results: types(number, fault), Outcomes: outcomes(some, closed, history.OutcomeSig{Outcome: "ErrPart", Error: "partial", Rets: 1}, history.OutcomeSig{Outcome: history.Error})},
		history.MethodSig{Name: "sums", Structs: types(pair), Results: pair.Leaves(), Outcomes: outcomes(history.OutcomeSig{Outcome: history.Some, Rets: 2}, closed)},
		history.MethodSig{Name: "next", Results: types(text, yes, fault), Outcomes: outcomes(some, null, closed)},
		history.MethodSig{Name: "open", Results: types(yes, fault), Outcomes: outcomes(history.OutcomeSig{Outcome: history.True}, history.OutcomeSig{Outcome: history.False}, closed)},
		history.MethodSig{Name: "link", Args: 2, Variadic: true, Params: types(text, values.Basic{Kind: values.KindList, Elem: &text, Variadic: true}), Outcomes: outcomes(none)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

// TestTypedMeanings: where types are known, completions are read by them; * stands for an answer that nobody knows.
func TestTypedMeanings(t *testing.T) {
	sig := typedMethods(t)
	for _, tt := range []struct{ method, given, kind, said, want string }{
		{"vote", `"a"`, "ok", `:value "a"`, `vote(a)`},
		{"vote", `"a"`, "ok", ``, `vote(a)`},
		{"vote", `"a"`, "ok", `:error "already voted"`, `vote(a) => ErrTwice`},
		{"vote", `"a"`, "ok", `:value :ErrTwice`, `vote(a) => ErrTwice`},
		{"vote", `"a"`, "ok", `:value "error: votes: closed"`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "ok", `:error :no-idea`, `vote(a)*`},
		{"vote", `"a"`, "fail", `:value "a" :error :already-voted`, `vote(a) => ErrTwice`},
		{"vote", `"a"`, "fail", `:error [:closed "by n1"]`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "fail", `:error [:err-closed "by n1"]`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "fail", `:error "n1: votes: closed"`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "fail", `:error :timeout`, ``},
		{"vote", `"already voted"`, "fail", `:value "already voted" :error :timeout`, ``},
		{"vote", `"a"`, "info", `:error "n1: votes: closed"`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error "votes: closed"`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "info", `:error :timeout`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error :ErrClosed`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "info", `:error "error: votes: closed"`, `vote(a) => ErrClosed`},
		{"vote", `"a"`, "info", `:error :closed`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error "closed"`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error [:timeout "votes: closed"]`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error [:timeout :closed]`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error [:already-voted :timeout]`, `vote(a)*`},
		{"vote", `"a"`, "info", `:error {:type :timeout :msg "votes: closed"}`, `vote(a)*`},
		{"vote", `"a"`, "info", `:value [:timeout "votes: closed"]`, `vote(a)*`},
		{"state", `nil`, "ok", `:value :half-open`, `state => 1`},
		{"state", `nil`, "ok", `:value "closed"`, `state => 0`},
		{"state", `nil`, "ok", `:value 1.0`, `state => 1`},
		{"state", `nil`, "ok", `:value nil`, `state*`},
		{"state", `nil`, "ok", `:value :open`, `refused: state answers {enum: int, names: [closed, half-open]}, and completes with open`},
		{"add", `3`, "ok", `:value 7`, `add(3) => 7`},
		{"add", `3`, "ok", `:value 3`, `add(3)*`},
		{"add", `3.0`, "ok", `:value nil`, `add(3)*`},
		{"add", `3`, "ok", `:value :x`, `refused: add answers int, and completes with x`},
		{"add", `3.5`, "ok", `:value 7`, `refused: add takes int, and not 3.5`},
		{"has", `3`, "ok", `:value true`, `has(3) => true`},
		{"has", `3`, "ok", `:value "True"`, `has(3) => true`},
		{"has", `3`, "ok", `:value 3`, `has(3)*`},
		{"has", `3`, "ok", `:value 1`, `refused: has answers true or false, and completes with 1`},
		{"flip", `nil`, "ok", `:value true`, `flip => true`},
		{"flip", `nil`, "ok", `:value [false nil]`, `flip => false`},
		{"flip", `nil`, "ok", `:value [false :err-closed]`, `flip => ErrClosed`},
		{"flip", `nil`, "ok", `:value [true "votes: closed"]`, `flip => ErrClosed true`},
		{"members", `nil`, "ok", `:value #{10 9 1}`, `members => [1 9 10]`},
		{"members", `nil`, "ok", `:value (3 1.0)`, `members => [3 1]`},
		{"members", `nil`, "ok", `:value nil`, `members => []`},
		{"members", `nil`, "ok", `:value [:a]`, `refused: members answers [int], and completes with [:a]`},
		{"balances", `nil`, "ok", `:value {1 20, 0 10}`, `balances => map[0:10 1:20]`},
		{"balances", `nil`, "ok", `:value {"1" 20 "0" 10}`, `balances => map[0:10 1:20]`},
		{"balances", `nil`, "ok", `:value [1 20]`, `refused: balances answers {map: [int, int]}, and completes with [1 20]`},
		{"version", `nil`, "ok", `:value [:a 3]`, `version => a, 3`},
		{"version", `nil`, "ok", `:value [:a :b]`, `refused: version answers string, int, and completes with [:a :b]`},
		{"poll", `nil`, "ok", `:value 7`, `poll => 7`},
		{"poll", `nil`, "ok", `:value [7 true]`, `poll => 7`},
		{"poll", `nil`, "ok", `:value [0 false]`, `poll => nil`},
		{"poll", `nil`, "ok", `:value nil`, `poll => nil`},
		{"poll", `nil`, "ok", `:value [7 false]`, `poll => nil 7`},
		{"peek", `nil`, "ok", `:value [7 false]`, `peek => nil 7`},
		{"peek", `nil`, "ok", `:value nil`, `peek*`},
		{"find", `"a"`, "ok", `:value nil`, `find(a) => nil`},
		{"find", `"a"`, "ok", `:value "a"`, `find(a)*`},
		{"find", `"a"`, "ok", `:value {:hits 3}`, `find(a) => &{3 ""}`},
		{"stat", `nil`, "ok", `:value #bench.Stat{:last-key "k", :hits 3}`, `stat => {3 k}`},
		{"stat", `nil`, "ok", `:value {:last-key "k"}`, `refused: stat answers {struct: `},
		{"stat", `nil`, "ok", `:value {:hits 3 :more 4}`, `refused: stat answers {struct: `},
		{"take", `{:hits 1}`, "ok", `:value 7`, `take({1 ""}) => 7`},
		{"take", `{:hits 1}`, "ok", `:value 3, :error "partial"`, `take({1 ""}) => ErrPart 3`},
		{"take", `{:hits 1}`, "ok", `:error "partial"`, `take({1 ""})*`},
		{"take", `{:hits 1}`, "ok", `:error "no such thing"`, `take({1 ""}) => error`},
		{"take", `{:hits 1}`, "ok", `:value 0, :error "no such thing"`, `take({1 ""}) => error`},
		{"take", `{:hits 1}`, "ok", `:value 4, :error "no such thing"`, `take({1 ""}) => error 4`},
		{"take", `{:hits 1}`, "fail", `:error "no such thing"`, ``},
		{"sums", `nil`, "ok", `:value {:hits 3 :last-key "k"}`, `sums => 3, k`},
		{"sums", `nil`, "ok", `:value [3 "k"]`, `sums => 3, k`},
		{"sums", `nil`, "ok", `:value [{:hits 3} nil]`, `sums => 3, ""`},
		{"sums", `nil`, "ok", `:value :closed`, `sums => ErrClosed`},
		{"sums", `nil`, "ok", `:value {:hits :x}`, `refused: sums answers {struct: `},
		{"next", `nil`, "ok", `:value ["a" true nil]`, `next => a`},
		{"next", `nil`, "ok", `:value ["" false nil]`, `next => nil`},
		{"next", `nil`, "ok", `:value ["" false "votes: closed"]`, `next => ErrClosed`},
		{"next", `nil`, "ok", `:value "a"`, `next => a`},
		{"open", `nil`, "ok", `:value [true nil]`, `open => true`},
		{"open", `nil`, "ok", `:value [false :err-closed]`, `open => ErrClosed`},
		{"open", `nil`, "ok", `:value false`, `open => false`},
		{"open", `nil`, "ok", `:value nil`, `open*`},
		{"link", `["a" "b" "c"]`, "ok", ``, `link(a, [b c])`},
		{"link", `"a"`, "ok", ``, `link(a, [])`},
		{"stat", `nil`, "ok", `:value {:hits 3} :error "node n1"`, `stat => {3 ""}`},
		{"vote", `"a"`, "fail", `:error {:type :already-voted :definite? true}`, `vote(a) => ErrTwice`},
		{"link", `["a" "b"]`, "ok", `:error "node n1"`, `link(a, [b])`},
	} {
		src := "{:process 0, :type :invoke, :f :" + tt.method + ", :value " + tt.given + "}\n{:process 0, :type :" + tt.kind + ", :f :" + tt.method + ", " + tt.said + "}\n"
		e, err := foreign.New(strings.NewReader(src), "x", foreign.Options{Format: foreign.Jepsen, Pairs: true}, sig).Execution(sig)
		got := ""
		switch {
		case err != nil:
			if wrong := (*history.ParseError)(nil); !errors.As(err, &wrong) || wrong.Pos.Line < 1 || wrong.Pos.Col < 1 {
				t.Errorf("%s: no place: %v", src, err)
			}
			got = "refused: " + strings.TrimLeft(strings.TrimPrefix(err.Error(), "x:"), "0123456789: ")
		default:
			got = e.String()
			if unknown := strings.HasSuffix(got, "*"); tt.kind == "ok" && unknown != (e.Tail != "") {
				t.Errorf("%s%s: tail %q", src, got, e.Tail)
			}
		}
		if got != tt.want && !(strings.HasPrefix(tt.want, "refused") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: got  %s\nwant %s", src, got, tt.want)
		}
	}
}

// TestTypedFormats: the formats that say what is an answer are read as text logs are, and lines of Jepsen as its maps.
func TestTypedFormats(t *testing.T) {
	sig := typedMethods(t)
	for name, tt := range map[string]struct {
		format    foreign.Format
		src, want string
	}{
		"tables": {foreign.CSV, "call,return,op,args,answer\n1,2,poll,,\"7, true\"\n3,4,poll,,\"0, false\"\n5,6,state,,closed\n7,8,vote,a,error: already voted\n9,10,vote,_,ErrClosed\n11,12,state,,_\n13,14,version,,\"\"\"_\"\", 3.0\"\n",
			"poll => 7; poll => nil; state => 0; vote(a) => ErrTwice; vote(_) => ErrClosed; state*; version => _, 3"},
		"LiMo": {foreign.LiMo, "[1] call poll\n[1] return 7 true\n[1] call peek\n[1] return (7, false)\n[1] call state\n[1] return half-open\n[1] call vote a\n[1] return ErrTwice\n[1] call has 3.0\n[1] return True\n[1] call state\n[1] return _\n",
			"poll => 7; peek => nil 7; state => 1; vote(a) => ErrTwice; has(3) => true; state*"},
		"lines": {foreign.Jepsen, "0\t:invoke\t:vote\t\"a\"\n0\t:fail\t:vote\t\"a\"\t:already-voted\n0\t:invoke\t:vote\t\"a\"\n0\t:fail\t:vote\t\"a\"\tn1: votes: closed\n0\t:invoke\t:take\t{:hits 1}\n0\t:ok\t:take\t3\tpartial\n0\t:invoke\t:vote\t\"b\"\n0\t:info\t:vote\t\"b\"\tvotes: closed\n",
			`vote(a) => ErrTwice; vote(a) => ErrClosed; take({1 ""}) => ErrPart 3; vote(b) => ErrClosed`},
	} {
		e, err := foreign.New(strings.NewReader(tt.src), "x", foreign.Options{Format: tt.format}, sig).Execution(sig)
		if err != nil || e.String() != tt.want {
			t.Errorf("%s: %v, %v\nwant %s", name, e, err, tt.want)
		}
	}
}
