package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/clock"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference/internal/chance"
)

// sources finds what else than calls the answers of a package may depend on, in its
// files and in those of the packages outside the standard library that it imports.
func (l *loader) sources(ctx context.Context, p *listed, d *declarations) *chance.Report {
	foreign := false
	for _, path := range d.imports {
		first, _, _ := strings.Cut(path, "/")
		module := p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
		foreign = foreign || strings.Contains(first, ".") || module
	}
	if p.Standard || !foreign {
		return chance.Look([]chance.Package{{Path: p.ImportPath, Dir: p.Dir, Files: p.GoFiles, Cgo: p.CgoFiles, Fixed: fixed(p)}})
	}
	out, err := l.goCommand(ctx, p.host, "list", "-deps", "-json=Dir,Standard,ImportPath,GoFiles,CgoFiles", p.ImportPath)
	if err != nil {
		return &chance.Report{Woken: true}
	}
	var all []chance.Package
	for in := json.NewDecoder(strings.NewReader(out)); ; {
		var dep listed
		if err := in.Decode(&dep); err != nil {
			r := chance.Look(all)
			r.Woken = r.Woken || !errors.Is(err, io.EOF)
			return r
		}
		ours := dep.ImportPath == specPath || strings.HasPrefix(dep.ImportPath, strings.TrimSuffix(specPath, "reference"))
		if !dep.Standard && (!ours || dep.ImportPath == p.ImportPath) {
			all = append(all, chance.Package{Path: dep.ImportPath, Dir: dep.Dir, Files: dep.GoFiles, Cgo: dep.CgoFiles, Fixed: fixed(&dep)})
		}
	}
}

// fixed reports whether the go command lets nobody replace files of a package: they are
// in the module cache, or the standard library's.
func fixed(p *listed) bool { return p.Standard || strings.Contains(filepath.ToSlash(p.Dir), "@v") }

// depends says what answers may depend on, and where, as far as it is of these kinds.
func (l *loader) depends(r *chance.Report, kinds ...chance.Kind) string {
	const most = 2 // places of a kind
	var parts []string
	for _, k := range kinds {
		var places []string
		for _, s := range r.Sources {
			if s.Kind == k {
				places = append(places, strings.TrimSuffix(fmt.Sprintf("%s:%d: %s", shortPath(l.base, s.File), s.Line, s.Name), ": "))
			}
		}
		if n := len(places); n > most {
			places = append(places[:most], fmt.Sprintf("and %d more", n-most))
		}
		if len(places) > 0 {
			parts = append(parts, fmt.Sprintf("%v (%s)", k, strings.Join(places, ", ")))
		}
	}
	return strings.Join(parts, "; it ")
}

// told are the kinds that are worth telling of where no answer depended on them: others
// are in every other package.
var told = []chance.Kind{chance.Clock, chance.Timer, chance.Random}

// because adds to a fault what it may come from. Where the clock moves in one of the runs
// that differ and not in the other, nothing else is to blame.
func (l *loader) because(r *chance.Report, f *driver.Fault) {
	if f.Reason != driver.Differs || r == nil {
		return
	}
	kinds := []chance.Kind{chance.Clock, chance.Timer}
	if r.Has(kinds...) {
		f.Reason = driver.Elapses
	} else {
		kinds = []chance.Kind{chance.Random, chance.Environment, chance.Goroutine, chance.Select, chance.MapOrder}
	}
	if why := l.depends(r, kinds...); why != "" {
		f.Detail += "; the package " + why
	}
}

// trialTime bounds a trial: a reference whose calls wait takes long.
const trialTime = 4 * time.Second

var errTrial = errors.New("it took too long")

// Sizes of what is tried.
const (
	restlessCalls = 8   // of each sequence with pauses
	triedPairs    = 400 // sequences of two or three calls, at most
	triedWords    = 150
	triedCalls    = 16 // of each
	triedOften    = 24 // calls of one method in a row, before another
)

// tried are sequences that show what answers depend on: first those to be made with
// pauses, and shorter ones last, which are compared first.
func tried(methods []Method) (seqs [][]Call) {
	rng := rand.New(rand.NewPCG(1, 2))
	call := func(m, most int) Call {
		c := Call{Method: m}
		if rng.IntN(2) == 0 {
			if texts, ok := smallTexts(methods[m].Params, rng, most); ok {
				return Call{Method: m, Values: texts}
			}
		}
		for _, domain := range methods[m].ArgDomain {
			if domain == 0 || domain > most {
				domain = most
			}
			c.Args = append(c.Args, 1+rng.IntN(domain))
		}
		return c
	}
	random := func(n int) (seq []Call) {
		most := 1 + rng.IntN(4)
		for range n {
			seq = append(seq, call(rng.IntN(len(methods)), most))
		}
		return seq
	}
	for range driver.Restless { // with pauses
		seqs = append(seqs, random(restlessCalls))
	}
	for a := range methods {
		var often []Call
		for range triedOften {
			often = append(often, call(a, 1_000))
		}
		seqs = append(seqs, often)
		for b := range methods {
			seq := slices.Clone(often[:triedOften/2])
			for range triedOften / 2 {
				seq = append(seq, call(b, 1_000))
			}
			seqs = append(seqs, seq)
		}
	}
	for range triedWords {
		seqs = append(seqs, random(triedCalls))
	}
	for n := range min(triedPairs, 4*len(methods)*len(methods)) {
		seqs = append(seqs, []Call{call(n/len(methods)%len(methods), 2), call(n%len(methods), 2)})
	}
	return seqs
}

// smallTexts are arguments that a reference with indices looks at, too.
func smallTexts(params []values.Basic, rng *rand.Rand, most int) (texts []history.Value, ok bool) {
	for _, p := range params {
		n := rng.IntN(most)
		switch p.Kind {
		case values.KindInt, values.KindUint:
			texts = append(texts, history.Value(fmt.Sprint(n)))
		case values.KindString:
			texts = append(texts, history.Value(string(rune('a'+n%26))))
		case values.KindBool:
			texts = append(texts, history.Value(fmt.Sprint(n%2 == 0)))
		default:
			return nil, false
		}
	}
	return texts, len(texts) > 0
}

// elsewhere makes a client of another process of the same program: with these variables,
// and a pause now and then.
func (l *loader) elsewhere(pkg *Package, c *child, pause time.Duration, env ...string) *replayer {
	own := *l
	own.Stderr, own.Env = io.Discard, append(slices.Clone(l.Env), env...)
	config := c.config
	config.Pause, config.Timeout, config.Nonce = pause, min(l.Timeout, time.Second), ""
	known := pkg.Implementation.(*replayer)
	other := newClient(known.name, known.description, l.base, &child{loader: &own, exe: c.exe, dir: c.dir, config: config})
	other.called, other.because = known.called, known.because
	return &replayer{other}
}

// try runs a package whose answers may depend on more than the calls at different times,
// in different processes, with and without pauses. The error is a *Fault if answers do
// differ. What else goes wrong is for later calls to show; then, or if all is well, the
// notes say what was found in the code.
func (l *loader) try(ctx context.Context, pkg *Package, c *child) (notes []string, err error) {
	r := c.chance
	if _, deterministic := pkg.Implementation.(*replayer); !deterministic || len(r.Sources) == 0 {
		return nil, nil
	}
	pause := time.Duration(0)
	if r.Has(chance.Goroutine, chance.Select) {
		pause = time.Millisecond
	}
	if r.Has(chance.Timer) {
		pause = 12 * time.Millisecond
	}
	seqs := tried(pkg.Methods())
	mode := clock.Mode + "=" + clock.Restless
	whole := ctx
	ctx, cancel := context.WithTimeoutCause(whole, trialTime, errTrial)
	defer cancel()
	err = l.compare(ctx, seqs, l.elsewhere(pkg, c, pause, mode), l.elsewhere(pkg, c, 0, mode))
	var f *Fault
	if errors.As(err, &f) && r.Has(chance.Clock, chance.Timer) && r.Has(chance.Random, chance.Goroutine, chance.Select, chance.MapOrder, chance.Environment) {
		still := *r // is it the clock?
		still.Sources = slices.DeleteFunc(slices.Clone(r.Sources), func(s chance.Source) bool { return s.Kind <= chance.Timer })
		c.chance = &still
		again := l.compare(ctx, seqs, l.elsewhere(pkg, c, 0, clock.Mode+"="+clock.Still), l.elsewhere(pkg, c, 0, clock.Mode+"="+clock.Still))
		c.chance = r
		if g := (*Fault)(nil); errors.As(again, &g) && g.Reason == driver.Differs {
			return nil, g
		}
	}
	switch {
	case whole.Err() != nil:
		return nil, whole.Err()
	case ctx.Err() != nil:
		return l.notes(r, len(seqs), errTrial), nil
	case f != nil && (f.Reason == driver.Differs || f.Reason == driver.Elapses):
		return nil, f
	}
	return l.notes(r, len(seqs), err), nil
}

// notes say what was found in the code, and what came of it; err is why nothing did.
func (l *loader) notes(r *chance.Report, tried int, err error) (notes []string) {
	moved, fixed := *r, *r
	still := func(s chance.Source) bool { return s.Fixed && s.Kind != chance.Random }
	moved.Sources = slices.DeleteFunc(slices.Clone(r.Sources), still)
	fixed.Sources = slices.DeleteFunc(slices.Clone(r.Sources), func(s chance.Source) bool { return !still(s) })
	if why := l.depends(&moved, told...); why != "" && err == nil {
		notes = append(notes, fmt.Sprintf("the package %s; no answer depended on that in %d sequences of calls, at different times and in different processes", why, tried))
	} else if why != "" {
		notes = append(notes, fmt.Sprintf("the package %s; whether answers depend on that was not found out, for %s", why, brief(err)))
	}
	if why := l.depends(r, chance.Environment); why != "" { // another one is not made up: code may act on what it reads there
		notes = append(notes, "the package "+why+"; whether answers depend on that was not found out")
	}
	if why := l.depends(&fixed, told...); why != "" {
		notes = append(notes, "a package that it imports "+why+"; whether answers depend on that was not found out, for its files cannot be replaced: vendor it")
	}
	return notes
}

// brief is what went wrong, without the calls.
func brief(err error) string {
	var f *Fault
	if errors.As(err, &f) {
		return "a call " + f.Reason
	}
	return strings.TrimPrefix(err.Error(), "reference: ")
}

// compare compares what two processes answer, each of them twice.
func (l *loader) compare(ctx context.Context, seqs [][]Call, a, b *replayer) error {
	var second [][]Answer
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		second, failed = b.Replay(ctx, seqs)
	}()
	first, err := a.Replay(ctx, seqs)
	<-done
	a.back.(*child).kill()
	b.back.(*child).kill()
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	for i := len(seqs) - 1; i >= 0; i-- {
		for k := range first[i] {
			if k < len(second[i]) && first[i][k].Equal(second[i][k]) {
				continue
			}
			other := "no answer"
			if k < len(second[i]) {
				other = drawAnswer(second[i][k])
			}
			f := &driver.Fault{Reason: driver.Differs, Seq: i, At: k, Detail: fmt.Sprintf("%s in one process, %s in another", drawAnswer(first[i][k]), other)}
			return a.fault(0, f, func(i, at int) string { return drawCalls(seqs[i][:at+1], a.description) })
		}
	}
	return nil
}

// drawAnswer is an answer in words.
func drawAnswer(a Answer) string {
	if a.Blocked {
		return "blocked"
	}
	s := string(a.Outcome)
	for _, v := range a.Rets {
		s += " " + strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")")
	}
	return s
}
