package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestExplanationTime: in the median the explanation of a violation takes at most twice as long as the decision and
// half a second, and none takes more than five seconds: of the corpus, and of the recordings if they are there.
func TestExplanationTime(t *testing.T) {
	testsize.NeedsLong(t)
	recorded := &Corpus{Root: project.Root, Data: filepath.Join(project.Root, "../shared/data")}
	if _, err := os.Stat(recorded.Data); err != nil {
		recorded.Data = ""
	}
	all, err := recorded.recordings()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(stored)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for e, err := range Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	const most, slack = 5 * time.Second, 500 * time.Millisecond // the budget ends what is looked for, not at once
	var took, more []time.Duration
	var longest time.Duration
	for _, e := range all {
		if e.Log == "" || e.Raw {
			continue
		}
		a, err := project.answerer(t.Context(), e.Theory)
		if err != nil {
			t.Fatal(err)
		}
		log, err := recorded.content(e)
		if err != nil {
			continue // a recording that is not here
		}
		x, err := a.read(log, e.Log)
		if err != nil {
			continue
		}
		start := time.Now()
		r, err := a.auto.Check(t.Context(), x)
		decided := time.Since(start)
		if err != nil || r.Verdict != check.Violation {
			continue
		}
		start = time.Now()
		if _, err := a.auto.Explain(t.Context(), x, r); err != nil {
			t.Errorf("%s: %v", e.Log, err)
		}
		explained := time.Since(start)
		if explained > most+slack {
			t.Errorf("%s: the explanation takes %v, the decision %v", e.Log, explained, decided)
		}
		took, more, longest = append(took, explained), append(more, explained-2*decided), max(longest, explained)
	}
	if len(took) < 100 {
		t.Fatalf("only %d violations", len(took))
	}
	slices.Sort(took)
	slices.Sort(more)
	if more[len(more)/2] > 500*time.Millisecond {
		t.Errorf("in the median the explanation takes %v longer than twice the decision", more[len(more)/2])
	}
	t.Logf("%d violations: explanations take %v in the median, %v at the 95th percentile, %v at most", len(took), took[len(took)/2], took[len(took)*95/100], longest)
}
