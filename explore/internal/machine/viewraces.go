package machine

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Accesses are those of a view's next steps, by which races of two views are found that have the
// same Global.
type Accesses struct {
	Sum   string // equal for equal ones
	Plain bool   // one of them is no synchronization

	held []ir.Word
	list []viewAccess
}

// viewAccess is an access to an object: a global one, or one of a layout.
type viewAccess struct {
	access
	layout int32
	global bool
	locked []int32 // the slots of it that the thread has locked
	// ownedBy is of an object that is not global: the mark of who owns it; own, that it is the thread.
	ownedBy int32
	own     bool
}

// Accesses are those of the steps that Steps has made.
func (v *Viewer) Accesses() *Accesses {
	m := v.m
	x := &Accesses{held: v.inGlobals(m.base.threads[0].held)}
	var sum []byte
	for _, p := range x.held {
		sum = appendNumber(sum, p)
	}
	sum = append(sum, 0)
	for _, a := range m.accesses {
		i := m.dynamic(ir.Pointer(int(a.object), 0))
		if i < 0 || i >= len(m.base.objs) {
			continue // it is new
		}
		y := viewAccess{access: a, layout: m.base.objs[i].layout, global: i < v.globals}
		if !y.global {
			y.object = 0
			y.locked = v.slots(m.base.threads[0].held, int32(i))
			y.ownedBy, y.own = m.base.objs[i].ownedBy, len(v.slots(m.base.threads[0].owned, int32(i))) > 0
		}
		x.Plain = x.Plain || !a.atomic
		x.list = append(x.list, y)
		for _, n := range []int32{y.object, y.layout, y.slot, y.n, int32(boolWord(y.write)), int32(boolWord(y.atomic)), y.pos, y.ownedBy, int32(boolWord(y.own)), int32(len(y.locked))} {
			sum = appendNumber(sum, ir.Word(n))
		}
		for _, n := range y.locked {
			sum = appendNumber(sum, ir.Word(n))
		}
	}
	x.Sum = string(sum)
	return x
}

// Race is a race of steps of two views; nil if there is none. An object that no root reaches may be
// the same in both.
func (v *Viewer) Race(a, b *Accesses) *Fault {
	if both(a.held, b.held) {
		return nil
	}
	for i := range a.list {
		for j := range b.list {
			x, y := &a.list[i], &b.list[j]
			if x.atomic && y.atomic || !x.write && !y.write || x.global != y.global || x.layout != y.layout || x.object != y.object || x.ownedBy != y.ownedBy || x.own && y.own ||
				x.slot >= y.slot+y.n || y.slot >= x.slot+x.n || slices.ContainsFunc(x.locked, func(s int32) bool { return slices.Contains(y.locked, s) }) {
				continue
			}
			if !x.write {
				x, y = y, x
			}
			name := v.m.fieldName(&object{layout: x.layout}, int(x.slot))
			return &Fault{Kind: Race, Pos: x.pos, Also: y.pos, Text: fmt.Sprintf("%s may be %s while it is %s", name, x.verb(), y.verb())}
		}
	}
	return nil
}
