package automata

import (
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Table is an automaton for programs: as String, but for its columns.
type Table struct {
	Counters    []string `json:"counters,omitempty"` // "n = #push - #pop=value"
	Locations   []Place  `json:"locations"`
	Transitions []Row    `json:"transitions"`
}

// Place is a location of a Table; Initial is what its registers hold at first.
type Place struct {
	Name      string          `json:"name"`
	Registers []string        `json:"registers"`
	Initial   []history.Value `json:"initial,omitempty"`
}

// Row is a transition of a Table. From and To are indices of locations.
type Row struct {
	From    int             `json:"from"`
	Method  string          `json:"method"`
	Args    []string        `json:"args"`
	Guard   []string        `json:"guard"`  // conditions, all of which hold; "otherwise" alone is one, too
	Blocks  bool            `json:"blocks"` // the call waits; what follows means nothing
	Outcome history.Outcome `json:"outcome"`
	Rets    []string        `json:"rets"`
	To      int             `json:"to"`
	Load    []string        `json:"load"` // what the registers of To hold then
	Line    string          `json:"line"` // all but From, as the text has it
}

// Table is the automaton as a table.
func (a *Automaton) Table() Table {
	t := Table{Locations: []Place{}, Transitions: []Row{}}
	for i := range a.Counters {
		t.Counters = append(t.Counters, a.Counters[i].head()+" = "+a.counterText(&a.Counters[i]))
	}
	taken := a.names()
	for i := range a.Locations {
		l := &a.Locations[i]
		t.Locations = append(t.Locations, Place{Name: l.Name, Registers: nonNil(slices.Clone(l.Registers))})
		for j := range l.Transitions {
			x := &l.Transitions[j]
			w := a.writer(l, x.Method, taken)
			r := Row{From: i, Method: x.Method, Args: nonNil(w.params), Guard: nonNil(w.conditions(x.Guard)), Blocks: x.Blocks, Rets: []string{}, Load: []string{}}
			if w.guard(j) == "otherwise" {
				r.Guard = []string{"otherwise"}
			}
			if !x.Blocks {
				r.Outcome, r.Rets, r.To, r.Load = x.Outcome, nonNil(w.terms(x.Rets)), x.To, nonNil(w.terms(x.Load))
			}
			parts := []string{w.call(x.Method), w.guard(j), w.answer(x), w.next(x)}
			r.Line = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
			t.Transitions = append(t.Transitions, r)
		}
	}
	if len(t.Locations) > 0 {
		t.Locations[0].Initial = a.Initial
	}
	return t
}

func nonNil(s []string) []string { return append([]string{}, s...) }
