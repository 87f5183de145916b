package reasons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// A ladder is an automaton without registers that only counts: level i is where so many
// calls of up lead. Others lead one level down, to level 0, or nowhere.
type ladder struct {
	a     *automata.Automaton
	w     *words
	up    history.Kind
	level []int // of locations
	at    []int // locations by level

	down, reset []history.Kind
	effect      map[history.Kind]string
}

// limitRows are the rows of a ladder at whose top up is refused; nil: the automaton is none.
func limitRows(a *automata.Automaton, methods []history.MethodSig) (rows []Row, shape string) {
	for _, l := range a.Locations {
		if len(l.Registers) > 0 {
			return nil, ""
		}
	}
	for _, t := range a.Locations[0].Transitions {
		c := &ladder{a: a, w: newWords(a, methods, -1), up: history.Kind{Method: t.Method, Outcome: t.Outcome}}
		if t.To != 0 && len(a.Locations) > 2 && c.climbs() && c.falls() {
			if rows, shape = c.rows(methods); shape != "" {
				return rows, shape
			}
		}
	}
	return nil, ""
}

// climbs finds the levels: each location is one, and unguarded calls lead up.
func (c *ladder) climbs() bool {
	c.level = make([]int, len(c.a.Locations))
	for l := 0; ; {
		if slices.Contains(c.at, l) {
			return false
		}
		c.level[l] = len(c.at)
		c.at = append(c.at, l)
		t := c.of(l, c.up)
		if t == nil || t.To == l {
			break
		}
		l = t.To
	}
	return len(c.at) == len(c.a.Locations) && len(c.a.Counters) == 0
}

func (c *ladder) of(location int, k history.Kind) *automata.Transition {
	for i := range c.a.Locations[location].Transitions {
		if t := &c.a.Locations[location].Transitions[i]; t.Method == k.Method && t.Outcome == k.Outcome && !t.Blocks {
			return t
		}
	}
	return nil
}

// falls finds what leads down or back; false if something leads elsewhere.
func (c *ladder) falls() bool {
	c.effect = map[history.Kind]string{}
	for level, l := range c.at {
		for _, t := range c.a.Locations[l].Transitions {
			k := history.Kind{Method: t.Method, Outcome: t.Outcome}
			if len(t.Guard) > 0 {
				return false
			}
			if k == c.up && !t.Blocks {
				continue
			}
			effect, to := "", c.level[t.To]
			switch {
			case t.Blocks || to == level && level > 0:
				effect = "stay"
			case level == 0 && to == 0, level == 1 && to == 0:
				continue // one level down, or back; other levels tell
			case to == level-1:
				effect = "down"
			case to == 0:
				effect = "reset"
			}
			if before, seen := c.effect[k]; effect == "" || seen && before != effect {
				return false
			}
			c.effect[k] = effect
		}
	}
	for level, l := range c.at[:min(2, len(c.at))] { // what only two levels have to tell
		for _, t := range c.a.Locations[l].Transitions {
			k := history.Kind{Method: t.Method, Outcome: t.Outcome}
			if moves := level == 1 && c.level[t.To] == 0 && !t.Blocks; !moves || k == c.up {
				continue
			}
			switch c.effect[k] {
			case "":
				c.effect[k] = "down"
			case "stay":
				return false
			}
		}
	}
	for _, m := range c.a.Methods {
		for _, o := range m.Outcomes {
			switch k := (history.Kind{Method: m.Name, Outcome: o.Outcome}); c.effect[k] {
			case "down":
				c.down = append(c.down, k)
			case "reset":
				c.reset = append(c.reset, k)
			}
		}
	}
	return true
}

func (c *ladder) rows(methods []history.MethodSig) (rows []Row, shape string) {
	top := len(c.at) - 1
	until, room := "", " at a time"
	switch down, reset := methodsText(c.down, "or"), methodsText(c.reset, "or"); {
	case down != "" && reset != "":
		until = ", until " + down + " or " + reset
	case down != "":
		until = ", until " + down
	case reset != "":
		room, until = " between two "+reset, ", until "+reset
	default:
		room = " in all"
	}
	for _, t := range c.a.Locations[c.at[top]].Transitions {
		if t.Method == c.up.Method && (t.Blocks || t.Outcome != c.up.Outcome) {
			shape = "at most " + strconv.Itoa(top)
			rows = append(rows, Row{Says: fmt.Sprintf("at most %d %s%s: one more%s%s", top, c.up.Method, room, c.w.answer(&t, nil), until),
				Example: c.run(top, &t)})
		}
	}
	for i := range methods {
		m := &methods[i]
		if row := c.observed(m); row != nil {
			rows = append(rows, *row)
		}
	}
	if len(c.reset) > 0 && top > 0 {
		k := c.reset[0]
		rows = append(rows, Row{Says: methodsText(c.reset) + verb(c.reset, " starts", " start") + " counting anew", Example: c.again(k)})
	}
	if len(c.down) > 0 {
		rows = append(rows, Row{Says: methodsText(c.down) + verb(c.down, " makes", " make") + " room for one more " + c.up.Method, Example: c.again(c.down[0])})
	}
	return rows, shape
}

// run is so many calls of up, and then a transition.
func (c *ladder) run(level int, t *automata.Transition) []Step {
	var labels []history.Label
	for range level {
		labels = append(labels, c.label(c.of(c.at[len(labels)], c.up)))
	}
	if !t.Blocks {
		labels = append(labels, c.label(t))
	}
	return steps(labels)
}

// again is the way to the top, and after k one more call of up.
func (c *ladder) again(k history.Kind) []Step {
	top := len(c.at) - 1
	t := c.of(c.at[top], k)
	if t == nil {
		return nil
	}
	labels := c.run(top, t)
	if next := c.of(t.To, c.up); next != nil {
		labels = append(labels, Step{Times: 1, Label: c.label(next)})
	}
	return labels
}

func (c *ladder) label(t *automata.Transition) history.Label {
	l := history.Label{Kind: history.Kind{Method: t.Method, Outcome: t.Outcome}}
	for _, m := range c.a.Methods {
		if m.Name != t.Method {
			continue
		}
		for i := range m.Args {
			l.Args = append(l.Args, pool(&m, false, i, 1, false)[0])
		}
	}
	for _, r := range t.Rets {
		if r.Kind == automata.Argument {
			l.Rets = append(l.Rets, l.Args[r.Index])
		} else {
			l.Rets = append(l.Rets, r.Value)
		}
	}
	return l
}

// observed says what a method answers by level, if it is not up and answers vary.
func (c *ladder) observed(m *history.MethodSig) *Row {
	if m.Name == c.up.Method {
		return nil
	}
	var answers []string
	var last *automata.Transition
	var numbers []int
	for _, l := range c.at {
		for i := range c.a.Locations[l].Transitions {
			t, shown := &c.a.Locations[l].Transitions[i], &c.w.a.Locations[l].Transitions[i]
			if t.Method != m.Name {
				continue
			}
			answers, last = append(answers, c.w.answer(shown, parameters(m.Args))), t
			if len(t.Rets) == 1 && t.Outcome == history.Some {
				if n, err := strconv.Atoi(string(t.Rets[0].Value)); err == nil {
					numbers = append(numbers, n)
				}
			}
		}
	}
	if len(answers) != len(c.at) || len(slices.Compact(slices.Clone(answers))) == 1 {
		return nil
	}
	counted := "#" + c.up.Method
	for _, k := range c.down {
		counted += " - #" + k.Method
	}
	if len(c.reset) > 0 {
		counted += " since " + methodsText(c.reset, "or")
	}
	if len(numbers) == len(c.at) {
		step := numbers[1] - numbers[0]
		linear := step == 1 || step == -1
		for i := range numbers {
			linear = linear && numbers[i] == numbers[0]+i*step
		}
		if linear {
			text := counted
			switch {
			case step < 0:
				text = fmt.Sprintf("%d - %s", numbers[0], grouped(counted))
			case numbers[0] != 0:
				text = fmt.Sprintf("%s + %d", counted, numbers[0])
			}
			return &Row{Says: m.Name + " = " + text, Example: c.run(1, c.of(c.at[1], history.Kind{Method: m.Name, Outcome: last.Outcome}))}
		}
	}
	return c.edges(m, answers, counted)
}

// edges says where answers change: at the bottom, or where.
func (c *ladder) edges(m *history.MethodSig, answers []string, counted string) *Row {
	row := &Row{Says: m.Name}
	if rest := slices.Compact(slices.Clone(answers[1:])); len(rest) == 1 && len(c.reset) == 0 {
		left, right, _ := strings.Cut(counted, " - ")
		if right == "" {
			right = "0"
		}
		row.Says += answers[0] + " if " + left + " = " + right + ", else" + rest[0]
	} else {
		var parts []string
		for i := 0; i < len(answers); {
			j := i
			for j < len(answers) && answers[j] == answers[i] {
				j++
			}
			parts = append(parts, fmt.Sprintf("%s up to %d", strings.TrimPrefix(answers[i], " "), j-1))
			if j == len(answers) {
				parts[len(parts)-1] = strings.TrimPrefix(answers[i], " ") + " from " + strconv.Itoa(i)
			}
			i = j
		}
		row.Says += ", by " + counted + ": " + strings.Join(parts, ", ")
	}
	for _, t := range c.a.Locations[0].Transitions {
		if t.Method == m.Name {
			row.Example = c.run(0, &t)
		}
	}
	return row
}
