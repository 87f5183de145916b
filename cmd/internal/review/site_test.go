package review

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

var (
	hrefs = regexp.MustCompile(`href="([^"]*)"`)
	ids   = regexp.MustCompile(`id="([^"]*)"`)
)

// TestSite: each link of each page leads to a page, to a place on one, or to a file of the
// project.
func TestSite(t *testing.T) {
	const source = "https://example.org/"
	root, dir := historytest.Root(t), t.TempDir()
	pages, err := Site(root, dir, source)
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 50 {
		t.Errorf("only %d pages", len(pages))
	}
	anchors := map[string]bool{}
	for _, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		anchors[file] = true
		for _, m := range ids.FindAllStringSubmatch(string(text), -1) {
			anchors[file+"#"+m[1]] = true
		}
	}
	inside := 0
	for _, file := range pages {
		text, _ := os.ReadFile(file)
		for _, m := range hrefs.FindAllStringSubmatch(string(text), -1) {
			to := strings.ReplaceAll(m[1], "&amp;", "&")
			if name, ok := strings.CutPrefix(to, source); ok {
				name, _, _ = strings.Cut(name, "#")
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
					t.Errorf("%s links to %s: %v", file, to, err)
				}
				continue
			}
			if strings.Contains(to, "://") {
				continue
			}
			inside++
			name, fragment, found := strings.Cut(to, "#")
			target := file
			if name != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
			}
			if found {
				target += "#" + fragment
			}
			if !anchors[target] {
				t.Errorf("%s links to %s, which is not there", file, to)
			}
		}
	}
	if inside < 100 {
		t.Errorf("only %d links between pages", inside)
	}
}
