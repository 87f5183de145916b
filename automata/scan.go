package automata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

var (
	outcomeRE = wording.Regexp(`^\pL[\pL_-]*`)
	answerRE  = wording.Regexp(`^answer([1-9][0-9]?)?$`)
)

// reserved reports whether a word has a meaning of its own, so that it names no
// register, argument or counter.
func reserved(word string) bool {
	return answerRE().MatchString(word) || slices.Contains([]string{
		"_", "new", "any", "blocks", "if", "otherwise", "and", "at", "first", "since", "or", "sum", "of"}, word)
}

func (p *parser) blanks() {
	for p.line.at < len(p.text) && (p.text[p.line.at] == ' ' || p.text[p.line.at] == '\t') {
		p.line.at++
	}
}

// take takes a sign, if it is there.
func (p *parser) take(sign string) bool {
	p.blanks()
	if !strings.HasPrefix(p.text[p.line.at:], sign) {
		return false
	}
	p.line.at += len(sign)
	return true
}

func (p *parser) expect(sign, what string) {
	if !p.take(sign) {
		p.fail(p.line.at, "expected %q and %s, found %s", sign, what, p.found())
	}
}

// list reads items with commas between them, up to a closing bracket.
func (p *parser) list(item func()) {
	for n := 0; p.err == nil && !p.take(")"); n++ {
		if n > 0 && !p.take(",") {
			p.fail(p.line.at, `expected "," or ")", found %s`, p.found())
		}
		item()
	}
}

// nameIn is the name that a text starts with, or "".
func nameIn(s string) string { return s[:wording.NameLen(s)] }

// peek is the word that comes next, or "".
func (p *parser) peek() string {
	p.blanks()
	return nameIn(p.text[p.line.at:])
}

func (p *parser) word() string {
	w := p.peek()
	p.line.at += len(w)
	return w
}

func (p *parser) keyword(word string) {
	if from := p.line.at; p.word() != word {
		p.fail(from, "expected %q", word)
	}
}

// name reads a name that is not reserved.
func (p *parser) name(what string) string {
	p.blanks()
	from := p.line.at
	w := p.word()
	switch {
	case w == "":
		p.fail(from, "expected %s, found %s", what, p.found())
	case reserved(w):
		p.fail(from, "%q has a meaning of its own here, and cannot be %s", w, what)
	}
	return w
}

func (p *parser) quoted() string {
	text := p.text[p.line.at:]
	q, err := strconv.QuotedPrefix(text)
	s, bad := strconv.Unquote(q)
	if err != nil || bad != nil || !strings.HasPrefix(text, `"`) {
		p.fail(p.line.at, `a quoted text ends with a quote on the same line ("\"" is a quote, "\\" a backslash)`)
	}
	p.line.at += len(q)
	return s
}

// found says what comes next.
func (p *parser) found() string {
	rest := p.text[p.line.at:]
	if rest == "" {
		return "the end of the line"
	}
	if w := nameIn(rest); w != "" {
		return strconv.Quote(w)
	}
	return strconv.Quote(string([]rune(rest)[:1]))
}

func (p *parser) end() {
	if p.blanks(); p.line.at < len(p.text) {
		p.fail(p.line.at, "unexpected %s", p.found())
	}
}

// known reports whether a name means something.
func (s *scope) known(name string) bool { return slices.Contains(s.all(), name) }

func (s *scope) all() []string {
	all := slices.Concat(s.registers, s.params)
	for _, c := range s.counters {
		all = append(all, c.Name)
	}
	return all
}

// term reads a value: a constant, a register, an argument, or a sum.
func (p *parser) term(s *scope) Term {
	p.blanks()
	if strings.HasPrefix(p.text[p.line.at:], `"`) {
		return Term{Kind: Constant, Value: history.Value(p.quoted())}
	}
	switch word := p.peek(); {
	case word == "new" || word == "any":
		p.word()
		return Term{Kind: map[string]TermKind{"new": Fresh, "any": Any}[word]}
	case answerRE().MatchString(word):
		p.word()
		n, _ := strconv.Atoi(strings.TrimPrefix(word, "answer"))
		return Term{Kind: Answer, Index: max(0, n-1)}
	case slices.Contains(s.registers, word) && word != "":
		p.word()
		return Term{Kind: Register, Index: slices.Index(s.registers, word)}
	}
	return p.sum(s)
}

var numberRE = wording.Regexp(`^[0-9]+`)

// sum reads "n - 2*balance[a] + x + 1", or an integer, which is a constant as it
// stands.
func (p *parser) sum(s *scope) Term {
	t, from, parts := Term{Kind: Total}, p.line.at, 0
	text := ""
	for p.err == nil {
		minus := p.take("-")
		if !minus && parts > 0 && !p.take("+") {
			break
		}
		p.blanks()
		at := p.line.at
		digits := numberRE().FindString(p.text[at:])
		p.line.at += len(digits)
		switch {
		case digits == "":
			p.summand(s, &t, p.times("1", minus, at))
		case p.take("*"):
			p.summand(s, &t, p.times(digits, minus, at))
		default:
			if text = digits; minus {
				text = "-" + digits
			}
			if rest := p.text[p.line.at:]; parts == 0 && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "+") && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "-") {
				return Term{Kind: Constant, Value: history.Value(text)} // of any length
			}
			n := p.times(digits, minus, at)
			if sum := t.Sum.Constant + n; (sum > t.Sum.Constant) == (n > 0) {
				t.Sum.Constant = sum
			} else {
				p.fail(from, "the constants of this sum do not fit in 64 bits")
			}
		}
		parts++
	}
	return t.normal()
}

// times is a factor, which fits in 64 bits.
func (p *parser) times(digits string, minus bool, at int) int64 {
	if minus {
		digits = "-" + digits
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		p.fail(at, "%s does not fit in 64 bits", digits)
	}
	return n
}

// summand reads a counter or an argument.
func (p *parser) summand(s *scope, t *Term, times int64) {
	p.blanks()
	from := p.line.at
	name := p.word()
	x := Summand{Times: times, Counter: slices.IndexFunc(s.counters, func(c Counter) bool { return c.Name == name }), Arg: 0}
	switch {
	case name == "":
		p.fail(from, "expected a value, found %s", p.found())
		return
	case x.Counter >= 0:
		if keyed := s.counters[x.Counter].Keyed; keyed {
			p.expect("[", "the argument that is its key")
			x.Key = p.argument(s)
			p.expect("]", "nothing else")
		}
	case slices.Contains(s.params, name):
		x.Arg = slices.Index(s.params, name)
	case slices.Contains(s.registers, name):
		p.fail(from, "%s is a register, and sums are of counters, arguments and integers", name)
	default:
		p.fail(from, "unknown name %q%s", name, wording.Hint(name, s.all()))
	}
	t.Sum.Terms = append(t.Sum.Terms, x)
}

func (p *parser) argument(s *scope) int {
	p.blanks()
	from := p.line.at
	name := p.word()
	i := slices.Index(s.params, name)
	if i < 0 {
		p.fail(from, "%q is no argument of this call%s", name, wording.Hint(name, s.params))
	}
	return max(i, 0)
}

// counter reads "n = #push - #pop=value + 3 since clear", "n = max 0, x of write(x)".
func (p *parser) counter() {
	p.blanks()
	from := p.line.at
	c := Counter{Name: p.name("the name of a counter")}
	if slices.ContainsFunc(p.a.Counters, func(d Counter) bool { return d.Name == c.Name }) {
		p.fail(from, "there are two counters %q", c.Name)
	}
	key, constant := "", false
	if p.take("[") {
		key, c.Keyed = p.name("the name of a key"), true
		p.expect("]", "a sum")
	}
	p.expect("=", "a sum")
	if c.Greatest = p.peek() == "max"; c.Greatest {
		p.word()
	}
	for parts := 0; p.err == nil && (p.peek() != "since" || parts == 0); parts++ {
		if c.Greatest && parts > 0 && !p.take(",") {
			break
		}
		minus := p.take("-")
		if !c.Greatest && !minus && parts > 0 && !p.take("+") {
			break
		}
		p.blanks()
		at := p.line.at
		digits := numberRE().FindString(p.text[at:])
		p.line.at += len(digits)
		if digits != "" && !p.take("*") {
			n := p.times(digits, minus, at)
			if constant {
				p.fail(at, "a counter has one constant, what it is at first")
			}
			c.Start, constant = n, true
			continue
		}
		if digits == "" {
			digits = "1"
		}
		p.add(&c, key, p.times(digits, minus, at))
	}
	if p.peek() == "since" {
		for word := "since"; p.peek() == word && p.err == nil; word = "or" {
			p.word()
			p.methodName()
			c.Reset = append(c.Reset, p.outcome())
		}
	}
	p.a.Counters = append(p.a.Counters, c)
}

// add reads "#release", "#add(k)=true", "sum x of deposit(k,x)"; of the greatest, "x of
// deposit(k,x)".
func (p *parser) add(c *Counter, key string, times int64) {
	add, summed := Add{Times: times, Arg: -1}, ""
	p.blanks()
	from := p.line.at
	switch {
	case p.take("#"):
	case c.Greatest:
		summed = p.name("an argument, as \"x of push(x)\"")
		p.keyword("of")
	case p.peek() == "sum":
		p.word()
		summed = p.name("the argument that is summed up")
		p.keyword("of")
	default:
		p.fail(p.line.at, `expected a number of calls, as "#push", or a sum, as "sum x of deposit(x)", found %s`, p.found())
		return
	}
	p.methodName()
	if p.err != nil {
		return
	}
	var params []string
	if p.take("(") {
		p.list(func() {
			p.blanks()
			if is, ok := p.literal(); ok {
				if add.Where > 0 {
					p.fail(p.line.at, "one argument may be compared with a value")
				}
				params = append(params, "_")
				add.Where, add.Is = len(params), is
				return
			}
			params = append(params, p.word())
			if s := params[len(params)-1]; s == "" || s != "_" && s != key && s != summed || s != "_" && slices.Index(params, s) < len(params)-1 {
				p.fail(p.line.at-len(s), "arguments here are the key, what is summed up, once each, an integer or a text in quotes that it must be, and _ for the others")
			}
		})
	}
	if m := p.names.method; p.err == nil && len(params) != m.Args && (c.Keyed || summed != "" || len(params) > 0) {
		p.fail(from, "%s takes %s, not %d", m.Name, count(m.Args, "argument"), len(params))
	}
	if c.Keyed {
		if add.Key = slices.Index(params, key); add.Key < 0 {
			p.fail(from, "which argument is the key %s?", key)
		}
	}
	if summed != "" {
		if add.Arg = slices.Index(params, summed); add.Arg < 0 {
			p.fail(from, "which argument is %s?", summed)
		}
	}
	add.Kind = p.outcome()
	c.Adds = append(c.Adds, add)
}

// literal reads an integer or a quoted text, if one comes next.
func (p *parser) literal() (v history.Value, ok bool) {
	rest := p.text[p.line.at:]
	if strings.HasPrefix(rest, `"`) {
		return history.Value(p.quoted()), true
	}
	n := len(rest) - len(strings.TrimLeft(rest, "-0123456789"))
	if n == 0 || !integerRE().MatchString(rest[:n]) {
		return "", false
	}
	p.line.at += n
	return history.Value(rest[:n]), true
}

// outcome reads "=true" behind a method; without it, it is the outcome none or the
// only one.
func (p *parser) outcome() history.Kind {
	m := p.names.method
	if p.err != nil {
		return history.Kind{}
	}
	from := p.line.at
	var known []string
	for _, o := range m.Outcomes {
		known = append(known, string(o.Outcome))
	}
	if !p.take("=") {
		if slices.Contains(known, string(history.None)) {
			return history.Kind{Method: m.Name, Outcome: history.None}
		}
		if len(known) != 1 {
			p.fail(from, "which answers of %[1]s? Write %[1]s=%s, say", m.Name, known[0])
			return history.Kind{}
		}
		return history.Kind{Method: m.Name, Outcome: history.Outcome(known[0])}
	}
	p.blanks()
	from = p.line.at
	word := outcomeRE().FindString(p.text[from:])
	if p.line.at += len(word); !slices.Contains(known, word) {
		p.fail(from, "%s has no outcome %q; it has %s", m.Name, word, strings.Join(known, ", "))
	}
	return history.Kind{Method: m.Name, Outcome: history.Outcome(word)}
}
