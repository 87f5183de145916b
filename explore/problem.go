package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/observers"
	"github.com/adtinfer/adtinfer/explore/internal/search"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// problem is an exploration within bounds.
type problem struct {
	*loaded
	ctx     context.Context
	bounds  Bounds
	program *ir.Program
	list    *spec.List
	hash    trace.Hash
	shared  *machine.Shared
	answers *spec.Answers
	spec    spec.Spec
	sets    configurations
	raw     []int32 // the specification's numbers of the machine's answers, -1: not known yet

	// With a policy, sets is the monitor.
	monitor  *linear.Monitor
	observer *linear.Specification

	observers *observers.Running // of a theory, for any number of goroutines

	errors     map[int]string // the first error of an operation, without arguments
	uncompared string         // what of an answer the specification does not have
}

// problem prepares an exploration.
func (l *loaded) problem(ctx context.Context, b Bounds) (*problem, error) {
	within := *l.Options
	within.Bounds = b
	own := *l
	own.Options, own.runner = &within, nil
	p := &problem{loaded: &own, ctx: ctx, bounds: b, program: copied(l.program), answers: spec.NewAnswers(), errors: map[int]string{}}
	fresh, err := l.fresh()
	if err != nil {
		return nil, err
	}
	if p.list, err = spec.New(p.program, spec.Options{Values: b.Values, Most: b.Threads * b.Operations, Fresh: fresh, Nil: l.nils()}); err != nil {
		return nil, err
	}
	p.list.Whole, p.list.Errors = true, p.itself()
	p.hash = trace.HashOf(p.program, p.list.Calls)
	bounds := machine.Bounds{Threads: b.Threads, Ops: b.Operations, Calls: p.list.Calls}
	options := machine.Options{NoFusion: l.NoFusion, NoSymmetry: l.NoSymmetry, MostSteps: l.MaxSteps}
	if p.shared, err = machine.New(ctx, p.program, bounds, options); err != nil {
		return nil, err
	}
	return p, p.specify()
}

// nils reports whether nil is among the values of any. For a theory or a model, an answer that is nil is no value.
func (l *loaded) nils() bool { return l.Theory == nil && l.Model == "" }

// configurations are the sets of configurations of an exploration, or the states of a monitor.
type configurations interface {
	Start() int32
	Call(set int32, thread int, call int32) (int32, error)
	Return(set int32, thread int, answer int32) (int32, error)
	Permute(set int32, perm []uint8) int32
	MayWait(set int32, threads []int) (bool, error)
	Bytes() int64
	Save(w io.Writer) error
	Load(r io.Reader) error
}

// specify makes the specification, and sets of its configurations, or the policy's monitor.
func (p *problem) specify() (err error) {
	if p.spec, err = p.specification(p.ctx, p.list, p.answers); err != nil {
		return err
	}
	if p.program.Policy == nil {
		p.sets = p.newSets()
		return nil
	}
	p.observer = linear.OfSpec(p.spec)
	if p.Theory == nil && p.Model == "" && !p.AnyThreads { // its states are those of memory
		p.observer.Merging(int32(len(p.list.Calls)), p.list.Most)
	}
	p.monitor = linear.NewMonitor(p.observer, p.bounds.Threads)
	p.sets = p.monitor
	return nil
}

// newSets are the sets of configurations; of loose operations no answer counts that others overlap, but that none may panic.
func (p *problem) newSets() *linear.Sets {
	loose := linear.Loose{Calls: make([]bool, len(p.list.Calls)), Never: func(answer int32) bool { return p.answers.Answer(answer).Outcome == history.Panic }}
	for i, c := range p.list.Calls {
		loose.Calls[i] = slices.Contains(p.Loose, p.program.Ops[c.Op].Method)
	}
	return linear.NewLoose(p.spec, p.bounds.Threads, loose)
}

// search explores.
func (p *problem) search(ctx context.Context) (*search.Result, error) {
	sp := search.Problem{
		Threads:  p.bounds.Threads,
		Start:    p.shared.Start,
		Machine:  func() search.Machine { return p.shared.Machine() },
		Again:    p.shared.Again,
		Bytes:    func() int64 { return p.sets.Bytes() },
		Sets:     sets{p},
		Answer:   p.answer,
		Identity: p.identity(),
		Parts:    p.parts(),
	}
	var s *search.Search
	var unkept error
	kept := time.Now()
	o := search.Options{Workers: p.workers(), Memory: p.memory(), Progress: func(x search.Stats) {
		if p.Progress != nil {
			p.Progress(Progress{Doing: p.bounds.String(), States: int64(x.States), Rate: float64(x.States) / max(x.Elapsed.Seconds(), 1e-3)})
		}
		if p.Checkpoint != "" && time.Since(kept) > checkpointEvery {
			unkept = p.keep(s)
			kept = time.Now()
		}
	}}
	s, err := p.begin(sp, o)
	if err != nil {
		return nil, err
	}
	found, err := s.Run(ctx)
	if err == nil && p.Checkpoint != "" && !found.Complete && found.Finding == nil {
		unkept = p.keep(s)
	}
	return found, errors.Join(err, unkept)
}

// sets are the problem's sets of the moment: where a reference starts again, there
// are new ones.
type sets struct{ p *problem }

func (s sets) Start() int32 {
	return s.p.sets.Start()
}

func (s sets) Call(set int32, thread int, call int32) (int32, error) {
	next, err := s.p.sets.Call(set, thread, call)
	return next, s.p.again(err)
}

func (s sets) Return(set int32, thread int, answer int32) (int32, error) {
	next, err := s.p.returns(set, thread, answer)
	return next, s.p.again(err)
}

// Announce is for programs with a policy: others announce nothing.
func (s sets) Announce(set int32, thread int, answer int32) (int32, error) {
	next, err := s.p.monitor.Announce(set, thread, answer)
	return next, s.p.again(err)
}

func (s sets) Permute(set int32, perm []uint8) int32 { return s.p.sets.Permute(set, perm) }

func (s sets) MayWait(set int32, threads []int) (bool, error) {
	ok, err := s.p.sets.MayWait(set, threads)
	return ok, s.p.again(err)
}

// again makes the specification anew if its states are void.
func (p *problem) again(err error) error {
	if err != machine.ErrAgain {
		return err
	}
	if _, learns := p.spec.(spec.Learner); learns {
		return err
	}
	if wrong := p.specify(); wrong != nil {
		return wrong
	}
	return err
}

// answer is the specification's number of a machine's answer.
func (p *problem) answer(raw int32) (int32, error) {
	for int(raw) >= len(p.raw) {
		p.raw = append(p.raw, -1)
	}
	if p.raw[raw] < 0 {
		r := p.shared.Result(raw)
		switch text := p.list.Unnamed(&r); {
		case text != "" && p.ref != nil:
			return 0, &unnamed{p.list.Methods[r.Op].Name, text, p.against()}
		case text != "":
			return 0, fmt.Errorf("%s returned the error %q, which %s has no name for: have it return one of those that have names, or infer with --any-error", p.list.Methods[r.Op].Name, text, p.against())
		}
		if i := p.list.Unsaid(&r); i > 0 && !p.itself() {
			return 0, fmt.Errorf("result %d of %s has an error of a type of its own, or in another value, and what it says is not known here: test the package with adttest, or explore it against its own sequential runs, without a specification", i, p.list.Methods[r.Op].Name)
		}
		outcome, rets := p.compared(&r)
		p.raw[raw] = p.answers.Number(spec.Answer{Outcome: outcome, Rets: rets})
	}
	return p.raw[raw], nil
}

// arguments finds what may be an argument in an error's text.
var arguments = wording.Regexp(`\b([a-z]|[0-9]+)\b`)

// compared is an answer as the specification may have it. What of it the specification does
// not have is noted.
func (p *problem) compared(r *machine.Result) (history.Outcome, []history.Value) {
	if p.itself() {
		return p.list.Compared(r)
	}
	outcome, rets := p.list.Answer(r) // with what never stands beside an outcome, if that does
	_, text := p.list.Beside(r)
	text = arguments().ReplaceAllString(text, "_")
	if first, has := p.errors[r.Op]; text != "" && has && first != text {
		p.uncompared = cmp.Or(p.uncompared, fmt.Sprintf("%s returned the errors %s and %s, and %s has an error without saying which", p.list.Methods[r.Op].Name, first, text, p.against()))
	} else if text != "" && !has {
		p.errors[r.Op] = text
	}
	return outcome, rets
}

// whole says what keeps a verdict from being about all that operations answered; "" if
// nothing does.
func (p *problem) whole() string {
	if p.other != nil {
		return "answers were not compared as a whole: " + p.other.Error() + "; have it return errors of the reference's texts, or wrap those"
	}
	if p.uncompared == "" {
		return ""
	}
	return "answers were not compared as a whole: " + p.uncompared + "; explore the package against its own sequential runs, without a specification, or return one value that says all"
}

// memory is how many bytes an exploration may take.
func (p *problem) memory() int64 {
	if p.Memory > 0 {
		return p.Memory
	}
	return memory.Machine() / 2
}

// small reports whether more operations tell nothing new: there is nothing to call.
func (p *problem) small() bool { return len(p.list.Calls) == 0 }

// label is a call with its answer; with answer -1 it is pending.
func (p *problem) label(call, answer int32) history.Label {
	l := p.list.Labels[call]
	if answer >= 0 {
		r := p.shared.Result(answer)
		l.Outcome, l.Rets = p.list.Answer(&r)
	}
	return l
}

func (p *problem) words() trace.Words {
	return trace.Words{Label: p.label, Positions: p.program.Positions}
}

// at is a place in the source, in words.
func (p *problem) at(pos int32) string { return placeOf(p.program, pos) }

func placeOf(p *ir.Program, pos int32) string {
	if int(pos) >= len(p.Positions) || p.Positions[pos].Line == 0 {
		return "a place without a name"
	}
	x := p.Positions[pos]
	return fmt.Sprintf("%s:%d", x.File, x.Line)
}
