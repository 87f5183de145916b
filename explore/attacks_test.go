package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

// attack is a package whose policy tries to hold although it is wrong.
type attack struct {
	name string
	code string // what follows the package clause and imports of sync and sync/atomic
	at   explore.Bounds
}

var attacks = []attack{
	{"unlocks by overwriting", `
type Lamp struct {
	big, mu sync.Mutex
	on      atomic.Bool
}

func New() *Lamp { return &Lamp{} }

func (l *Lamp) Take() bool {
	l.big.Lock()
	l.mu.Lock()
	l.mu = sync.Mutex{}
	l.big.Unlock()
	was := l.on.Load()
	l.on.Store(true) //lin: take() = was
	return was
}
`, bounds(2, 1, 1)},
}

func (a *attack) write(t *testing.T) string {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/attack\n\ngo 1.24.0\n")
	put(t, filepath.Join(dir, "attack.go"), "package attack\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Bool\n)\n"+a.code)
	return dir
}

// TestAttacks sees to it that such policies neither hold within bounds, nor are proved for any number of
// goroutines.
func TestAttacks(t *testing.T) {
	t.Parallel()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			dir := a.write(t)
			bounded, err := explore.Run(t.Context(), explore.Options{Dir: dir, Bounds: a.at, Policy: true, Workers: 1})
			if err == nil && (bounded.Verdict == explore.Holds || bounded.Verdict == explore.Incomplete) {
				t.Errorf("within bounds: %s", bounded.Sentence())
			}
			proved, err := explore.Run(t.Context(), explore.Options{Dir: dir, Bounds: explore.Bounds{Values: a.at.Values}, AnyThreads: true, Policy: true, Workers: 1})
			if err == nil && proved.Verdict != explore.Unproved {
				t.Errorf("for any number: %s", proved.Sentence())
			}
		})
	}
}
