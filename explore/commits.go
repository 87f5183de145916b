package explore

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/commits"
	"github.com/adtinfer/adtinfer/explore/internal/source"
)

const recordPath = "github.com/adtinfer/adtinfer/record"

// Commits looks at a package that records itself with package record, and runs nothing: it
// lists paths of operations without exactly one commit, writes to the fields of its view that
// are not recorded, and block entries without a lock, each with its place. Of the
// Options those count that say which package.
func Commits(ctx context.Context, o Options) ([]string, error) {
	pkg, err := source.Code(ctx, o.source())
	if err != nil {
		return nil, refusedBySource(o.Dir, err)
	}
	if pkg.Prog.ImportedPackage(recordPath) == nil {
		return nil, refused(o.Dir, fmt.Errorf("package %s does not use %s, so it has no commit points", pkg.Path, recordPath))
	}
	var lines []string
	for _, f := range commits.Check(pkg) {
		lines = append(lines, f.String())
	}
	return lines, nil
}
