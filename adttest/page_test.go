package adttest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestPage: a violation has a page beside its log, which the failure names; one that is replayed
// writes none.
func TestPage(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := t.TempDir()
	out, _ := child(t, dir, []string{"-test.run=^TestChild$/^a$"}, nil)
	m := regexp.MustCompile(`(?m)^ *page    (\S+)\.html$`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no page is named:\n%s", out)
	}
	text, err := os.ReadFile(m[1] + ".html")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{": violation</title>", filepath.Base(m[1]) + ".jsonl", "ADTTEST_REPLAY=", `<script type="application/json" id="data">`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if err := os.Remove(m[1] + ".html"); err != nil {
		t.Fatal(err)
	}
	out, _ = child(t, dir, []string{"-test.run=^TestChild$/^a$"}, []string{"ADTTEST_REPLAY=" + m[1] + ".jsonl"})
	if _, err := os.Stat(m[1] + ".html"); err == nil || !strings.Contains(out, "nothing was run") || strings.Contains(out, "page    ") {
		t.Errorf("what is replayed writes a page, or names one:\n%s", out)
	}
}
