package explore_test

import "github.com/adtinfer/adtinfer/explore"

func init() {
	p := &policed{of: unorderedSet, states: [2]int64{62_194, 16_828}, mutants: unorderedPolicyMutants}
	for _, m := range unorderedMutants {
		p.mutants = append(p.mutants, policyMutant{m.name, m.edits, m.want, m.at, unorderedWhy[m.name]})
	}
	policies = append(policies, p)
}

const (
	lateRule   = "//lin:receive after removed(v int) in late if v == e: contains(e) = false\n"
	atFirst    = "\t//lin: contains(e) = first.holds(e)\n"
	wasAdded   = "\t\t\t//lin: add(e) = !first.holds(e)\n"
	wasRemoved = "\t\t\t//lin: remove(e) = first.holds(e); broadcast removed(e)\n"
	loadFirst  = "\t\tfirst := s.head.Load()\n\t\tn"
)

var unorderedPolicyMutants = []policyMutant{
	{"contains is not helped", []string{lateRule, ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"contains is helped before the element goes", []string{"receive after", "receive before"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"contains is helped by any Remove", []string{" if v == e: contains", ": contains"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"contains is helped even if it comes first", []string{"in late if v", "if v"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"contains is always late", []string{"if !found: goto", "goto"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"contains is never late", []string{"\t//lin: if !found: goto late\n", ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says what contains sees", []string{atFirst, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"contains sees what it guesses", []string{"contains(e) = first.holds(e)", "contains(e) = found"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"contains sees the element at its end", []string{atFirst, "", "\t//lin: assume", "\t//lin: contains(e) = is\n\t//lin: assume"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"wrong guesses count", []string{"\t//lin: assume found == is\n", ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"right guesses do not count", []string{"found == is", "found == !is"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says what add answers", []string{wasAdded, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add always adds", []string{"add(e) = !first.holds(e)", "add(e) = true"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"add sees itself", []string{"add(e) = !first.holds(e)", "add(e) = !n.holds(e)"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is announced before its request comes in", []string{wasAdded, "", loadFirst, "\t\tfirst := s.head.Load()\n" + wasAdded + "\t\tn"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"add is announced when it knows its answer", []string{wasAdded, "", "\tstate := invalid\n", "\t//lin: add(e) = added\n\tstate := invalid\n"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"nobody says what remove answers", []string{wasRemoved, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"remove always removes", []string{"remove(e) = first.holds(e)", "remove(e) = true"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"remove is announced before its request comes in", []string{wasRemoved, "", loadFirst, "\t\tfirst := s.head.Load()\n" + wasRemoved + "\t\tn"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced when it knows its answer", []string{wasRemoved, "", "\tn.state.Store(invalid)\n\treturn removed", "\t//lin: remove(e) = removed; broadcast removed(e)\n\tn.state.Store(invalid)\n\treturn removed"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
}

// unorderedWhy says why mutants of the code are equivalent.
var unorderedWhy = map[string]string{
	"a removal stays":          "it hides nothing that is in the set, and takes memory only",
	"invalid nodes are passed": "they are passed as well as unlinked",
}
