package machine

import (
	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// access is one to words that others see.
type access struct {
	thread, object, slot, n int32
	write, atomic           bool
	pos                     int32
}

// race finds two accesses of different threads that could be next at the same
// time, of which one writes and one is plain. Threads in twins stand for several.
func (m *Machine) race(twins uint64) *Fault {
	plain := false
	for i := range m.accesses {
		plain = plain || !m.accesses[i].atomic
	}
	if !plain {
		return nil
	}
	there := m.shared.base + int32(len(m.base.objs)-len(m.shared.permanent)) // others are new, and of one step alone
	for i := range m.accesses {
		a := &m.accesses[i]
		for j := 0; j <= i; j++ {
			b := &m.accesses[j]
			if a.object != b.object || a.object > there || a.atomic && b.atomic || !a.write && !b.write ||
				a.slot >= b.slot+b.n || b.slot >= a.slot+a.n || a.thread == b.thread && twins>>a.thread&1 == 0 {
				continue
			}
			first, second := b, a
			if !first.write && second.write {
				first, second = second, first
			}
			return &Fault{Kind: Race, Pos: first.pos, Also: second.pos, Threads: []int{int(first.thread), int(second.thread)},
				Text: fmt.Sprintf("%s is %s while it is %s", m.field(first), first.verb(), second.verb())}
		}
	}
	return nil
}

func (a *access) verb() string {
	how := "read"
	if a.write {
		how = "written"
	}
	if a.atomic {
		how += " atomically"
	}
	return how
}

// field names the word of an access.
func (m *Machine) field(a *access) string {
	o, _ := m.find(ir.Pointer(int(a.object), 0))
	return m.fieldName(o, int(a.slot))
}

// fieldName names a word of an object by its type and field.
func (m *Machine) fieldName(o *object, slot int) string {
	l := m.prog.Layouts[o.layout]
	i := slot % max(len(l.Words), 1)
	if l.Special == ir.Map {
		return "the " + l.Name
	}
	if i < len(l.Fields) && l.Fields[i] != "" {
		return l.Name + "." + l.Fields[i]
	}
	return l.Name
}
