package history

import "strings"

// quickVisit is what a visit needs for quick lines.
type quickVisit struct {
	quickLines
	methods []quickMethod // by number
	room    [1]string     // for the value of an event
}

// quickMethod is how many values a method takes and returns.
type quickMethod struct {
	args int
	none bool // it may return nothing
	one  bool // it may return one value that names no outcome
}

func newQuickVisit(sig Signature) (q quickVisit) {
	for i := range sig.methods {
		m := &sig.methods[i]
		none, _, okNone := m.answer(Raw{}, 0)
		one, _, okOne := m.answer(Raw{Text: "1"}, 1)
		q.methods = append(q.methods, quickMethod{m.Args, okNone && none == None, okOne && one == Some})
	}
	return q
}

// reserve makes room for as many operations as a log has if it goes on as it
// begins.
func (w *visit) reserve(src string) {
	head := src[:min(len(src), 1<<16)]
	ops := strings.Count(head, "\n") * (len(src)/max(len(head), 1) + 1) / 2
	ops += ops/16 + 16
	w.ops.small, w.methods = make([]int32, ops), make([]uint16, 0, ops)
}

// quickly visits the events of a text log as long as their lines are quick.
func (w *visit) quickly(l *plainLog) {
	for {
		number, method, value, next := w.quick.read(l.src, l.at)
		if next == 0 || !w.quickEvent(number, method, value) {
			return
		}
		l.at = next
		l.rd.no++
	}
}

// quickEvent is event for a quick line. If it says no, the line is for event; and
// if the visitor said no, event will refuse it, since it was visited.
func (w *visit) quickEvent(number, method int, value string) bool {
	if number >= len(w.ops.small) || len(w.ops.rest) > 0 {
		return false
	}
	place := &w.ops.small[number]
	i := int(*place) - 1
	values := w.quick.room[:0]
	if value != "" {
		values = w.quick.room[:1]
		values[0] = value
	}
	if method != returned {
		if i >= 0 || w.quick.methods[method].args != len(values) {
			return false
		}
		w.ops.count++
		*place = int32(len(w.methods)) + 1
		w.methods = append(w.methods, uint16(method)+1)
		return w.v.Call(method, values)
	}
	if i < 0 || w.methods[i] == 0 {
		return false
	}
	var first Raw
	if len(values) > 0 {
		first.Text = value
	}
	outcome, named, ok := w.answer(int(w.methods[i])-1, first, len(values))
	if !ok {
		return false
	}
	w.methods[i] = 0
	return w.v.Return(i, outcome, values[named:])
}

// answer is MethodSig.answer. Values that begin with a digit name no outcome.
func (w *visit) answer(m int, first Raw, n int) (o Outcome, named int, ok bool) {
	q := &w.quick.methods[m]
	if n == 0 && q.none {
		return None, 0, true
	}
	if n == 1 && first.Text != "" && first.Text[0]-'0' <= 9 && q.one {
		return Some, 0, true
	}
	return w.sig.methods[m].answer(first, n)
}
