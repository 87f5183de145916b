package foreign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/foreign"
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
		{"counter", "inc", "3", "ok", "3", 1, "inc takes no arguments, and this one has 3"},
		{"counter", "increment", "3", "ok", "3", 1, "increment is inc, which takes no arguments, and this one has 3; if it is add, say so with --alias increment=add"},
		{"counter", "decrement", "5", "", "", 1, "decrement is dec, which takes no arguments, and this one has 5"},
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
