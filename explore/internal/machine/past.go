package machine

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// MostThreads is how many threads there may be.
const MostThreads = 64

// Access is one to N words from where At points.
type Access struct {
	At            ir.Word
	N             int32
	Write, Atomic bool
	Pos           int32 // in Program.Positions
}

// known is an access, and who knows of it.
type known struct {
	Access
	threads uint64
	tokens  []ir.Word // where synchronization operations have left it, sorted
}

// Past is the accesses that some thread does not know of.
type Past struct{ all []known }

// CopyFrom makes a past equal to another one.
func (p *Past) CopyFrom(from *Past) {
	p.all = slices.Grow(p.all[:0], len(from.all))[:len(from.all)]
	for i := range from.all {
		a, b := &p.all[i], &from.all[i]
		tokens := append(a.tokens[:0], b.tokens...)
		*a = *b
		a.tokens = tokens
	}
}

// Len is how many accesses are kept.
func (p *Past) Len() int { return len(p.all) }

// overlap reports whether two accesses have a word in common.
func (a *Access) overlap(b *Access) bool {
	return ir.Object(a.At) == ir.Object(b.At) && ir.Slot(a.At) < ir.Slot(b.At)+int(b.N) && ir.Slot(b.At) < ir.Slot(a.At)+int(a.N)
}

// Conflict is an access that is not ordered before one that a thread is about to make, though one of them
// writes and one is plain; nil if there is none.
func (p *Past) Conflict(thread int, a Access) *Access {
	for i := range p.all {
		b := &p.all[i]
		if b.threads>>thread&1 == 0 && (a.Write || b.Write) && !(a.Atomic && b.Atomic) && a.overlap(&b.Access) {
			return &b.Access
		}
	}
	return nil
}

// Add keeps an access that a thread makes.
func (p *Past) Add(thread int, a Access) {
	p.all = slices.DeleteFunc(p.all, func(b known) bool {
		return b.threads>>thread&1 != 0 && a.covers(&b.Access)
	})
	p.all = append(p.all, known{Access: a, threads: 1 << thread})
}

// covers reports whether all that conflicts with b conflicts with a.
func (a *Access) covers(b *Access) bool {
	return ir.Object(a.At) == ir.Object(b.At) && ir.Slot(a.At) <= ir.Slot(b.At) && ir.Slot(b.At)+int(b.N) <= ir.Slot(a.At)+int(a.N) &&
		(a.Write || !b.Write) && (!a.Atomic || b.Atomic)
}

// Acquire lets a thread know of what was left in a token, and reports whether that is anything new.
func (p *Past) Acquire(thread int, token ir.Word) (learns bool) {
	for i := range p.all {
		a := &p.all[i]
		if a.threads>>thread&1 != 0 {
			continue
		}
		if _, ok := slices.BinarySearch(a.tokens, token); ok {
			a.threads |= 1 << thread
			learns = true
		}
	}
	return learns
}

// Release leaves what a thread knows in a token, besides what is there.
func (p *Past) Release(thread int, token ir.Word) { p.leave(thread, token, false) }

// Replace leaves what a thread knows in a token, instead of what is there.
func (p *Past) Replace(thread int, token ir.Word) { p.leave(thread, token, true) }

func (p *Past) leave(thread int, token ir.Word, instead bool) {
	for i := range p.all {
		a := &p.all[i]
		at, there := slices.BinarySearch(a.tokens, token)
		switch knows := a.threads>>thread&1 != 0; {
		case knows && !there:
			a.tokens = slices.Insert(a.tokens, at, token)
		case !knows && there && instead:
			a.tokens = slices.Delete(a.tokens, at, at+1)
		}
	}
}

// Move gives tokens other names: what goes to 0 is forgotten.
func (p *Past) Move(to func(token ir.Word) ir.Word) {
	for i := range p.all {
		a := &p.all[i]
		for j, x := range a.tokens {
			a.tokens[j] = to(x)
		}
		a.tokens = slices.DeleteFunc(a.tokens, func(x ir.Word) bool { return x == 0 })
		slices.Sort(a.tokens)
	}
}

// Pass lets a thread know of what another one knows.
func (p *Past) Pass(from, to int) {
	for i := range p.all {
		if a := &p.all[i]; a.threads>>from&1 != 0 {
			a.threads |= 1 << to
		}
	}
}

// Begin lets a new thread know of what the one knows that starts it, and nothing else.
func (p *Past) Begin(by, thread int) {
	for i := range p.all {
		p.all[i].threads &^= 1 << thread
	}
	p.Pass(by, thread)
}

// Swap exchanges two threads.
func (p *Past) Swap(t, u int) {
	for i := range p.all {
		a := &p.all[i]
		if a.threads>>t&1 != a.threads>>u&1 {
			a.threads ^= 1<<t | 1<<u
		}
	}
}

// Unknown appends to out, in a form that does not depend on names, what a thread does not know of.
func (p *Past) Unknown(out []byte, thread int) []byte {
	var all [][]byte
	for i := range p.all {
		if a := &p.all[i]; a.threads>>thread&1 == 0 {
			all = append(all, append(a.Access.kind(nil), byte(ir.Slot(a.At))))
		}
	}
	slices.SortFunc(all, bytes.Compare)
	return append(out, bytes.Join(all, nil)...)
}

// kind appends all of an access but its place.
func (a *Access) kind(out []byte) []byte {
	bits := ir.Word(0)
	if a.Write {
		bits |= 1
	}
	if a.Atomic {
		bits |= 2
	}
	out = binary.AppendUvarint(out, ir.Word(a.Pos)<<2|bits)
	return binary.AppendUvarint(out, ir.Word(a.N))
}

// Append appends the past in a canonical form. name is where in it a pointer points; ok is false if that
// is garbage. order[i] is the thread that is thread i there; what those of alive know is forgotten.
func (p *Past) Append(out []byte, name func(ir.Word) (to ir.Word, ok bool), order []uint8, alive uint64) []byte {
	var forms [][]byte
	for i := range p.all {
		a := &p.all[i]
		at, ok := name(a.At)
		if !ok || a.threads&alive == alive {
			continue
		}
		threads := ir.Word(0)
		for i, t := range order {
			threads |= a.threads >> t & 1 << i
		}
		var tokens []ir.Word
		for _, x := range a.tokens {
			if to, ok := name(x); ok {
				tokens = append(tokens, to)
			}
		}
		slices.Sort(tokens)
		form := binary.AppendUvarint(a.kind(binary.AppendUvarint(nil, at)), threads)
		form = binary.AppendUvarint(form, ir.Word(len(tokens)))
		for _, x := range tokens {
			form = binary.AppendUvarint(form, x)
		}
		forms = append(forms, form)
	}
	slices.SortFunc(forms, bytes.Compare)
	forms = slices.CompactFunc(forms, bytes.Equal)
	out = binary.AppendUvarint(out, ir.Word(len(forms)))
	for _, f := range forms {
		out = append(out, f...)
	}
	return out
}

// Read reads what Append has written.
func (p *Past) Read(number func() ir.Word) {
	n := int(number())
	p.all = slices.Grow(p.all[:0], n)[:n]
	for i := range p.all {
		a := &p.all[i]
		a.At = number()
		kind := number()
		a.Pos, a.Write, a.Atomic = int32(kind>>2), kind&1 != 0, kind&2 != 0
		a.N, a.threads = int32(number()), number()
		a.tokens = a.tokens[:0]
		for n := number(); n > 0; n-- {
			a.tokens = append(a.tokens, number())
		}
	}
}
