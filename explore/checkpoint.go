package explore

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// checkpointEvery is how often a long run keeps what it has explored.
const checkpointEvery = 10 * time.Minute

// identity tells explorations apart: program and calls, bounds, what it is held against.
func (p *problem) identity() string {
	id := fmt.Sprintf("%s (%x) with %s, held against %s", p.pkg.Path, p.hash, p.bounds, p.against())
	if len(p.MayFail) > 0 {
		id += fmt.Sprintf(" where %s may fail", strings.Join(p.MayFail, " and "))
	}
	if len(p.Loose) > 0 {
		id += fmt.Sprintf(" where answers of %s are loose", strings.Join(p.Loose, " and "))
	}
	if p.NoFusion {
		id += ", without fusion"
	}
	if p.NoSymmetry {
		id += ", without symmetry"
	}
	return id
}

// begin begins an exploration, or goes on with one.
func (p *problem) begin(sp search.Problem, o search.Options) (*search.Search, error) {
	if p.Resume == "" {
		return search.New(sp, o), nil
	}
	f, err := os.Open(p.Resume)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := search.Resume(sp, o, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Resume, err)
	}
	return s, nil
}

// keep writes a checkpoint, whole or not at all.
func (p *problem) keep(s *search.Search) error {
	f, err := os.CreateTemp(filepath.Dir(p.Checkpoint), ".explore")
	if err != nil {
		return fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	defer os.Remove(f.Name())
	err = s.Save(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), p.Checkpoint)
	}
	if err != nil {
		return fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	return nil
}

// kept is what a checkpoint has of machines.
type kept struct {
	Texts   []string
	Written []uint64
	Results []machine.Result
}

// parts are what states and sets refer to.
func (p *problem) parts() []search.Part {
	get := func(s *machine.Shared) kept { return kept{s.Program().Strings.Texts(), s.Written(), s.Results()} }
	put := func(s *machine.Shared, k kept) error {
		if err := s.Program().Strings.Add(k.Texts); err != nil {
			return err
		}
		s.Know(k.Results)
		return s.Assume(k.Written)
	}
	return []search.Part{
		search.Keep("machine", func() kept { return get(p.shared) }, func(k kept) error { return put(p.shared, k) }),
		search.Keep("reference", func() (k kept) {
			if p.runner != nil {
				k = get(p.runner.shared)
			}
			return k
		}, func(k kept) error {
			if p.runner == nil {
				return nil
			}
			if err := put(p.runner.shared, k); err != nil {
				return err
			}
			p.runner.m = p.runner.shared.Machine()
			return p.specify()
		}),
		{Name: "answers", Save: p.answers.Save, Load: p.answers.Load},
		{Name: "specification", Save: func(w io.Writer) error { return p.spec.(spec.Keeper).Save(w) }, Load: func(r io.Reader) error { return p.spec.(spec.Keeper).Load(r) }},
		{Name: "sets", Save: func(w io.Writer) error { return p.sets.Save(w) }, Load: func(r io.Reader) error { return p.sets.Load(r) }},
	}
}
