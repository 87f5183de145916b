package lower

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

func (a *activation) atomic(in *ir.Instr) string {
	if a.get(in.A) == 0 {
		return nilText
	}
	w := a.m.at(a.get(in.A))
	must := func(ok bool) {
		if !ok {
			panic(stuck{in.Op.String() + " waits or fails"})
		}
	}
	switch in.Op {
	case ir.AtomicLoad:
		a.set(in.Dst, slices.Clone(w[:in.N])...)
	case ir.AtomicStore:
		copy(w, a.gets(in.B, in.N))
	case ir.AtomicSwap:
		old := slices.Clone(w[:in.N])
		copy(w, a.gets(in.B, in.N))
		a.set(in.Dst, old...)
	case ir.AtomicCAS:
		equal, text := a.m.same(a.m.p.Layouts[in.To], w[:in.N], a.gets(in.B, in.N))
		if text != "" {
			return text
		}
		if equal {
			copy(w, a.gets(in.C, in.N))
		}
		a.set(in.Dst, truth(equal))
	case ir.AtomicAdd:
		w[0] = wrap(in.Num, w[0]+a.get(in.B))
		a.set(in.Dst, w[0])
	case ir.AtomicAnd:
		old := w[0]
		w[0] &= a.get(in.B)
		a.set(in.Dst, old)
	case ir.AtomicOr:
		old := w[0]
		w[0] |= a.get(in.B)
		a.set(in.Dst, old)
	case ir.Lock, ir.TryLock:
		must(w[0] == 0 || in.Op == ir.TryLock)
		if in.Op == ir.TryLock {
			a.set(in.Dst, truth(w[0] == 0))
		}
		w[0] = 1
	case ir.Unlock:
		must(w[0] == 1)
		w[0] = 0
	case ir.RLock:
		must(w[0] != ir.RWWriter)
		w[0]++
	case ir.RUnlock:
		must(w[0] != ir.RWWriter && w[0] > 0)
		w[0]--
	case ir.WAnnounce:
		w[1]++
	case ir.WLock:
		must(w[0] == 0)
		w[0] = ir.RWWriter
		w[1]--
	case ir.WUnlock:
		must(w[0] == ir.RWWriter)
		w[0] = 0
	case ir.WGAdd:
		w[0] += a.get(in.B)
	case ir.WGWait:
		must(w[0] == 0)
	default:
		must(false)
	}
	return ""
}

func (a *activation) channel(in *ir.Instr) string {
	m := a.m
	ch := func(x int32) *object {
		if a.get(x) == 0 {
			panic(stuck{"waits at a nil channel"})
		}
		return m.objs[ir.Object(a.get(x))]
	}
	switch in.Op {
	case ir.MakeChan:
		o := m.object(int(in.To), 0)
		o.size = int(a.get(in.A))
		a.set(in.Dst, m.last())
	case ir.Send:
		o := ch(in.A)
		if o.closed {
			return "send on closed channel"
		}
		if len(o.queue) == o.size {
			panic(stuck{"send waits"})
		}
		o.queue = append(o.queue, a.gets(in.B, in.N))
	case ir.Recv:
		v, ok := a.receive(ch(in.A), in.N)
		a.set(in.Dst, v...)
		if in.M == 1 {
			a.set(in.Dst+in.N, truth(ok))
		}
	case ir.Close:
		if a.get(in.A) == 0 {
			return "close of nil channel"
		}
		if ch(in.A).closed {
			return "close of closed channel"
		}
		ch(in.A).closed = true
	case ir.ChanLen:
		n := 0
		if a.get(in.A) != 0 {
			n = len(ch(in.A).queue)
			if in.M == 1 {
				n = ch(in.A).size
			}
		}
		a.set(in.Dst, ir.Word(n))
	case ir.Select:
		return a.selects(in)
	}
	return ""
}

func (a *activation) receive(o *object, n int32) ([]ir.Word, bool) {
	if len(o.queue) == 0 {
		if !o.closed {
			panic(stuck{"receive waits"})
		}
		return make([]ir.Word, n), false
	}
	v := o.queue[0]
	o.queue = o.queue[1:]
	return v, true
}

// selects takes the first case that can go on.
func (a *activation) selects(in *ir.Instr) string {
	for i := 0; i < len(in.Args); i += 3 {
		p := a.get(in.Args[i].At)
		if p == 0 {
			continue
		}
		o, send, recv := a.m.objs[ir.Object(p)], in.Args[i+1], in.Args[i+2]
		switch {
		case send.N > 0 && o.closed:
			return "send on closed channel"
		case send.N > 0 && len(o.queue) < o.size:
			o.queue = append(o.queue, a.gets(send.At, send.N))
			a.set(in.Dst, ir.Word(i/3), 0)
			return ""
		case recv.N > 0 && (len(o.queue) > 0 || o.closed):
			v, ok := a.receive(o, recv.N)
			a.set(recv.At, v...)
			a.set(in.Dst, ir.Word(i/3), truth(ok))
			return ""
		}
	}
	if in.M == 0 {
		panic(stuck{"select waits"})
	}
	a.set(in.Dst, ^ir.Word(0), 0)
	return ""
}
