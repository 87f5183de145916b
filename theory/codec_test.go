package theory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

func TestWriteGolden(t *testing.T) {
	golden(t, "queue.theory.yaml", written(t, queue(t)))
	golden(t, "handwritten.theory.yaml", written(t, handWritten(t)))
	golden(t, "model.theory.yaml", written(t, model()))
	golden(t, "store.theory.yaml", written(t, store(t)))
	golden(t, "limited.theory.yaml", written(t, limited(t)))
	golden(t, "empty.theory.yaml", written(t, &Theory{
		Name: "empty",
		Spec: Spec{Width: 1, Methods: []history.MethodSig{{Name: "m", Outcomes: []history.OutcomeSig{{Outcome: history.None, Rets: 0}}}}},
	}))
}

// TestReadGolden: what was written reads as the same theory, and is written as
// the same bytes again.
func TestReadGolden(t *testing.T) {
	for name, want := range map[string]*Theory{"queue": queue(t), "handwritten": handWritten(t), "model": model(), "store": store(t), "limited": limited(t)} {
		t.Run(name, func(t *testing.T) {
			text := written(t, want)
			got := mustRead(t, text)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(text, written(t, got)); diff != "" {
				t.Errorf("-first +second:\n%s", diff)
			}
		})
	}
}

// TestReadByHand: what people write, and the machine does not.
func TestReadByHand(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "byhand.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, string(text))
	if got.Spec.Width != 1 || got.Spec.Matching.Past || len(got.Spec.Patterns) != 1 {
		t.Errorf("got %+v", got.Spec)
	}
	h := &got.Spec.Patterns[0].History
	if diff := cmp.Diff("[1:1] lock(v1) => true; [2:2] lock(v2) => true", drawLine(got, h)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	once := written(t, got)
	golden(t, "byhand.golden", once)
	if diff := cmp.Diff(once, written(t, mustRead(t, once))); diff != "" {
		t.Errorf("-once +twice:\n%s", diff)
	}
}

// drawLine draws a pattern in one line, with the values its drawing has.
func drawLine(t *Theory, h *history.History) string {
	for _, p := range t.Spec.Patterns {
		if &p.History == h || len(p.History.Ops) == len(h.Ops) {
			_, labels, err := history.ParseDrawing(p.Drawing)
			if err != nil {
				return err.Error()
			}
			return history.DrawLine(h, labels)
		}
	}
	return "no such pattern"
}

func TestVocabularyAndSignature(t *testing.T) {
	th := queue(t)
	if _, err := formula.Parse("exists x:Op. method(x) = remove & outcome(x) = nil", th.Vocabulary()); err != nil {
		t.Error(err)
	}
	sig, err := th.Signature(map[string][]string{"remove": {"pop"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"add": "add", "enqueue": "add", "pop": "remove"} {
		if m, ok := sig.Method(name); !ok || m.Name != want {
			t.Errorf("%s is %v, want %s", name, m, want)
		}
	}
	for name, tt := range map[string]struct {
		aliases map[string][]string
		want    string
	}{
		"unknown": {map[string][]string{"remvoe": {"pop"}}, `theory: aliases for an unknown method "remvoe"; did you mean "remove"?`},
		"taken":   {map[string][]string{"remove": {"add"}}, `history: "add" names two methods, add and remove`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := th.Signature(tt.aliases); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// What is wrong in a theory made by a program shows when its file is read.
func TestWrongTheory(t *testing.T) {
	th := queue(t)
	th.Spec.Patterns[2].Weight = 7
	if _, err := Read(strings.NewReader(written(t, th)), "q.yaml"); err == nil || !strings.Contains(err.Error(), "the drawing's weight is 2, not 7") {
		t.Errorf("got %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }
func (brokenWriter) Read([]byte) (int, error)  { return 0, errors.New("disk on fire") }

func TestBrokenDisk(t *testing.T) {
	if err := Write(brokenWriter{}, queue(t)); err == nil || err.Error() != "theory: write queue: disk full" {
		t.Errorf("got %v", err)
	}
	if _, err := Read(brokenWriter{}, "q.yaml"); err == nil || err.Error() != "theory: read q.yaml: disk on fire" {
		t.Errorf("got %v", err)
	}
}
