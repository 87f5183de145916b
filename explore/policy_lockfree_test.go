package explore_test

import "github.com/adtinfer/adtinfer/explore"

func init() {
	policies = append(policies,
		&policed{of: harrisSet, states: [2]int64{1_859, 483}, mutants: append(harrisPolicyMutants, ofCode(mutants, harrisSet, harrisComes)...)},
		&policed{of: michaelSet, states: [2]int64{6_741, 2_117}, mutants: append(michaelPolicyMutants, ofCode(michaelMutants, michaelSet, michaelComes)...)},
		&policed{of: lockfreeSet, states: [2]int64{2_905, 777}, mutants: append(lockfreePolicyMutants, ofCode(lockfreeMutants, lockfreeSet, lockfreeComes)...)},
	)
}

// comes is the verdict on a mutant of the code, with the policy, and the least bounds.
type comes struct {
	want explore.Verdict
	at   explore.Bounds
	why  string
}

// ofCode gives mutants of an algorithm's code the verdicts that they have with the policy.
func ofCode(all []mutant, of string, verdicts map[string]comes) (them []policyMutant) {
	for _, m := range all {
		if m.of == of {
			v := verdicts[m.name]
			them = append(them, policyMutant{m.name, m.edits, v.want, v.at, v.why})
		}
	}
	return them
}

const (
	containsRule = "//lin:receive before added(v int) in start if v == e: contains(e) = false; goto helped\n"
	found        = "\t\t\t//lin: contains(e) = true\n"
	notFound     = "\t//lin: in start: contains(e) = false\n"
	foundThere   = "\t\t\t\t//lin: if c.val == e: add(e) = false\n"
	absentThere  = "\t\t\t\t//lin: if first.val > e: remove(e) = false\n"
	absentBehind = "\t\t\t//lin: if c.val > e: remove(e) = false\n"
	removedThere = "\t\t\t//lin: remove(e) = true\n"
	addedThere   = "\t\t\t//lin: add(e) = true; broadcast added(e)\n"
)

// helpedMutants are those of the rule by which contains is helped.
func helpedMutants(more ...policyMutant) []policyMutant {
	return append([]policyMutant{
		{"contains is not helped", []string{containsRule, ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
		{"contains is helped after an element came", []string{"receive before", "receive after"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
		{"contains is helped by any element", []string{" if v == e: contains", ": contains"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
		{"contains is helped again", []string{"in start if v", "if v"}, explore.Holds, bounds(2, 2, 2), "the element was absent again before another one came"},
		{"contains forgets that it was helped", []string{"; goto helped", ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
		{"contains is helped, and false at its end, too", []string{"in start: contains", "contains"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	}, more...)
}

var harrisPolicyMutants = helpedMutants([]policyMutant{
	{"contains is false when it begins", []string{notFound, "", "\tc := s.head\n", "\tc := s.head.next.Load()\n" + notFound}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"contains is false when it begins, and not helped", []string{containsRule, "", notFound, "", "\tc := s.head\n", "\tc := s.head.next.Load()\n" + notFound}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"contains is true when it finds the element", []string{found, "", "\tif c.val == e {\n\t\tif _", "\tif c.val == e {\n" + found + "\t\tif _"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that contains is true", []string{found, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"nobody says that contains is false", []string{notFound, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is announced too early", []string{"\t\tn.next.Store(c)\n", "\t\tn.next.Store(c)\n" + addedThere, addedThere + "\t\t\treturn", "\t\t\treturn"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"add is announced too late", []string{addedThere, "\t\t\tp.next.Load()\n" + addedThere}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"nobody says that add is true", []string{addedThere, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"nobody says that add is false", []string{foundThere, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"add is false once locate has ended", []string{foundThere, "", "\t\tif c.val == e {\n\t\t\treturn false", "\t\tif c.val == e {\n\t\t\t//lin: add(e) = false\n\t\t\treturn false"}, explore.WrongPolicy, bounds(3, 2, 2), ""},
	{"add is true where it finds the element", []string{"add(e) = false", "add(e) = true"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"add is false at any element", []string{"if c.val == e: add(e)", "add(e)"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is false at removed elements", []string{foundThere, "", "\t\t\tif !removed {\n", foundThere + "\t\t\tif !removed {\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced too early", []string{removedThere, "", "\t\tmark := ", removedThere + "\t\tmark := "}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced when it unlinks", []string{removedThere, "", " // if that fails, others do it later\n", "\n" + removedThere}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that remove is true", []string{removedThere, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"nobody says that remove is false at p", []string{absentThere, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"nobody says that remove is false behind removed elements", []string{absentBehind, ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is false once locate has ended", []string{absentThere, "", "\t\tif c.val != e {\n\t\t\treturn false", "\t\tif c.val != e {\n\t\t\t//lin: remove(e) = false\n\t\t\treturn false"}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"remove is false at any element", []string{"if first.val > e: remove", "remove"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"remove is false at removed elements", []string{absentBehind, "", "\t\t\tc = next\n", "\t\t\tc = next\n" + absentBehind}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"elements are not next to each other", []string{"if n.val >= next.val", "if n.val+1 >= next.val"}, explore.WrongPolicy, bounds(1, 2, 2), ""},

	{"add does not look", []string{"\t\tif c.val == e {\n\t\t\treturn false\n\t\t}\n", ""}, explore.Violated, bounds(1, 2, 1), ""},
	{"nothing is linked", []string{"p.next.CompareAndSwap(c, n)", "p != nil"}, explore.Violated, bounds(1, 2, 1), ""},
	{"locate overwrites the link before", []string{"if p.next.CompareAndSwap(first, c) {", "if p.next.Store(c); true {"}, explore.Violated, bounds(2, 2, 1), ""},
	{"remove overwrites the link before", []string{"p.next.CompareAndSwap(c, next) //", "p.next.Store(next) //"}, explore.Violated, bounds(2, 2, 1), ""},
	{"contains ignores marks", []string{"if _, removed := c.after(); !removed {", "if true {"}, explore.Violated, bounds(2, 2, 2), ""},
	{"contains finds any element not below", []string{"if c.val == e {\n\t\tif _", "if true {\n\t\tif _"}, explore.Violated, bounds(1, 1, 1), ""},
	{"somebody else may have removed it", []string{"\t\tif removed {\n\t\t\tcontinue\n", "\t\tif removed {\n\t\t\treturn true\n"}, explore.Violated, bounds(2, 2, 1), ""},
}...)

// Verdicts on harrisSet's mutants of the code.
var harrisComes = map[string]comes{
	"a mark overwrites":                   {explore.Violated, bounds(2, 2, 1), ""},
	"a new element overwrites":            {explore.Violated, bounds(2, 1, 1), ""},
	"unlinked without a mark":             {explore.Violated, bounds(2, 2, 2), ""},
	"marked elements are found":           {explore.Violated, bounds(2, 2, 1), ""},
	"marked elements stay":                {explore.Livelocked, bounds(2, 2, 2), ""},
	"marks are removed, too":              {explore.Holds, bounds(2, 2, 2), "the swap fails if the element is removed"},
	"removed elements are left to others": {explore.Holds, bounds(2, 2, 2), "whoever comes along unlinks them"},
}

// What policies of michaelSet say.
const (
	foundByFind  = "\t\t\t//lin: if c.val == e && !after.marked: add(e) = false; contains(e) = true\n"
	absentByFind = "\t\t\t\t//lin: in start if c.val > e: remove(e) = false; contains(e) = false\n"
	readAfter    = "\t\t\tafter = c.next.Load()\n"
	addedHere    = "\t\t\t//lin: add(e) = true\n"
	removedHere  = "\t\t//lin: remove(e) = true; goto removed\n"
)

var michaelPolicyMutants = []policyMutant{
	{"nobody says that the element is there", []string{foundByFind, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"removed elements are there", []string{" && !after.marked: add", ": add"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"any element is there", []string{"if c.val == e && !after.marked: add", "if !after.marked: add"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is true where the element is", []string{"add(e) = false", "add(e) = true"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"contains is false where the element is", []string{"contains(e) = true", "contains(e) = false"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"the element is there when p and c are neighbours", []string{foundByFind, "", absentByFind, absentByFind + "\t\t\t\t//lin: if c.val == e: add(e) = false; contains(e) = true\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that the element is not there", []string{absentByFind, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"no element is there", []string{" if c.val > e: remove", ": remove"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"remove is true where no element is", []string{"remove(e) = false", "remove(e) = true"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"the element is not there when the link after c is read", []string{absentByFind, "", readAfter, readAfter + absentByFind}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"the same if p and c are neighbours", []string{absentByFind, "", readAfter, readAfter + "\t\t\t//lin: in start if c.val > e && p.next.Load() == before: remove(e) = false; contains(e) = false\n"}, explore.Holds, bounds(2, 2, 2), "that they are neighbours afterwards shows that they are so now"},
	{"a remove finds that it is done", []string{"in start if", "if"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"a remove forgets that it is done", []string{"; goto removed", ""}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"add is announced too early", []string{addedHere, "", "\t\tn.next.Store(&link{to: c})\n", "\t\tn.next.Store(&link{to: c})\n" + addedHere}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"add is announced too late", []string{addedHere, "\t\t\tp.next.Load()\n" + addedHere}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"nobody says that add is true", []string{addedHere, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"remove is announced too early", []string{removedHere, "", "\t\tif !c.next", removedHere + "\t\tif !c.next"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced when it unlinks", []string{removedHere, "", "\t\treturn true\n\t}\n}", removedHere + "\t\treturn true\n\t}\n}"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that remove is true", []string{"remove(e) = true; ", ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
}

// Verdicts on michaelSet's mutants of the code.
var michaelComes = map[string]comes{
	"a mark overwrites":                       {explore.Violated, bounds(2, 2, 1), ""},
	"whoever comes along overwrites":          {explore.Violated, bounds(2, 2, 1), ""},
	"remove overwrites the link before":       {explore.Violated, bounds(2, 2, 1), ""},
	"unlinked without a mark":                 {explore.Violated, bounds(2, 2, 1), ""},
	"nothing is marked":                       {explore.Violated, bounds(2, 2, 1), ""},
	"marked elements are found":               {explore.Violated, bounds(2, 2, 1), ""},
	"marked elements stay":                    {explore.Violated, bounds(2, 2, 1), ""},
	"there if another one was faster":         {explore.Violated, bounds(2, 2, 1), ""},
	"a new element overwrites":                {explore.Violated, bounds(2, 1, 1), ""},
	"not there if another one was faster":     {explore.Violated, bounds(2, 2, 2), ""},
	"contains finds any element not below":    {explore.Violated, bounds(1, 1, 1), ""},
	"add does not look":                       {explore.Violated, bounds(1, 2, 1), ""},
	"p and c need not be neighbours any more": {explore.WrongPolicy, bounds(2, 2, 2), ""},
	"unlinking that failed counts":            {explore.Holds, bounds(2, 2, 2), "the next step is to see whether p has the link it should have"},
	"removed elements are left to others":     {explore.Holds, bounds(2, 2, 2), "whoever comes along unlinks them"},
}

// What policies of lockfreeSet say.
const (
	foundLast  = "\t\t//lin: contains(e) = true\n"
	foundC     = "\t\t\t\t//lin: if c.val == e: add(e) = false\n"
	absentC    = "\t\t\t\t//lin: if c.val > e: remove(e) = false\n"
	toNext     = "\t\t\t\tp, c = c, after.next\n"
	overMarked = "\t\t\t\tc = after.next\n"
)

var lockfreePolicyMutants = helpedMutants([]policyMutant{
	{"contains is false when it begins", []string{notFound, "", "\tc := s.head\n", "\tc := s.head.link.Load().next\n" + notFound}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"contains is true when it finds the element", []string{foundLast, "", "\tif c.val == e &&", "\t//lin: if c.val == e: contains(e) = true\n\tif c.val == e &&"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that contains is true", []string{foundLast, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"nobody says that contains is false", []string{notFound, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is announced too early", []string{"\t\tif p.change(c, &link{next: n}) {\n", addedThere + "\t\tif p.change(c, &link{next: n}) {\n", addedThere + "\t\t\treturn", "\t\t\treturn"}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"add is announced too late", []string{addedThere, "\t\t\tp.link.Load()\n" + addedThere}, explore.WrongPolicy, bounds(2, 1, 1), ""},
	{"nobody says that add is true", []string{addedThere, ""}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"nobody says that add is false", []string{foundC, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"add is false at any element", []string{"if c.val == e: add(e)", "add(e)"}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"add is false when the link to the element is read", []string{foundC, "", toNext, toNext + foundC}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"add is false at removed elements", []string{foundC, "", "\t\t\tswitch {\n", foundC + "\t\t\tswitch {\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced too early", []string{removedThere, "", "\t\tif c.change(", removedThere + "\t\tif c.change("}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is announced when it unlinks", []string{removedThere, "", " // if that fails, others do it later\n", "\n" + removedThere}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"nobody says that remove is true", []string{removedThere, ""}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"nobody says that remove is false at p", []string{toNext + absentC, toNext}, explore.WrongPolicy, bounds(1, 1, 1), ""},
	{"nobody says that remove is false behind removed elements", []string{overMarked + absentC, overMarked}, explore.WrongPolicy, bounds(2, 2, 1), ""},
	{"remove is false once locate has ended", []string{absentC, "", foundC, foundC + absentC}, explore.WrongPolicy, bounds(2, 2, 2), ""},
	{"remove is false at any element", []string{"if c.val > e: remove", "remove"}, explore.WrongPolicy, bounds(1, 2, 1), ""},
	{"remove is false before it unlinks", []string{overMarked + absentC, overMarked, "\t\t\tcase after.marked:\n", "\t\t\tcase after.marked:\n\t\t\t\t//lin: if after.next.val > e: remove(e) = false\n"}, explore.WrongPolicy, bounds(2, 2, 1), ""},
}...)

// Verdicts on lockfreeSet's mutants of the code.
var lockfreeComes = map[string]comes{
	"a change overwrites":                  {explore.Violated, bounds(2, 1, 1), ""},
	"c need not come after n":              {explore.Violated, bounds(2, 1, 1), ""},
	"n may be removed":                     {explore.Violated, bounds(2, 2, 1), ""},
	"somebody else may have marked":        {explore.Violated, bounds(2, 2, 1), ""},
	"marked elements are found":            {explore.Violated, bounds(2, 2, 1), ""},
	"nothing is marked":                    {explore.Violated, bounds(2, 2, 2), ""},
	"contains ignores marks":               {explore.Violated, bounds(2, 2, 2), ""},
	"nothing is linked":                    {explore.Violated, bounds(1, 2, 1), ""},
	"add does not look":                    {explore.Violated, bounds(1, 2, 1), ""},
	"contains finds any element not below": {explore.Violated, bounds(1, 1, 1), ""},
	"contains is always true":              {explore.Violated, bounds(1, 1, 1), ""},
	"marked elements stay":                 {explore.Livelocked, bounds(2, 2, 2), ""},
	"it goes on where unlinking failed":    {explore.WrongPolicy, bounds(2, 2, 1), ""},
	"removed elements are left to others":  {explore.Holds, bounds(2, 2, 2), "whoever comes along unlinks them"},
}
