package standard

import (
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the list in docs/explore-library.md")

const (
	document = "../../../docs/explore-library.md"
	mark     = "<!-- library: go test ./explore/internal/standard -update -->\n"
)

// TestDocs holds the list in the docs against the tables.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, got, _ := strings.Cut(string(text), mark)
	want := describe(t)
	if *update {
		if err := os.WriteFile(document, []byte(head+mark+want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("%s is not what go test -update writes", document)
	}
}

// describe is the list, in Markdown.
func describe(t *testing.T) string {
	var b strings.Builder
	computed := map[string]bool{}
	for name, f := range functions() {
		if pkg := packageOf(name); f.like != nil && token.IsExported(strings.TrimPrefix(name, pkg+".")) {
			computed["`"+pkg+"`"] = true
		}
	}
	packages := func(folder string) string {
		var list []string
		for _, p := range replacedPackages(t, folder) {
			if !strings.HasPrefix(p, "internal/") {
				list = append(list, p)
			}
		}
		slices.Sort(list)
		return "`" + strings.Join(list, "`, `") + "`"
	}
	fmt.Fprintf(&b, "Packages that are replaced: %s.\nIn part: %s.\nFunctions of these are computed by the explorer itself, on numbers and strings: %s.\n",
		packages("_std"), packages("_files"), strings.Join(slices.Sorted(maps.Keys(computed)), ", "))
	section := func(title string, of func(f Function) string, tell func(what string, names []string)) {
		by := map[string][]string{}
		for name, f := range functions() {
			public := token.IsExported(name[strings.LastIndexByte(name, '.')+1:]) && !strings.HasPrefix(packageOf(name), "internal/") && !strings.Contains(name, "[T]")
			if what := of(f); what != "" && (public || linked[name] || f.Note == what) {
				by[what] = append(by[what], name)
			}
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, what := range slices.Sorted(maps.Keys(by)) {
			slices.Sort(by[what])
			tell(what, by[what])
		}
	}
	list := func(what string, names []string) { fmt.Fprintf(&b, "- %s: `%s`\n", what, strings.Join(names, "`, `")) }
	section("Not modelled as it is", func(f Function) string { return f.Note }, func(what string, names []string) { fmt.Fprintf(&b, "- %s\n", what) })
	section("Refused", func(f Function) string { return f.Refused }, list)
	by := map[string][]string{}
	for pkg, what := range refused {
		by[what] = append(by[what], pkg)
	}
	fmt.Fprintf(&b, "\nAll functions of these packages:\n\n")
	for _, what := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[what])
		list(what, by[what])
	}
	return b.String()
}
