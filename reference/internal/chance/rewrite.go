package chance

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
)

// local is the name of the package that stands in for clocks, in files that use it.
const local = "adtinferclock"

// replaced are the functions that it stands in for.
var replaced = map[string]map[string]bool{
	"time":    {"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "NewTimer": true, "NewTicker": true, "Tick": true},
	"context": {"WithTimeout": true, "WithDeadline": true, "WithTimeoutCause": true, "WithDeadlineCause": true},
}

// kept is a name of each of these packages, to use an import that is used no more.
var kept = map[string]string{"time": "Nanosecond", "context": "Background"}

// edit is a text in place of a part of a file.
type edit struct {
	from, to int
	text     string
	path, as string // the package that it named, and how
}

// ending are the edits of a file with the imports that they need. Lines stay where they are.
func (l *look) ending(f *ast.File) []edit {
	at := l.fset.Position(f.Name.End()).Offset
	edits := append([]edit{{from: at, to: at}}, l.edits...)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	return edits
}

// Rewritten are the files with a clock of the package of this path in place of theirs.
// What cannot be read is left out.
func (r *Report) Rewritten(clock string) map[string]string {
	all := map[string]string{}
	for file, edits := range r.edits {
		src, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var b strings.Builder
		from, used := 0, map[string]bool{}
		for _, e := range edits {
			b.Write(src[from:e.from])
			if from = e.to; e.path == "" {
				fmt.Fprintf(&b, "; import %s %q", local, clock)
				continue
			}
			b.WriteString(e.text)
			used[e.as+"."+kept[e.path]] = true
		}
		b.Write(src[from:])
		for _, name := range slices.Sorted(maps.Keys(used)) {
			fmt.Fprintf(&b, "\nvar _ = %s\n", name)
		}
		all[file] = b.String()
	}
	return all
}
