package peer

import (
	"hash/maphash"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// casRegister is the register of the etcd histories, with compare-and-swap, as
// a user of the package would write it. Nobody knows what it holds at first.
type casRegister struct{}

type content struct {
	known bool
	value history.Value
}

func (c content) Equal(s wgl.State) bool { return c == s }
func (c content) Hash() uint64           { return uint64(len(c.value))<<1 + uint64(c.byte()) }

func (c content) byte() byte {
	if c.value == "" {
		return 0
	}
	return c.value[0]
}

func (casRegister) Init() wgl.State { return content{} }

func (casRegister) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	c := s.(content)
	switch l.Method {
	case "read":
		if l.Outcome == history.Nil {
			return c, !c.known
		}
		return c, l.Outcome == history.Pending || c.known && c.value == l.Rets[0]
	case "write":
		return content{true, l.Args[0]}, true
	}
	swaps := c.known && c.value == l.Args[0]
	if l.Outcome != history.Pending && swaps != (l.Outcome == history.True) {
		return nil, false
	}
	if swaps {
		return content{true, l.Args[1]}, true
	}
	return c, true
}

// store is the key-value store: put, append and get of strings, by key.
type store struct{}

type stored string

func (t stored) Equal(s wgl.State) bool { return t == s }
func (t stored) Hash() uint64           { return maphash.String(hashSeed, string(t)) }

func (store) Init() wgl.State { return stored("") }

func (store) Key(l *history.Label) history.Value { return l.Args[0] }

func (store) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	switch l.Method {
	case "put":
		return stored(l.Args[1]), true
	case "append":
		return s.(stored) + stored(l.Args[1]), true
	}
	return s, l.Outcome == history.Pending || string(s.(stored)) == string(l.Rets[0])
}

// asPeer is a model as Porcupine takes it.
func asPeer(m wgl.Model) porcupine.Model {
	p := porcupine.Model{
		Init: func() any { return m.Init() },
		Step: func(state, input, output any) (bool, any) {
			next, ok := m.Step(state.(wgl.State), input.(*history.Label))
			return ok, next
		},
	}
	if k, ok := m.(wgl.Keyed); ok {
		p.Partition = func(ops []porcupine.Operation) [][]porcupine.Operation {
			parts := map[history.Value][]porcupine.Operation{}
			for _, o := range ops {
				key := k.Key(o.Input.(*history.Label))
				parts[key] = append(parts[key], o)
			}
			var all [][]porcupine.Operation
			for _, part := range parts {
				all = append(all, part)
			}
			return all
		}
	}
	return p
}

// TestPorcupineData decides the histories that Porcupine's module brings, of
// etcd and of a key-value store, as Porcupine does.
func TestPorcupineData(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output()
	data := filepath.Join(strings.TrimSpace(string(dir)), "test_data")
	if err != nil || strings.TrimSpace(string(dir)) == "" {
		t.Fatal("Porcupine is not in the module cache: ", err)
	}
	for _, tt := range []struct {
		files     string
		format    string
		name      string
		model     wgl.Model
		good, bad int // what Porcupine's own tests expect
	}{
		{"jepsen/etcd_*.log", "porcupine-etcd", "cas-register", casRegister{}, 23, 79},
		{"kv/c[01]*.txt", "porcupine-kv", `kv("")`, store{}, 2, 2},
		{"kv/c50*.txt", "porcupine-kv", `kv("")`, store{}, 1, 1}, // of fifty clients: half a minute for each of the two
	} {
		t.Run(tt.files, func(t *testing.T) {
			if strings.Contains(tt.files, "c50") {
				testsize.NeedsNightly(t, "Porcupine takes long")
			}
			files, _ := filepath.Glob(filepath.Join(data, tt.files))
			if len(files) == 0 {
				t.Fatal("no data")
			}
			own, err := wgl.Builtin(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var good, bad int
			var ours, theirs time.Duration
			for _, file := range files {
				e := historytest.ReadClients(t, file, tt.format)
				start := time.Now()
				got, err := wgl.Check(t.Context(), own, e, wgl.Options{Partition: true})
				if err != nil {
					t.Fatal(err)
				}
				ours += time.Since(start)
				start = time.Now()
				want := porcupine.CheckOperations(asPeer(tt.model), operations(e))
				theirs += time.Since(start)
				if got.Linearizable != want {
					t.Errorf("%s: linearizable: %v, Porcupine says %v", filepath.Base(file), got.Linearizable, want)
				}
				if want {
					good++
				} else {
					bad++
				}
			}
			t.Logf("%d linearizable, %d not; Porcupine takes %.1f times as long", good, bad, float64(theirs)/float64(ours))
			if good+bad == tt.good+tt.bad && bad != tt.bad {
				t.Errorf("%d violations, want %d", bad, tt.bad)
			}
		})
	}
}
