package foreign_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// TestRefusedMeanings: operations that no signature allows are refused in each format, with the line of the completion, or of the
// invocation if that is wrong.
func TestRefusedMeanings(t *testing.T) {
	for _, tt := range []struct {
		model, method, given, how, said string // said "": there is no completion
		line                            int
		want                            string
	}{
		{"register", "write", "1", "ok", "2", 2, "write answers nothing, and completes with 2; it was invoked at 1:"},
		{"register", "write", "1", "ok", "true", 2, "write answers nothing, and completes with true"},
		{"register", "write", "1", "ok", "[1]", 2, "write answers nothing, and completes with [1]"},
		{"register", "write", "nil", "ok", "nil", 1, "write takes 1 argument, and nil is none"},
		{"register", "write", "nil", "ok", "1", 1, "write takes 1 argument, and nil is none"},
		{"register", "write", "nil", "fail", "nil", 1, "write takes 1 argument, and nil is none"},
		{"register", "read", "1", "ok", "nil", 1, "read takes no arguments, and this one has 1"},
		{"register", "read", "1", "ok", "2", 1, "read takes no arguments, and this one has 1"},
		{"register", "read", "1", "", "", 1, "read takes no arguments, and this one has 1"},
		{"register", "read", "1", "fail", "1", 1, "read takes no arguments, and this one has 1"},
		{"register", "read", "[0 nil]", "ok", "7", 1, "read takes no arguments, and [0 nil] looks like the value of a keyed test, [key nil]: if it is one, say so with --by-key"},
		{"register", "read", "[0 nil]", "ok", "[0 nil]", 1, "all values here are pairs, as in a keyed test, [key value], where operations of each key are of an object of its own: say so with --by-key"},
		{"register", "write", "[0 1]", "ok", "[0 1]", 1, "all values here are pairs"},
		{"register", "read", "nil", "ok", "[0 nil]", 2, "all values here are pairs, as in a keyed test, [key value], but not all operations are invoked with a key: if these pairs are values of one object, say so with --by-key=false"},
		{"counter", "read", "3", "ok", "4", 1, "read takes no arguments, and this one has 3"},
		{"counter", "value", "3", "ok", "4", 1, "value is read, which takes no arguments, and this one has 3; if it is inc, say so with --alias value=inc"},
		{"counter", "inc", "[1 2 3]", "ok", "nil", 1, "inc takes at most 1 argument, and whether [1 2 3] is one, or a list of arguments, nobody can tell"},
		{"counter", "decrement", "[5]", "", "", 1, "dec takes at most 1 argument"},
		{"counter", "inc", "[1 2]", "ok", "[1 2]", 1, "all values here are pairs"},
		{"bounded-queue(3)", "take", "3", "ok", "3", 1, "take is remove, which takes no arguments, and this one has 3; if it is add, say so with --alias take=add"},
		{"counter", "inc", "nil", "ok", "true", 2, "inc answers nothing or a value, and completes with true"},
		{"counter", "add", "nil", "ok", "nil", 1, "add takes 1 argument, and nil is none"},
		{"cas-register", "cas", "1", "ok", "1", 1, "cas takes 2 arguments, and this one has 1"},
		{"cas-register", "cas", "[1 2 3]", "ok", "true", 1, "cas takes 2 arguments, and this one has [1 2 3]"},
		{"cas-register", "cas", "[1 nil]", "ok", "true", 1, "argument 2 of cas is nil, and nil is none"},
		{"cas-register", "cas", "[1 2]", "ok", "7", 2, "cas answers true or false or error, and completes with 7"},
		{"cas-register", "cas", "[1 2]", "ok", "[2 1]", 2, "cas answers true or false or error, and completes with [2 1]"},
		{"queue", "add", "1", "ok", "2", 2, "add answers nothing, and completes with 2"},
		{"queue", "remove", "1", "ok", "1", 1, "remove takes no arguments, and this one has 1"},
		{"queue", "remove", "nil", "ok", "false", 2, "remove answers a value or nil, and completes with false; it was invoked at 1:"},
		{"queue", "dequeue", "nil", "ok", "false", 2, "if that means nil, say so with --outcome 'remove:false=nil'"},
		{"kv", "put", "1", "ok", "1", 1, "put takes 2 arguments, and this one has 1"},
		{"kv", "append", "[1 2]", "ok", "3", 2, "append answers nothing, and completes with 3"},
		{"kv", "get", "[1 nil]", "ok", "2", 2, "process 0 completes get with 2, and invoked it with [1 nil] at 1:"},
		{"kv", "get", "[1 nil]", "ok", "[2 2]", 2, "process 0 completes get with [2 2], and invoked it with [1 nil] at 1:"},
		{"kv", "get", "1", "ok", "1", 2, "get completes with 1, and was invoked with the same at 1:"},
		{"set", "contains", "5", "ok", "5", 2, "whether that is its answer nobody can tell; say that it is with --answers"},
		{"set", "insert", "nil", "ok", "1", 1, "insert takes 1 argument, and nil is none"},
		{"set", "read", "nil", "ok", "[1 2]", 1, `unknown method "read"`},
		{"mutex", "acquire", "nil", "ok", "3", 2, "acquire answers nothing or true or false or error, and completes with 3"},
		{"mutex", "acquire", "[0]", "ok", "[0]", 1, "acquire takes at most 1 argument, and whether [0] is one, or a list of arguments, nobody can tell"},
		{"log", "append", "1", "ok", "true", 2, "append answers nothing or a value, and completes with true"},
		{"bounded-queue(3)", "send", "1", "ok", "2", 2, "add answers nothing or true or false or error, and completes with 2"},
		{"bank", "transfer", "nil", "ok", "nil", 1, "transfer takes 3 arguments, and nil is none"},
		{"bank", "transfer", "nil", "fail", "nil", 1, "transfer takes 3 arguments, and nil is none"},
		{"bank", "transfer", "[0 nil 5]", "ok", "nil", 1, "argument 2 of transfer is nil, and nil is none"},
		{"bank", "transfer", "[0 1 5 6]", "ok", "nil", 1, "transfer takes 3 arguments, and this one has [0 1 5 6]"},
		{"bank", "transfer", "[0 1 5]", "ok", "[0 1 6]", 2, "transfer answers nothing or true or false or error, and completes with [0 1 6]; it was invoked at 1:"},
		{"bank", "read", "0", "ok", "10", 1, "read takes no arguments, and this one has 0"},
		{"unique-ids", "generate", "nil", "ok", "nil", 2, "generate answers a value, and completes with nil"},
		{"unique-ids", "generate", "nil", "ok", "true", 2, "generate answers a value, and completes with true"},
		{"unique-ids", "generate", "5", "ok", "5", 1, "generate takes no arguments, and this one has 5"},
		{"set-full", "add", "nil", "ok", "nil", 1, "add takes 1 argument, and nil is none"},
		{"set-full", "add", "1", "ok", "[1]", 2, "add answers nothing or true or false, and completes with [1]"},
		{"set-full", "contains", "1", "ok", "1", 2, "contains answers true or false, and this completion says neither"},
		{"deque", "popFront", "1", "ok", "1", 1, "popFront takes no arguments, and this one has 1"},
		{"deque", "pushBack", "1", "ok", "2", 2, "pushBack answers nothing, and completes with 2"},
		{"mutex", "acquire", "nil", "ok", `"c1"`, 2, "acquire answers nothing or true or false or error, and completes with c1"},
		{"mutex", "release", "0", "ok", "1", 2, "release answers nothing or true or false or error, and completes with 1"},
		{"fenced-lock", "acquire", "1", "ok", "1", 1, "acquire takes no arguments, and this one has 1"},
		{"fenced-lock", "release", "nil", "ok", "nil", 1, "release takes 1 argument, and nil is none"},
		{"lease-lock", "renew", "nil", "ok", "true", 1, "renew takes 1 argument, and nil is none"},
		{"versioned-register", "read", "nil", "ok", "7", 2, "read answers 2 values or nil, and completes with 7"},
		{"versioned-register", "read", "nil", "ok", "[1 2 3]", 2, "read answers 2 values or nil, and completes with [1 2 3]"},
		{"versioned-register", "write", "[nil 3]", "ok", "[1 3]", 1, "argument 1 of write is nil, and nil is none; write may leave out arguments at the end only"},
		{"versioned-register", "cas", "[nil [1 3]]", "ok", "[2 [1 3]]", 1, "argument 1 of cas is nil, and nil is none"},
		{"versioned-register", "cas", "1", "ok", "1", 1, "cas takes 2 arguments, and this one has 1"},
		{"register", "txn", "[[:r 1 nil] [:append 2 3]]", "ok", "[[:r 1 7] [:append 2 3]]", 1, "is a transaction, whose operations on several keys take effect together: Elle checks such histories, and adtinfer can if a reference (--ref) has a method Txn"},
		{"register", "read", "[[:r 1 nil]]", "ok", "[[:r 1 7]]", 1, "read [["},
		{"register", "read", "[:r 1 nil]", "ok", "[:r 1 7]", 1, "is a transaction"},
		{"register", "write", "[:w 1 2]", "ok", "[:w 1 2]", 1, "is a transaction"},
	} {
		for _, f := range []string{"EDN", "JSON", "history.txt"} {
			t.Run(strings.Join([]string{tt.model, tt.method, tt.given, tt.how, tt.said, f}, " "), func(t *testing.T) {
				records := []oracleRecord{{kind: "invoke", method: tt.method, value: tt.given}}
				if tt.how != "" {
					records = append(records, oracleRecord{kind: tt.how, method: tt.method, value: tt.said})
				}
				src := oracleFormats[f].write(newOracleRun(1, tt.model, false), records)
				if f == "JSON" {
					src = strings.NewReplacer(":append", `"append"`, ":r", `"r"`, ":w", `"w"`).Replace(src)
				}
				sig, err := history.NewSignature(wgl.Methods(tt.model)...)
				if err != nil {
					t.Fatal(err)
				}
				_, err = foreign.New(strings.NewReader(src), "x", foreign.Options{Format: oracleFormats[f].format}, sig).Executions(sig)
				var wrong *history.ParseError
				if !errors.As(err, &wrong) || wrong.Pos.Line != tt.line || wrong.Pos.Col < 1 || !strings.Contains(strings.ReplaceAll(err.Error(), `"`, ""), strings.ReplaceAll(tt.want, `"`, "")) {
					t.Errorf("got %v, want x:%d: %s\n%s", err, tt.line, tt.want, src)
				}
			})
		}
	}
}

// TestRefusedValues: what has the right number of arguments and answers, and still is nothing that a model knows, is refused with
// the place of its operation.
func TestRefusedValues(t *testing.T) {
	for _, tt := range []struct{ model, method, given, said, want string }{
		{"bank", "transfer", "[0 1]", "[0 1]", "transfer takes from, to and amount, or a map"},
		{"bank", "transfer", "{:from 0 :to 1}", "nil", "transfer takes from, to and amount, or a map"},
		{"bank", "transfer", "{:from 0 :to 1 :amount 5 :note 7}", "nil", "transfer takes from, to and amount, or a map"},
		{"bank", "transfer", "{:from 0 :to 1 :amount nil}", "nil", "the amount of a transfer is a whole number from 0 on"},
		{"bank", "transfer", "{:from 0 :to 1 :amount -3}", "nil", `the amount of a transfer is a whole number from 0 on, not "-3"`},
		{"overdraft-bank", "transfer", "5", "nil", "transfer takes from, to and amount, or a map"},
		{"bank", "read", "nil", "7", `"7" is not all balances`},
		{"bank", "read", "nil", "{0 10 1 nil}", "the balance"},
		{"bank", "read", "nil", "[[0 10] [1 10] [2 10]]", "the balance [0 10] of account 0"},
		{"bank({0 10, 1 10})", "transfer", "{:from 0 :to 2 :amount 5}", "nil", "no balances tell of account 2"},
		{"set-full", "read", "nil", "7", "read answers a whole set"},
		{"set-full", "read", "nil", "{1 2}", "read answers a whole set"},
		{"versioned-register", "read", "nil", "[7 [1 2]]", "read answers a value and then its version, a whole number, not"},
		{"versioned-register", "read", "nil", `[1 "a"]`, `read answers a value and then its version, a whole number, not "1" and "a"`},
		{"versioned-register", "write", `[3 "x"]`, "nil", "write takes a whole number"},
		{"versioned-register", "write", "3", "[1 3]", "write answers a whole number"},
		{"versioned-register", "cas", `["a" 1]`, "nil", `cas takes a whole number, not "a"`},
		{"fenced-lock", "acquire", "nil", `"a"`, "acquire answers a whole number"},
		{"lease-lock", "acquire", "nil", "{:token 5}", "acquire answers a whole number"},
		{"lease-lock", "renew", `"a"`, "nil", "renew takes a whole number"},
		{"counter", "inc", `"x"`, "nil", `inc takes a whole number, not "x"`},
		{"counter", "dec", "1.5", "nil", `dec takes a whole number, not "1.5"`},
	} {
		for _, f := range []string{"EDN", "JSON", "history.txt"} {
			t.Run(strings.Join([]string{tt.model, tt.method, tt.given, tt.said, f}, " "), func(t *testing.T) {
				records := []oracleRecord{{kind: "invoke", method: tt.method, value: tt.given}, {kind: "ok", method: tt.method, value: tt.said}}
				src := oracleFormats[f].write(newOracleRun(1, tt.model, false), records)
				sig, err := history.NewSignature(wgl.Methods(tt.model)...)
				if err != nil {
					t.Fatal(err)
				}
				c, err := check.New(nil, check.Options{Model: tt.model})
				if err != nil {
					t.Fatal(err)
				}
				es, err := foreign.New(strings.NewReader(src), "x", foreign.Options{Format: oracleFormats[f].format}, sig).Executions(sig)
				if err == nil {
					_, err = c.Check(t.Context(), es[0])
				}
				plain := strings.NewReplacer(`"`, "", `\`, "", ",", "")
				if err == nil || !strings.Contains(err.Error(), "x:1:") || !strings.Contains(plain.Replace(err.Error()), plain.Replace(tt.want)) {
					t.Errorf("got %v, want x:1: %s\n%s", err, tt.want, src)
				}
			})
		}
	}
}

// TestToldTruth: where a method has no true and false, a record that has is refused, as it is in EDN: of an insert that
// answers what it inserted, true is no value. Of a stack of booleans it is.
func TestToldTruth(t *testing.T) {
	for _, tt := range []struct {
		model  string
		format foreign.Format
		src    string
		want   string
	}{
		{"set", foreign.FPTLin, "# set\n0 1 5 INSERT 1 1", "x:2:1: insert answers a value or nil, and this one true, which says whether it succeeded"},
		{"set", foreign.FPTLin, "# set\n0 1 5 CONTAINS 1 0", "x:2:1: contains answers a value or nil, and this one false"},
		{"set", foreign.LiMo, "[1] call insert 1\n[1] return true", "x:2:1: insert answers a value or nil, and this one true"},
		{"set-full", foreign.FPTLin, "# set\n0 1 5 INSERT 1 1\n1 6 8 CONTAINS 1 1", ""},
		{"stack", foreign.LiMo, "[1] call push true\n[1] return\n[2] call pop\n[2] return true", ""},
	} {
		sig, err := history.NewSignature(wgl.Methods(tt.model)...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = foreign.New(strings.NewReader(tt.src), "x", foreign.Options{Format: tt.format}, sig).Execution(sig)
		if (err != nil) != (tt.want != "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s, %q: %v, want %s", tt.model, tt.src, err, tt.want)
		}
	}
}

// TestNamedEDN: what is wrong with a file called .edn is said of EDN, unless it begins as a log of ours; and no operations are no
// wrong ones.
func TestNamedEDN(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"x.edn", "[]", "0 operations"},
		{"x.log", "[ ]\n", "0 operations"},
		{"x.log", "()\n", "0 operations"},
		{"x.edn.gz", "nil", "x.edn.gz:1:1: expected an operation, a map"},
		{"x.edn", "[{}]", "x.edn:1:2: this operation has no :type"},
		{"x.edn", "[[{:type :invoke}]]", "x.edn:1:2: expected an operation, a map"},
		{"x.edn", "[1] call write(1)", "1 operations"},
		{"x.edn", `{"op":1,"event":"call","method":"write","args":[1]}`, "1 operations"},
		{"x.log", "nil", "x.log:1:1: expected \"[ID] call"},
	} {
		sig, err := history.NewSignature(wgl.Methods("register")...)
		if err != nil {
			t.Fatal(err)
		}
		e, err := foreign.New(strings.NewReader(tt.src), tt.name, foreign.Options{}, sig).Execution(sig)
		got := ""
		if err == nil {
			got = strconv.Itoa(len(e.Ops)) + " operations"
		} else {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s, %q: %s, want %s", tt.name, tt.src, got, tt.want)
		}
	}
}

// TestTuples: Jepsen's tag says of a pair that it is [key value], which is what --by-key takes a pair for.
func TestTuples(t *testing.T) {
	const tag = "#jepsen.independent.Tuple"
	src := strings.ReplaceAll(`{:process 0 :type :invoke :f :write :value T[3 7]} {:process 0 :type :ok :f :write :value T[3 7]}
{:process 1 :type :invoke :f :read :value T[3 nil]} {:process 1 :type :ok :f :read :value T[3 7]}`, "T", tag)
	sig, err := history.NewSignature(wgl.Methods("register")...)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, src := range []string{src, strings.ReplaceAll(src, tag, "")} {
		e, err := foreign.New(strings.NewReader(src), "x", foreign.Options{ByKey: true}, sig).Execution(sig)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := history.WriteText(&b, e); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b.String())
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], "return 7") {
		t.Errorf("with tags\n%s\nwithout\n%s", texts[0], texts[1])
	}
	for _, other := range []string{"#some.Tuple", tag + " x ", tag + "s"} {
		_, err := foreign.New(strings.NewReader(strings.ReplaceAll(src, tag, other)), "x", foreign.Options{ByKey: true}, sig).Execution(sig)
		if err == nil || !strings.HasPrefix(err.Error(), "x:1:") {
			t.Errorf("%s: %v", other, err)
		}
	}
}
