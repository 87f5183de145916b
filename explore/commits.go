package explore

import (
	"context"

	"github.com/adtinfer/adtinfer/explore/internal/source"
)

// CommitReport is what Commits has found, with the operations it has looked at.
type CommitReport = source.Report

// Commits looks at how the package in o.Dir records with package record, without running it: paths of
// an operation that do not pass exactly one Commit, writes to what the view has that are not recorded by then,
// and block entries of code that holds no lock. A package that records nothing is *Refused.
func Commits(ctx context.Context, o Options) (*CommitReport, error) {
	pkg, err := source.Code(ctx, source.Options{Dir: o.Dir, Tags: o.Tags})
	if err != nil {
		return nil, refusedBySource(o.Dir, err)
	}
	r := source.Check(pkg)
	if len(r.Operations) == 0 {
		return nil, &Refused{Package: o.Dir, Reasons: []string{"package " + pkg.Path + " records no operations: it calls no methods of record.Handle"}}
	}
	return r, nil
}
