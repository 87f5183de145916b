package historytest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// TestReadClients: what clients logged, in each format, as text.
func TestReadClients(t *testing.T) {
	for _, tt := range []struct{ format, log, want string }{
		{"porcupine-etcd", "INFO  jepsen.util - 4\t:invoke\t:read\tnil\nINFO  jepsen.util - 4\t:ok\t:read\tnil\n" +
			"INFO  jepsen.util - 1\t:invoke\t:cas\t[1 2]\nINFO  jepsen.util - 2\t:invoke\t:write\t3\nINFO  jepsen.util - 1\t:fail\t:cas\t[1 2]\n" +
			"INFO  jepsen.util - 2\t:info\t:write\t3\nINFO  jepsen.core - not an event\n",
			"[1] call read []\n[1] return nil []\n[2] call cas [1 2]\n[3] call write [3]\n[2] return false []\n"},
		{"porcupine-kv", `{:process 0, :type :invoke, :f :append, :key "a", :value "x 0 y"}
{:process 0, :type :ok, :f :append, :key "a", :value "x 0 y"}
{:process 1, :type :invoke, :f :get, :key "a", :value nil}
{:process 1, :type :ok, :f :get, :key "a", :value ""}`,
			"[1] call append [a x 0 y]\n[1] return none []\n[2] call get [a]\n[2] return value []\n"},
		{"edn", `; a comment {:process 9, :type :invoke, :f :write, :value 1}
[{:process 16, :type :invoke, :f :cas, :value [1 0]} {:type :info, :f :start, :process :nemesis}
 {:process 12, :type :invoke, :f :read, :value nil}
 {:process 16, :type :fail, :f :cas, :value [1 0], :error :no}
 {:type :invoke,
  :f :acquire, :process 3} {:process 12, :type :ok, :f :read, :value nil}
 {:process 12, :type :invoke, :f :read, :value 3} {:type :ok, :f :acquire, :process 3} {:process 12, :type :ok, :f :read, :value 4}]`,
			"[3] call acquire []\n[4] call read []\n[3] return none []\n[4] return value [4]\n"},
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(tt.log), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := historytest.Text(historytest.ReadClients(t, path, tt.format)); strings.TrimSpace(got) != strings.TrimSpace(tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.format, got, tt.want)
		}
	}
}

// TestPublicHistories: all can be read, and are of the types that they say.
func TestPublicHistories(t *testing.T) {
	methods := map[string]string{"cas-register": "read write cas", "mutex": "acquire release", "kv (append)": "get put append"}
	for _, p := range historytest.PublicHistories(t) {
		e := p.Read(t)
		for i := range e.Ops {
			if !contains(methods[p.Type], e.Ops[i].Method) {
				t.Errorf("%s: %s", p.File, e.Ops[i].Label)
			}
		}
	}
}

func contains(words, word string) bool { return slices.Contains(strings.Fields(words), word) }
