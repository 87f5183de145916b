package explore

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/theory"
)

// Options says what to explore. The zero value is the package in the working
// directory, held against its own sequential runs, within bounds that grow.
type Options struct {
	// Dir is the folder of the package, Type the type to explore if there are several, New a
	// Go expression of the package that makes the object: New(4), &Ring{N: 4}. Tags are
	// build tags.
	Dir, Type, New string
	Tags           []string

	// Skip are operations that are left out; if Only is not empty, all but these are. The verdict says so.
	Skip, Only []string

	// What the operations are held against: a theory, a reference (the folder of a
	// package; ReferenceNew makes its object) or a built-in model. Without any, what
	// the operations do one after the other.
	Theory                  *theory.Theory
	Reference, ReferenceNew string
	Model                   string

	// MayFail are answers that are allowed in every state, and change nothing:
	// METHOD=OUTCOME. Aliases are names that the package has for the methods of the
	// specification, by method.
	MayFail []string
	Aliases map[string][]string

	// Loose are operations, such as statistics, whose answers count only where no other operation overlaps them.
	Loose []string

	// Fresh are operations whose first argument is another value in each call: of a queue
	// or stack, this loses nothing and is faster. A Theory says so itself.
	Fresh []string

	// Bounds is how much is explored. Fields that are 0 grow until the context ends,
	// or there is no more to learn.
	Bounds Bounds

	// Policy has the package's directives (//lin:) checked: its linearization policy.
	Policy bool
	// AnyThreads has the policy proved for any number of goroutines and operations, with
	// Bounds.Values values, 2 if that is 0. Cap bounds the objects that one goroutine reaches, 0 for
	// none: then there must be finitely many.
	AnyThreads bool
	Cap        int

	// Leaks makes a goroutine that waits for ever after its operation has returned a finding.
	Leaks bool

	// Memory is how many bytes the states may take, 0 for half of what the machine
	// has. Workers is how many processors are used, 0 for all.
	Memory  int64
	Workers int

	// MaxSteps is how many instructions there may be between two accesses to what other goroutines see, 0 for
	// 2^26: what goes beyond is not explored.
	MaxSteps int

	// All has drawings show all steps. Without it reads that a goroutine makes one after the other are one line, and so
	// are its reads and writes in libraries.
	All bool

	// Progress, if it is there, is called now and then.
	Progress func(Progress)

	// Checkpoint is a file in which a run that does not end keeps what it has explored, and
	// Resume one to go on from.
	Checkpoint, Resume string

	// What makes exploring faster and changes no verdict, switched off.
	NoFusion, NoSymmetry bool

	recorded bool // the calls are those of a history that a test recorded
}

// Progress is how far a run is.
type Progress struct {
	Doing  string // in words
	States int64  // at the bounds at hand
	Rate   float64
}

func (o *Options) validate() error {
	b, given := o.Bounds, 0
	for _, is := range []bool{o.Theory != nil, o.Reference != "", o.Model != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("explore: a theory, a reference and a model are three specifications; give one")
	case o.ReferenceNew != "" && o.Reference == "":
		return errors.New("explore: ReferenceNew needs a Reference")
	case b.Threads < 0 || b.Operations < 0 || b.Values < 0:
		return fmt.Errorf("explore: bounds must not be negative: %d goroutines, %d operations, %d values", b.Threads, b.Operations, b.Values)
	case b.Threads > linear.MostThreads:
		return fmt.Errorf("explore: at most %d goroutines can be explored, not %d", linear.MostThreads, b.Threads)
	case o.AnyThreads && (!o.Policy || b.Threads > 0 || b.Operations > 0 || o.Checkpoint != "" || o.Resume != ""):
		return errors.New("explore: a proof for any number of goroutines and operations needs Policy, no bounds except for values, and no checkpoints")
	case o.Cap < 0 || o.Cap > 0 && !o.AnyThreads:
		return errors.New("explore: Cap needs AnyThreads, and must not be negative")
	case o.Policy && len(o.Loose) > 0:
		return errors.New("explore: a policy says when each operation takes effect, so Policy and Loose cannot be used together")
	case o.Policy && o.NoFusion:
		return errors.New("explore: a directive takes effect within a step, so steps must be whole: Policy and NoFusion cannot be used together")
	case o.Memory < 0 || o.Workers < 0 || o.MaxSteps < 0:
		return errors.New("explore: Memory, Workers and MaxSteps must not be negative")
	}
	return nil
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// report tells the user what is being done.
func (o *Options) report(doing string, states int64, since time.Time) {
	if o.Progress == nil {
		return
	}
	p := Progress{Doing: doing, States: states}
	if s := time.Since(since).Seconds(); s > 0 && states > 0 {
		p.Rate = float64(states) / s
	}
	o.Progress(p)
}
