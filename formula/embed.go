package formula

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// OfHistory is a history as a structure. Its labels have a method and an
// outcome, and no values.
func OfHistory(h *history.History) Structure {
	s := historyStructure{h: h, labels: make([]history.Label, len(h.Ops))}
	for i := range h.Ops {
		s.labels[i].Kind = h.Ops[i].Kind
	}
	return s
}

type historyStructure struct {
	h      *history.History
	labels []history.Label
}

func (s historyStructure) Len() int                   { return len(s.h.Ops) }
func (s historyStructure) Label(i int) *history.Label { return &s.labels[i] }
func (s historyStructure) Before(i, j int) bool       { return s.h.Before(i, j) }
func (s historyStructure) Match(i int) int            { return s.h.Ops[i].Target }
func (s historyStructure) ReadOnly(i int) bool        { return s.h.Ops[i].ReadOnly }
func (s historyStructure) Completed(i int) bool       { return s.h.Ops[i].Completed }

// Embed is the closed formula "h embeds in the structure": h comes from the
// structure by removing read-only operations, unmatched operations, duplicates
// and whole matches, and by forgetting order ("Symbolic ADT inference" §6). The
// variable xi stands for operation i of h, counted from 1 as drawings do. The
// conjunction of the negations, for all patterns, represents a data type (Lemma 7).
//
// It differs from the paper in four ways. The variables denote different
// operations; the paper omits that, and is wrong beyond width 1 without it.
// Outcomes belong to labels. Only completed operations count, on either side:
// pending operations of h are left out, those of the structure neither help nor
// hinder (Lemma 6 fails with them). And what follows from the rest is not
// said: of the order only the transitive reduction, x != y only between
// unordered operations that nothing else distinguishes. This relies on before
// being a strict partial order and on h being well formed: match targets are
// completed and match themselves.
//
// The formula has O(n²) literals at worst, and few in a sequential history.
func Embed(h *history.History) Formula {
	var vars []string
	var all And
	for i := range h.Ops {
		if h.Ops[i].Completed {
			vars = append(vars, opVar(i))
			all = append(all, embedOp(h, i)...)
		}
	}
	if len(vars) == 0 {
		return Const(true)
	}
	for i := range h.Ops {
		if h.Ops[i].Completed && h.Ops[i].Target == i {
			all = append(all, wholeMatch(h, i))
		}
	}
	return Quantified{Vars: vars, Body: all}
}

func opVar(i int) string { return "x" + strconv.Itoa(i+1) }

// embedOp describes operation i, and how it relates to later ones.
func embedOp(h *history.History, i int) []Formula {
	o, x := &h.Ops[i], opVar(i)
	fs := append([]Formula{Atom{"completed", []string{x}}}, kindIs(x, o.Kind)...)
	if readonly := (Atom{"readonly", []string{x}}); o.ReadOnly {
		fs = append(fs, readonly)
	} else {
		fs = append(fs, Not{readonly})
	}
	if o.Target == history.Unmatched {
		fs = append(fs, Atom{"unmatched", []string{x}})
	} else {
		fs = append(fs, matchIs(x, opVar(o.Target)))
	}
	for j := range h.Ops {
		if covers(h, i, j) {
			fs = append(fs, Atom{"before", []string{x, opVar(j)}})
		}
	}
	for j := i + 1; j < len(h.Ops); j++ {
		if needsDistinct(h, i, j) {
			fs = append(fs, Not{Equal{Term{Var: x}, Term{Var: opVar(j)}}})
		}
	}
	return fs
}

func kindIs(x string, k history.Kind) []Formula {
	return []Formula{
		Equal{Term{Fn: "method", Var: x}, Term{Name: k.Method, Sort: MethodSort}},
		Equal{Term{Fn: "outcome", Var: x}, Term{Name: string(k.Outcome), Sort: OutcomeSort}},
	}
}

func matchIs(x, target string) Formula {
	return Equal{Term{Fn: "match", Var: x}, Term{Var: target}}
}

// covers reports whether i happens before j with no completed operation between.
func covers(h *history.History, i, j int) bool {
	if !h.Before(i, j) || !h.Ops[j].Completed {
		return false
	}
	for k := range h.Ops {
		if h.Ops[k].Completed && h.Before(i, k) && h.Before(k, j) {
			return false
		}
	}
	return true
}

// needsDistinct reports whether nothing else keeps i and j apart: not the order,
// not the label, not the matching. Targets of different matches differ only if
// we say so; then their members differ, too.
func needsDistinct(h *history.History, i, j int) bool {
	a, b := &h.Ops[i], &h.Ops[j]
	if !a.Completed || !b.Completed || h.Before(i, j) || h.Before(j, i) {
		return false
	}
	targets := a.Target == i && b.Target == j
	return a.Kind == b.Kind && a.ReadOnly == b.ReadOnly && (targets || a.Target == b.Target)
}

// wholeMatch says that every completed operation of the structure that matches
// the target is read-only or identical to one of the match's operations in h.
// Identical here means equal method and outcome: the matching and the
// completion are the same by assumption, and read-only ones pass anyway.
func wholeMatch(h *history.History, target int) Formula {
	const y = "y"
	member := Or{Atom{"readonly", []string{y}}}
	var kinds []history.Kind
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.Completed && o.Target == target && !o.ReadOnly && !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
			member = append(member, And(kindIs(y, o.Kind)))
		}
	}
	return Quantified{Forall: true, Vars: []string{y}, Body: Implies{
		And{Atom{"completed", []string{y}}, matchIs(y, opVar(target))},
		Normal(member),
	}}
}
