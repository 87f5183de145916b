package machine

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// kinds tells what words of objects and registers are, fast.
type kinds struct {
	p        *ir.Program
	noPtr    []bool    // by layout: no word is a pointer
	unboxed  []ir.Kind // by dynamic type: what its data word is; Ptr if boxed
	liveOver [][][]int32
	pooled   []bool // by layout: it is of what a pool holds
	pools    bool
}

func newKinds(p *ir.Program) *kinds {
	k := &kinds{p: p, noPtr: make([]bool, len(p.Layouts)), unboxed: make([]ir.Kind, len(p.Types))}
	for i, l := range p.Layouts {
		k.noPtr[i] = true
		for _, w := range l.Words {
			k.noPtr[i] = k.noPtr[i] && w == ir.Data
		}
	}
	for i, t := range p.Types {
		if i == 0 {
			continue
		}
		switch words := p.Layouts[t.Layout].Words; {
		case len(words) != 1:
			k.unboxed[i] = ir.Ptr
		default:
			k.unboxed[i] = words[0]
		}
	}
	k.liveOver = make([][][]int32, len(p.Funcs))
	k.pooled = make([]bool, len(p.Layouts))
	for i, f := range p.Funcs {
		k.liveOver[i] = make([][]int32, len(f.Code))
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.PoolPut {
				k.pooled[in.To], k.pools = true, true
			}
			k.liveOver[i][pc] = liveOver(f, pc)
		}
	}
	return k
}

// liveOver lists the registers of a caller that matter while the call at pc runs.
func liveOver(f *ir.Func, pc int) []int32 {
	in := &f.Code[pc]
	switch in.Op {
	case ir.RunDefers, ir.Panic:
		return f.Live[pc]
	case ir.Call, ir.CallClosure, ir.CallMethod:
	default: // it panics, and deferred calls run
		return f.Live[pc]
	}
	written := map[int32]bool{}
	in.Defs(func(reg, n int32) {
		for r := reg; r < reg+n; r++ {
			written[r] = true
		}
	})
	var live []int32
	for _, r := range f.Live[pc+1] {
		if !written[r] {
			live = append(live, r)
		}
	}
	if f.Recovers < 0 {
		return live
	}
	live = append(live, f.Live[f.Recovers]...) // if the call panics
	slices.Sort(live)
	return slices.Compact(live)
}

// live lists the registers of a thread's frame that matter.
func (k *kinds) live(t *thread, i int) []int32 {
	f := &t.frames[i]
	if i+1 < len(t.frames) {
		return k.liveOver[f.fn][f.pc]
	}
	return k.p.Funcs[f.fn].Live[f.pc]
}

// at is the kind of word i of an object with a layout, whose type word, if it is
// Dynamic, is before.
func (k *kinds) at(l *ir.Layout, i int, before ir.Word) ir.Kind {
	if l.Special == ir.Chan {
		if i -= ir.ChanHeader; i < 0 {
			return ir.Data
		}
	}
	kind := l.Words[i%len(l.Words)]
	if kind == ir.Dynamic {
		return k.unboxed[before]
	}
	return kind
}

// register is the kind of register r of a frame.
func (k *kinds) register(f *ir.Func, regs []ir.Word, r int32) ir.Kind {
	kind := f.Kinds[r]
	if kind == ir.Dynamic {
		return k.unboxed[regs[r-1]]
	}
	return kind
}
