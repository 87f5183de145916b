package check

import (
	"cmp"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// minDirect is the length in bytes of a text log that a near-linear procedure is
// offered before the log is read with care: one of some thousand operations.
const minDirect = 128 << 10

// direct decides a text log in one go with reading it, if the engine would ask a
// near-linear procedure and that has nothing to object to. It is false if the
// log has to be read, from the reader that it returns.
func (b *Batch) direct(engine Engine, in io.Reader, r *Report) (io.Reader, bool) {
	p, ok := engine.(prepared)
	if !ok || b.Witness || p.theory != b.Theory {
		return in, false
	}
	switch p.Engine.(type) {
	case Auto, Monitor:
	default:
		return in, false
	}
	in, binary := sniff(in)
	if binary {
		return in, false
	}
	src, rest, ok := history.ReadText(in)
	if !ok {
		return rest, false
	}
	rest = strings.NewReader(src)
	if len(src) < cmp.Or(b.directBytes, minDirect) {
		return rest, false
	}
	m := procedureFor(p.Engine, p.compiled)
	if m == nil {
		return rest, false
	}
	ops, events, ok := m.Accepts(src, b.Signature)
	if !ok || ops < cmp.Or(b.directOps, minMonitor) {
		return rest, false
	}
	r.Ops = ops
	r.Result = Result{Verdict: Linearizable, Engine: Monitor{}.Name(), Events: events}
	if name := p.Engine.Name(); name != r.Result.Engine {
		r.Result.Engine = name + ": " + r.Result.Engine
	}
	return nil, true
}
