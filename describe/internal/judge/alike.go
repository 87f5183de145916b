package judge

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/reference"
)

// alike says which mutants do what the reference does: after each call of the words that
// were tried, the object is in the state in which the reference's is, and the answer is the
// same. So they answer alike whatever is called next, too.
type alike struct {
	mutants []bool
	states  int // different ones of the reference, in which calls were made
}

// alikeWalk is how many words are walked at a time.
const alikeWalk = 2_000

// compared compares the states that mutants leave with those that the reference leaves,
// where these can be copied and told apart: what breaks down there is left to words.
func (l *Lineup) compared(ctx context.Context) (*alike, error) {
	if l.alike != nil {
		return l.alike, nil
	}
	found := &alike{mutants: make([]bool, len(l.mutants))}
	w, err := l.walker(ctx)
	if w != nil {
		defer w.space.Close()
		if err = w.all(ctx); err == nil {
			for i := range l.mutants {
				found.mutants[i] = slices.Contains(w.open, i)
			}
			found.states = len(w.met)
		}
	}
	if ctx.Err() != nil {
		return nil, err
	}
	l.alike = found
	return found, nil
}

// walker walks words through the states of a reference.
type walker struct {
	*Lineup
	space states.Space
	calls map[string]int32 // their numbers
	met   map[int32]bool   // states in which calls were made
	open  []int            // mutants that do what the reference does, so far
}

// walker is nil if states cannot be copied, or not told apart.
func (l *Lineup) walker(ctx context.Context) (*walker, error) {
	impl := l.asked.Implementation
	if p, ok := impl.(*reference.Package); ok {
		impl = p.Implementation
	}
	k, ok := impl.(states.Keeper)
	if !ok {
		return nil, nil
	}
	space, err := k.States(ctx)
	if err != nil {
		return nil, err
	}
	w := &walker{Lineup: l, space: space, calls: map[string]int32{}, met: map[int32]bool{}}
	for i := range l.mutants {
		if l.mutants[i].effect != nil {
			w.open = append(w.open, i)
		}
	}
	if kept := space.Kept(); !kept.Copied || !kept.Interned {
		return nil, space.Close()
	}
	return w, nil
}

// all walks the words on which mutants are tried first.
func (w *walker) all(ctx context.Context) error {
	methods := w.asked.Methods()
	keys := []batchKey{{longWords, 0}, {randomWord, 0}}
	for n := uint64(shortCalls); n > 0; n-- {
		keys = slices.Insert(keys, 0, batchKey{shortWords, n})
	}
	for _, k := range keys {
		for chunk := range slices.Chunk(k.words(methods), alikeWalk) {
			if len(w.open) == 0 {
				return nil
			}
			if err := w.walk(ctx, chunk, k.kind == shortWords); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk walks some words side by side. If only their last calls are to be compared, the
// rest were in other words.
func (w *walker) walk(ctx context.Context, words []word, last bool) error {
	at := make([]int32, len(words)) // the state of each
	for i := 0; len(words) > 0; i++ {
		if err := w.foresee(ctx, words, at, i); err != nil {
			return err
		}
		live := 0
		for k, of := range words {
			next, answer, err := w.step(ctx, at[k], &of[i])
			if err != nil {
				return err
			}
			w.met[at[k]] = true
			if !last || i == len(of)-1 {
				if err := w.compare(ctx, of, i, at[k], next, answer); err != nil {
					return err
				}
			}
			if i+1 < len(of) && !w.space.Answer(answer).Blocked {
				words[live], at[live] = of, next
				live++
			}
		}
		words, at = words[:live], at[:live]
	}
	return nil
}

// foresee makes the steps of call i of all words at once.
func (w *walker) foresee(ctx context.Context, words []word, at []int32, i int) error {
	var pairs []states.Pair
	seen := map[states.Pair]bool{}
	for k, of := range words {
		call, err := w.call(&of[i])
		if err != nil {
			return err
		}
		if p := (states.Pair{State: at[k], Call: call}); !seen[p] {
			seen[p] = true
			pairs = append(pairs, p)
		}
	}
	return w.space.Walk(ctx, pairs)
}

// compare leaves out the mutants that do something else than the reference in call i of a
// word, which leads from one state to the next.
func (w *walker) compare(ctx context.Context, of word, i int, from, next, answer int32) (err error) {
	method := &w.asked.Methods()[of[i].Method]
	w.open = slices.DeleteFunc(w.open, func(m int) bool {
		if err != nil || w.mutants[m].Method != method.Name {
			return false
		}
		at, do := from, w.mutants[m].effect(of, i)
		if said := w.space.Answer(answer); len(do) == 0 && answersNothing(method) && said.Outcome != method.Outcomes[0].Outcome {
			return true // the mutant does not ask
		}
		for n, c := range do {
			var said int32
			if at, said, err = w.step(ctx, at, &c); err != nil {
				return false
			}
			if n == 0 && said != answer || n > 0 && w.space.Answer(said).Blocked {
				return true
			}
		}
		return at != next
	})
	return err
}

func (w *walker) step(ctx context.Context, from int32, c *reference.Call) (next, answer int32, err error) {
	call, err := w.call(c)
	if err != nil {
		return 0, 0, err
	}
	return w.space.Step(ctx, from, call, nil)
}

// call is the number of a call.
func (w *walker) call(c *reference.Call) (int32, error) {
	key := string(appendCall(nil, c))
	if n, ok := w.calls[key]; ok {
		return n, nil
	}
	m := &w.asked.Methods()[c.Method]
	l := history.Label{Kind: history.Kind{Method: m.Name}}
	for p, k := range c.Args {
		l.Args = append(l.Args, history.Value(m.Params[p].Numbered(k)))
	}
	n, err := w.space.Call(&l)
	w.calls[key] = n
	return n, err
}

func appendCall(b []byte, c *reference.Call) []byte {
	b = append(b, byte(c.Method))
	for _, k := range c.Args {
		b = append(b, byte(k), byte(k>>8), byte(k>>16))
	}
	return b
}
