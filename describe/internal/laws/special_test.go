package laws

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/reference"
)

// fragile hides how much was used behind a limit, and dies of a large one.
const fragile = `package fragile

import "os"

type Quota struct{ limit, used int }

func New() *Quota { return &Quota{limit: 5} }

func (q *Quota) Limit(n int) {
	if n > 100_000 {
		os.Exit(1)
	}
	q.limit = n
}

func (q *Quota) Use(n int) bool {
	if n < 1 || n > q.Left() {
		return false
	}
	q.used += n
	return true
}

func (q *Quota) Left() int { return max(q.limit-q.used, 0) }
`

// TestFragile: a reference that a large argument kills keeps the laws that were found without.
func TestFragile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module fragile\n\ngo 1.24\n", "fragile.go": fragile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := reference.Load(t.Context(), dir, reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pkg.Close()
	f, err := Learn(t.Context(), pkg.Implementation, Options{})
	if err != nil || f.Closed || f.Set == nil {
		t.Errorf("%+v, %v", f, err)
	}
}

// mailbox rings from a time on.
type mailbox struct{ until int }

func (m *mailbox) Mute(never int)     { m.until = max(m.until, never) }
func (m *mailbox) Rings(now int) bool { return now >= m.until }

// TestNamesOfWords: a parameter does not have the name of a word of laws.
func TestNamesOfWords(t *testing.T) {
	for _, word := range []string{"never", "always", "ok", "in"} {
		impl, err := reference.New(reference.Spec{Name: "mailbox", New: func() *mailbox { return &mailbox{} }})
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWorld(t.Context(), impl)
		if err != nil {
			t.Fatal(err)
		}
		l := &learner{w: w, o: Options{Names: [][]string{{word}, {word}}}}
		if got := l.paramsOf(0)[0].Name; got == word {
			t.Errorf("a parameter is called %s", word)
		}
		w.space.Close()
		impl.Close()
	}
}
