package explore_test

import "github.com/adtinfer/adtinfer/explore"

// cellPolicies are the policies of the algorithms in compared.
var cellPolicies = map[string]struct {
	states  [2]int64
	mutants []policyMutant
}{
	flaggedCell:    {[2]int64{4_697, 4_736}, flaggedCellMutants},
	controlledCell: {[2]int64{28_124, 27_895}, controlledCellMutants},
}

func init() {
	for _, c := range compared {
		own := cellPolicies[c.of]
		p := &policed{of: c.of, new: c.new, reference: c.reference, referenceNew: c.referenceNew, states: own.states, mutants: own.mutants}
		for _, m := range comparedMutants {
			if m.of == c.of {
				p.mutants = append(p.mutants, policyMutant{m.name, m.edits, m.want, m.at, stillRight[m.name]})
			}
		}
		policies = append(policies, p)
	}
}

// stillRight says why mistakes in the code of cells are none.
var stillRight = map[string]string{
	"nobody helps":                   "others wait for who made the descriptor, which is slower only",
	"the control is looked at again": "the control had the value at either time, and the operation was under way",
}

var flaggedCellMutants = []policyMutant{
	{"a failing operation is not announced", []string{"\t\t\t//lin: ccas(old, new) = now.value\n", ""}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"a failing operation is announced before it is one", []string{"\t\t\t//lin: ccas(old, new) = now.value\n", "", "\t\tif now.value != old {\n", "\t\t//lin: ccas(old, new) = now.value\n\t\tif now.value != old {\n"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"a failing operation announces what was expected", []string{"\t\t\t//lin: ccas(old, new) = now.value\n", "\t\t\t//lin: ccas(old, new) = old\n"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"reads are not announced", []string{"\t\t\t//lin: read() = now.value\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"reads of descriptors are announced", []string{"\t\t\t//lin: read() = now.value\n", "", "\t\tif !now.pending {\n", "\t\t//lin: read() = now.value\n\t\tif !now.pending {\n"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"a read announces 1", []string{"read() = now.value", "read() = 1"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"flags are not announced", []string{"setFlag(set); broadcast", "broadcast"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"flags are announced before", []string{"\tc.flag.Store(set)\n\t//lin: setFlag(set); broadcast flagged(set)\n", "\t//lin: setFlag(set); broadcast flagged(set)\n\tc.flag.Store(set)\n"}, explore.Holds, bounds(3, 1, 2), "a call and its first synchronization are one step"},
	{"flags are not broadcast", []string{"; broadcast flagged(set)", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"flags are received before", []string{"receive after flagged", "receive before flagged"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"any flag will do", []string{"in waiting if set == changes:", "in waiting:"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"nobody need wait for the flag", []string{"in waiting if set", "if set"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"nobody waits for the flag", []string{"\t\t\t//lin: if c.flag.Load() != changes: goto waiting\n", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"the flag that comes last counts", []string{"ccas(old, new) = old; goto start", "ccas(old, new) = old"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"what was guessed of others' descriptors never turns out", []string{"//lin:receive before completed(x *content, set bool) if owns(x): assume changes == set\n", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"what was guessed of the own descriptor never turns out", []string{"\t//lin: if owns(d): assume changes == set\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"a descriptor is not owned", []string{"\t\t\t//lin: own d\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"the descriptor's guess turns out late", []string{"receive before completed", "receive after completed"}, explore.Holds, bounds(3, 1, 2), "without an announcement before and after are the same"},
	{"what was guessed of others' descriptors turns out wrong", []string{"if owns(x): assume changes == set", "if owns(x): assume changes == !set"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"the outcome is announced as it is now", []string{"\t\t\t//lin: if c.flag.Load() == changes: ccas(old, new) = old\n", "\t\t\t//lin: ccas(old, new) = old\n"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"the outcome is not announced at once", []string{"\t\t\t//lin: if c.flag.Load() == changes: ccas(old, new) = old\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"the outcome is announced when it is there", []string{"\t\t\t//lin: if c.flag.Load() == changes: ccas(old, new) = old\n", "", "\t\t\tc.complete(d)\n\t\t\treturn old", "\t\t\tc.complete(d)\n\t\t\t//lin: ccas(old, new) = old\n\t\t\treturn old"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"announced before the descriptor is there", []string{"\t\t\t//lin: if c.flag.Load() == changes: ccas(old, new) = old\n", "", "\t\tif c.content.CompareAndSwap(now, d) {", "\t\t//lin: ccas(old, new) = old\n\t\tif c.content.CompareAndSwap(now, d) {"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"the result is what is new", []string{"ccas(old, new) = old\n\t\t\t//", "ccas(old, new) = new\n\t\t\t//"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
}

var controlledCellMutants = []policyMutant{
	{"a failing operation is not announced", []string{"\t\t\t//lin: rdcss(control, old, new) = was.value\n", ""}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"a failing operation is announced before it is one", []string{"\t\t\t//lin: rdcss(control, old, new) = was.value\n", "", "\t\tif was.value != old {\n", "\t\t//lin: rdcss(control, old, new) = was.value\n\t\tif was.value != old {\n"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"a failing operation announces what was expected", []string{"\t\t\t//lin: rdcss(control, old, new) = was.value\n", "\t\t\t//lin: rdcss(control, old, new) = old\n"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
	{"reads are not announced", []string{"\t//lin: read() = w.value\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"a read announces 1", []string{"read() = w.value", "read() = 1"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"controls are not announced", []string{"setControl(control); broadcast", "broadcast"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"controls are announced before", []string{"\tc.control.Store(int64(control))\n\t//lin: setControl(control); broadcast written(control)\n", "\t//lin: setControl(control); broadcast written(control)\n\tc.control.Store(int64(control))\n"}, explore.Holds, bounds(3, 1, 2), "a call and its first synchronization are one step"},
	{"controls are not broadcast", []string{"; broadcast written(control)", ""}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"controls are received before", []string{"receive after written", "receive before written"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"any control will do", []string{"in waiting if (v == control) == changes:", "in waiting:"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"nobody need wait for the control", []string{"in waiting if (v", "if (v"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"nobody waits for the control", []string{"\t\t\t//lin: if (c.control.Load() == int64(control)) != changes: goto waiting\n", ""}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"the control that comes last counts", []string{"rdcss(control, old, new) = old; goto start", "rdcss(control, old, new) = old"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"what was guessed of others' operations never turns out", []string{"//lin:receive before decided(x *word, equal bool) if owns(x): assume changes == equal\n", ""}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"what was guessed of the own operation never turns out", []string{"\t//lin: if owns(w): assume changes == equal\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"what was guessed of others' operations turns out wrong", []string{"if owns(x): assume changes == equal", "if owns(x): assume changes == !equal"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"an operation is not owned", []string{"\t\t\t//lin: own w\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"the outcome is announced as it is now", []string{"\t\t\t//lin: if (c.control.Load() == int64(control)) == changes: rdcss(control, old, new) = old\n", "\t\t\t//lin: rdcss(control, old, new) = old\n"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"the outcome is not announced at once", []string{"\t\t\t//lin: if (c.control.Load() == int64(control)) == changes: rdcss(control, old, new) = old\n", ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"the outcome is announced when it is there", []string{"\t\t\t//lin: if (c.control.Load() == int64(control)) == changes: rdcss(control, old, new) = old\n", "", "\t\t\tc.decide(w)\n\t\t\treturn old", "\t\t\tc.decide(w)\n\t\t\t//lin: rdcss(control, old, new) = old\n\t\t\treturn old"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"announced before the operation is there", []string{"\t\t\t//lin: if (c.control.Load() == int64(control)) == changes: rdcss(control, old, new) = old\n", "", "\t\tif c.data.CompareAndSwap(was, w) {", "\t\t//lin: rdcss(control, old, new) = old\n\t\tif c.data.CompareAndSwap(was, w) {"}, explore.WrongPolicy, bounds(2, 1, 2), ""},
	{"the result is what is new", []string{"changes: rdcss(control, old, new) = old\n", "changes: rdcss(control, old, new) = new\n"}, explore.WrongPolicy, bounds(1, 1, 2), ""},
}
