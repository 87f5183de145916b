package automata

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Parse reads what String writes of an automaton that answers the given methods, and
// checks it as Validate does. Errors are *history.ParseErrors with line and column.
func Parse(text string, methods []history.MethodSig) (*Automaton, error) {
	p := &parser{a: &Automaton{Methods: methods}, start: -1, byName: map[string]int{}}
	p.heads(strings.Split(text, "\n"))
	p.before()
	for i := range p.lines {
		p.transition(&p.lines[i])
	}
	if p.err != nil {
		return nil, p.err
	}
	var wrong *problem
	if err := p.a.Validate(); errors.As(err, &wrong) {
		return nil, &history.ParseError{Pos: p.place(wrong), Msg: wrong.msg}
	}
	return p.a, nil
}

// A parser reads an automaton line by line: first those that say where a location
// begins, so that transitions may lead to locations further down. It keeps the first
// error and goes on with zero values.
type parser struct {
	a     *Automaton
	lines []line // with transitions
	other []line // before them
	start int    // the line with what registers hold at first, among other; or -1
	err   error

	line  // that is being read
	names scope

	byName map[string]int  // locations
	places [][]history.Pos // of transitions, by location
}

// A line of the text, read up to byte at.
type line struct {
	text     string
	number   int // from 1
	at       int
	location int
	head     bool // the location begins here
	folded   bool // it is one of several that a line stands for
}

// A scope is what names mean in a transition.
type scope struct {
	registers, params []string
	counters          []Counter
	method            *history.MethodSig
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &history.ParseError{
			Pos: history.Pos{Line: p.number, Col: p.line.column(at)}, Msg: fmt.Sprintf(format, args...),
		}
	}
}

// place is where the text shows a problem.
func (p *parser) place(w *problem) history.Pos {
	if w.location < 0 || w.location >= len(p.places) || len(p.places[w.location]) == 0 {
		return history.Pos{Line: 1, Col: 1}
	}
	return p.places[w.location][min(max(w.transition, 0), len(p.places[w.location])-1)]
}

// heads sorts the lines, and reads the locations at which some begin.
func (p *parser) heads(texts []string) {
	heads := 0
	var lines []line
	for i, s := range texts {
		if s = strings.TrimRight(s, " \t\r"); strings.TrimSpace(s) != "" {
			lines = append(lines, line{text: s, number: i + 1})
		}
	}
	for _, l := range p.unfold(lines) {
		trimmed := strings.TrimLeft(l.text, " \t")
		l.at, l.location = len(l.text)-len(trimmed), heads-1
		switch {
		case isHead(trimmed):
			l.head, l.location = true, heads
			p.lines = append(p.lines, l)
			heads++
		case len(p.lines) == 0 && counterRE().MatchString(trimmed):
			p.other = append(p.other, l)
		default:
			p.lines = append(p.lines, l)
		}
	}
	if heads == 0 {
		p.a.Locations = make([]Location, 1)
		for i := range p.lines {
			p.lines[i].location = 0
		}
	} else if len(p.lines) > 0 && !p.lines[0].head {
		p.line = p.lines[0]
		p.fail(p.line.at, `a location comes first, as "-> (free)"; counters are written "n = #push"`)
	}
	if heads > maxLocations {
		p.line = p.lines[len(p.lines)-1]
		p.fail(p.line.at, "an automaton has at most %d locations, and this one has %d", maxLocations, heads)
	}
	p.places = make([][]history.Pos, max(1, heads))
	for i := range p.lines {
		if p.lines[i].head && p.err == nil {
			p.line = p.lines[i]
			p.head(heads == 1)
			p.lines[i] = p.line
		}
	}
}

// isHead reports whether a line begins a location.
func isHead(line string) bool { return strings.HasPrefix(line, "->") || strings.HasPrefix(line, "(") }

// counterRE tells the lines that stand before transitions.
var counterRE = wording.Regexp(`^(at first\b|[\pL_][\pL\p{Nd}_]*\s*(\[[^\]]*\])?\s*=([^>]|$))`)

// head reads "-> (holds r, s)".
func (p *parser) head(only bool) {
	first := len(p.a.Locations) == 0
	switch arrow := p.take("->"); {
	case first && !arrow:
		p.fail(p.line.at, `the first location, in which the automaton starts, is written "-> (free)"`)
	case !first && arrow:
		p.fail(p.line.at-2, "an automaton starts in one location, the first")
	}
	p.expect("(", "a location")
	l := Location{}
	if !only {
		l.Name = p.locationName()
	}
	p.list(func() { l.Registers = append(l.Registers, p.name("the name of a register")) })
	if _, ok := p.byName[l.Name]; !ok {
		p.byName[l.Name] = len(p.a.Locations)
	}
	p.a.Locations = append(p.a.Locations, l)
}

var locationRE = wording.Regexp(`^[\pL\p{Nd}_][\pL\p{Nd}_-]*`)

func (p *parser) locationName() string {
	p.blanks()
	s := locationRE().FindString(p.text[p.line.at:])
	if s == "" {
		p.fail(p.line.at, "expected the name of a location, found %s", p.found())
	}
	p.line.at += len(s)
	return s
}

// before reads the lines before the transitions.
func (p *parser) before() {
	for i := range p.other {
		p.line = p.other[i]
		if p.word() == "at" {
			if p.keyword("first"); p.start >= 0 {
				p.fail(p.other[i].at, "what registers hold at first is said twice")
			}
			p.start = i
			p.initial()
		} else {
			p.line = p.other[i]
			p.counter()
		}
		p.end()
	}
	if first := p.a.Locations; p.err == nil && p.start < 0 && len(first) > 0 && len(first[0].Registers) > 0 {
		p.line = p.lines[0]
		p.fail(0, `what does %[1]s hold at first? Write "at first %[1]s = 0", say, before the locations`, first[0].Registers[0])
	}
}

// initial reads "r = 0, s = 1" behind "at first".
func (p *parser) initial() {
	if len(p.a.Locations) == 0 {
		return
	}
	registers := p.a.Locations[0].Registers
	p.a.Initial = make([]history.Value, len(registers))
	given := make([]bool, len(registers))
	for n := 0; p.err == nil && (n == 0 || p.take(",")); n++ {
		p.blanks()
		from := p.line.at
		name := p.name("the name of a register")
		i := slices.Index(registers, name)
		switch {
		case p.err != nil:
			return
		case i < 0:
			p.fail(from, "the first location has no register %q%s", name, wording.Hint(name, registers))
			return
		case given[i]:
			p.fail(from, "register %q has two values at first", name)
		}
		p.expect("=", "a value")
		p.blanks()
		from = p.line.at
		t := p.term(&scope{})
		if p.err == nil && t.Kind != Constant {
			p.fail(from, "what a register holds at first is a value, such as 0 or \"\"")
		}
		p.a.Initial[i], given[i] = t.Value, true
	}
	if i := slices.Index(given, false); p.err == nil && i >= 0 {
		p.fail(p.line.at, "what does %s hold at first?", registers[i])
	}
}

// transition reads a line of the table.
func (p *parser) transition(l *line) {
	if p.err != nil {
		return
	}
	p.line = *l
	loc := &p.a.Locations[l.location]
	p.blanks()
	p.places[l.location] = append(p.places[l.location], history.Pos{Line: l.number, Col: l.column(p.line.at)})
	t := Transition{}
	switch word := p.peek(); {
	case word == "if" || word == "otherwise":
		if len(loc.Transitions) == 0 {
			p.fail(p.line.at, "which method? A line without one is about the method of the line above")
			return
		}
		t.Method = loc.Transitions[len(loc.Transitions)-1].Method
	default:
		p.names = scope{registers: loc.Registers, counters: p.a.Counters}
		t.Method = p.call()
	}
	from := p.line.at
	switch word := p.peek(); word {
	case "if":
		p.guard(&t)
	case "otherwise":
		p.word()
		if t.Guard = otherwise(loc.Transitions, t.Method); t.Guard == nil {
			p.fail(from+1, "when is otherwise? It stands behind lines of %s each of which adds one condition; write the conditions", t.Method)
		}
	}
	if p.peek() == "blocks" {
		p.word()
		t.Blocks = true
	} else {
		p.answer(&t)
		p.next(&t)
	}
	p.end()
	loc.Transitions = append(loc.Transitions, t)
}

// call reads "put(a,b)".
func (p *parser) call() string {
	p.blanks()
	from := p.line.at
	name := p.methodName()
	m := p.names.method
	if m == nil {
		return name
	}
	if strings.HasPrefix(p.text[p.line.at:], "(") && p.take("(") { // behind a blank, it is a location
		p.list(func() {
			p.blanks()
			at := p.line.at
			x := p.name("the name of an argument")
			if p.names.known(x) {
				p.fail(at, "%s is something else here; call the argument otherwise", x)
			}
			p.names.params = append(p.names.params, x)
		})
	}
	if n := len(p.names.params); p.err == nil && n != m.Args {
		p.fail(from, "%s takes %s, not %d", name, count(m.Args, "argument"), n)
	}
	return name
}

// methodName reads the name of a method, which names then have.
func (p *parser) methodName() (name string) {
	p.blanks()
	from := p.line.at
	if strings.HasPrefix(p.text[from:], `"`) {
		name = p.quoted()
	} else if name = p.word(); name == "" {
		p.fail(from, "expected a method, found %s", p.found())
	}
	var known []string
	for _, m := range p.a.Methods {
		known = append(known, m.Name)
	}
	if p.names.method = p.a.method(name); p.names.method == nil {
		p.fail(from, "unknown method %q%s", name, wording.Hint(name, known))
	}
	return name
}

// guard reads "if x = r and n < 10".
func (p *parser) guard(t *Transition) {
	for word := "if"; p.peek() == word; word = "and" {
		p.word()
		c := Condition{Left: p.term(&p.names)}
		p.blanks()
		i := slices.IndexFunc(ops, func(op string) bool { return strings.HasPrefix(p.text[p.line.at:], op) })
		if i < 0 || strings.HasPrefix(p.text[p.line.at:], "=>") {
			p.fail(p.line.at, "expected =, !=, < or >=, found %s", p.found())
			return
		}
		p.line.at += len(ops[i])
		c.Op, c.Right = Op(i), p.term(&p.names)
		t.Guard = append(t.Guard, c)
	}
}

// answer reads "=> true", "=> r", "=> -", or nothing.
func (p *parser) answer(t *Transition) {
	m := p.names.method
	t.Outcome = history.None
	p.blanks()
	from := p.line.at
	if p.err != nil || m == nil {
		return
	}
	rest := ""
	if p.take("=>") {
		p.blanks()
		from, t.Outcome, rest = p.line.at, history.Some, p.text[p.line.at:]
		word := outcomeRE().FindString(rest)
		switch {
		case rest == "-" || strings.HasPrefix(rest, "- "):
			t.Outcome = history.Nil
			p.line.at++
		case word != "" && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return string(o.Outcome) == word }):
			t.Outcome = history.Outcome(word)
			p.line.at += len(word)
		}
		for p.blanks(); p.err == nil && p.line.at < len(p.text) && p.text[p.line.at] != '('; p.blanks() {
			if len(t.Rets) > 0 {
				p.expect(",", "another value, or the location after the call")
			}
			t.Rets = append(t.Rets, p.term(&p.names))
		}
	}
	if p.err != nil {
		return
	}
	var known []string
	for _, o := range m.Outcomes {
		if known = append(known, string(o.Outcome)); o.Outcome == t.Outcome {
			if o.Rets != len(t.Rets) {
				p.fail(from, "outcome %s of %s has %s, not %d", o.Outcome, m.Name, count(o.Rets, "value"), len(t.Rets))
			}
			return
		}
	}
	p.fail(from, "%s has no outcome %q; it has %s", m.Name, t.Outcome, strings.Join(known, ", "))
}

// next reads "(holds x)".
func (p *parser) next(t *Transition) {
	p.blanks()
	from := p.line.at
	if p.err != nil || p.a.plain() && from == len(p.text) {
		return
	}
	p.expect("(", "the location after the call, such as (free)")
	if len(p.a.Locations) > 1 {
		name := p.locationName()
		to, ok := p.byName[name]
		if t.To = to; !ok && p.err == nil {
			var known []string
			for _, l := range p.a.Locations {
				known = append(known, l.Name)
			}
			p.fail(from+1, "there is no location %q%s", name, wording.Hint(name, known))
		}
	}
	p.list(func() { t.Load = append(t.Load, p.term(&p.names)) })
	if p.err != nil {
		return
	}
	if registers := p.a.Locations[t.To].Registers; len(registers) != len(t.Load) {
		p.fail(from, "%s has %s, not %d", p.a.where(t.To), count(len(registers), "register"), len(t.Load))
	}
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
