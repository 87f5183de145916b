package observers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Class says which value stands somewhere: from 0 on it is that of a register, from Constant
// down to smaller numbers it is a constant.
type Class int

// The classes of values that are none of a register.
const (
	Other    Class = -1 // none of the constants and of the registers that are for no keys
	Any      Class = -2
	Constant Class = -3 // the first one
)

// Letter is the operations that a transition reads.
type Letter struct {
	Kind       history.Kind
	Args, Rets []Class
}

// Transition leads from state to state.
type Transition struct {
	From   int
	Letter Letter
	To     int
}

// Observer is a register automaton: it starts in state 0, and accepts what leads to state Bad.
// The first transition counts that reads an operation; if there is none, the state stays.
type Observer struct {
	Name        string // of a pattern, or of the data type
	States      []string
	Bad         int
	Registers   int
	Keys        int // the first registers are for keys, which may be equal to other values
	Constants   []history.Value
	Transitions []Transition
}

// Step is the state after an operation, with what the registers hold.
func (o *Observer) Step(state int, registers []history.Value, l *history.Label) int {
	for i := range o.Transitions {
		if t := &o.Transitions[i]; t.From == state && o.reads(&t.Letter, registers, l) {
			return t.To
		}
	}
	return state
}

func (o *Observer) reads(x *Letter, registers []history.Value, l *history.Label) bool {
	if x.Kind != l.Kind || len(x.Args) != len(l.Args) || len(x.Rets) != len(l.Rets) {
		return false
	}
	is := func(v history.Value, c Class) bool {
		switch {
		case c == Any:
			return true
		case c == Other:
			return !slices.Contains(registers[o.Keys:], v) && !slices.Contains(o.Constants, v)
		case c >= 0:
			return registers[c] == v
		}
		return o.Constants[Constant-c] == v
	}
	for i, c := range x.Args {
		if !is(l.Args[i], c) {
			return false
		}
	}
	for i, c := range x.Rets {
		if !is(l.Rets[i], c) {
			return false
		}
	}
	return true
}

// Accepts reports whether the registers make an observer accept a sequence, and after how many
// operations.
func (o *Observer) Accepts(registers []history.Value, labels []history.Label) (int, bool) {
	state := 0
	for i := range labels {
		if state = o.Step(state, registers, &labels[i]); state == o.Bad {
			return i + 1, true
		}
	}
	return 0, false
}

// valuations lists what registers may hold: different values, and different keys, some of which may be
// none of these.
func (o *Observer) valuations(values []history.Value) [][]history.Value {
	all := [][]history.Value{nil}
	for i := range o.Registers {
		var longer [][]history.Value
		for _, own := range all {
			for _, v := range append(slices.Clip(values), unused(i)) {
				isKey, apart := i < o.Keys, own[min(o.Keys, i):]
				if isKey && !slices.Contains(own, v) || !isKey && !slices.Contains(apart, v) && !slices.Contains(o.Constants, v) {
					longer = append(longer, append(slices.Clip(own), v))
				}
			}
		}
		all = longer
	}
	return all
}

// unused is a value that no execution has, one for each register.
func unused(register int) history.Value { return history.Value(fmt.Sprintf("?%d", register)) }

// valuesOf lists the values of a sequence.
func valuesOf(labels []history.Label) (all []history.Value) {
	for i := range labels {
		for _, v := range slices.Concat(labels[i].Args, labels[i].Rets) {
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// registerName is x, y, z, u, ...
func registerName(i int) string {
	const names = "xyzuvw"
	if i < len(names) {
		return names[i : i+1]
	}
	return fmt.Sprintf("x%d", i)
}

func (o *Observer) label(x *Letter) history.Label {
	text := func(classes []Class) (values []history.Value) {
		for _, c := range classes {
			switch {
			case c == Any:
				values = append(values, "_")
			case c == Other:
				values = append(values, "other")
			case c >= 0:
				values = append(values, history.Value(registerName(int(c))))
			default:
				values = append(values, o.Constants[Constant-c])
			}
		}
		return values
	}
	return history.Label{Kind: x.Kind, Args: text(x.Args), Rets: text(x.Rets)}
}

// Text is the observer as a table.
func (o *Observer) Text() string {
	var b strings.Builder
	b.WriteString(o.Name)
	for i := range o.Registers {
		b.WriteString([2]string{" of register ", ", "}[min(i, 1)] + registerName(i))
	}
	fmt.Fprintf(&b, ", start %s\n", o.States[0])
	width, states := 0, 0
	for i := range o.Transitions {
		width = max(width, len(o.label(&o.Transitions[i].Letter).String()))
	}
	for _, s := range o.States {
		states = max(states, len(s))
	}
	for state, name := range o.States {
		for i := range o.Transitions {
			if t := &o.Transitions[i]; t.From == state {
				fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", states, name, width, o.label(&t.Letter), o.States[t.To])
				name = ""
			}
		}
	}
	return b.String()
}
