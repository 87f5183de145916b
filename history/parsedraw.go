package history

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// ParseDrawing reads what Draw and DrawLine write, and what people draw by
// hand: any blanks, operations on lines of their own or separated by ";", any
// distinct identifiers, "empty", "nil" and "null" for the nil outcome. Without columns
// the operations are ordered as written; with them, what counts is which #s
// stand under which, counted in characters from the start of the line (so use
// blanks, not tabs, before them). A pending operation lasts to the end however
// many #s it has.
//
// A result is read as an outcome if it is a word of two letters or more, and
// as a value otherwise: "=> true" is an outcome, "=> v1", "=> 1", "=> a" are
// values; the word "value" alone is a value that is not shown.
//
// The ops come out in order of start, their intervals as columns counted from
// 0, with one label for each. Drawing them again gives the same text if it was
// drawn by Draw. An error is a *ParseError.
func ParseDrawing(src string) (*History, []Label, error) {
	p := &drawParser{ids: map[int]int{}}
	for i, line := range strings.Split(src, "\n") {
		p.setLine(strings.TrimSuffix(line, "\r"), i+1)
		if err := p.parseLine(); err != nil {
			return nil, nil, err
		}
	}
	if err := p.checkSpans(); err != nil {
		return nil, nil, err
	}
	targets, err := p.targets()
	if err != nil {
		return nil, nil, err
	}
	h, labels := p.history(targets)
	return h, labels, nil
}

// drawnOp is an operation as drawn, before targets and columns are resolved.
type drawnOp struct {
	Label
	pos      Pos
	readOnly bool

	target    int // identifier, if matched
	targetPos Pos
	mark      byte // 'X', '_', or 0 if target counts

	span    interval
	spanned bool // the span was drawn
}

type drawParser struct {
	line string
	no   int
	at   int // byte offset in line

	ops   []drawnOp
	ids   map[int]int // identifier to index in ops
	first int         // index of the first op on this line
}

func (p *drawParser) setLine(line string, no int) { p.line, p.no, p.at = line, no, 0 }

func (p *drawParser) pos() Pos {
	return Pos{Line: p.no, Col: utf8.RuneCountInString(p.line[:p.at]) + 1}
}

func (p *drawParser) blanks() {
	rest := p.line[p.at:]
	p.at += len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
}

// take moves past s if it comes next.
func (p *drawParser) take(s string) bool {
	if strings.HasPrefix(p.line[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

// word moves past a run of characters that mean nothing else.
func (p *drawParser) word() string {
	rest := p.line[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("()[]*,;:=#@", r)
	})
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

func (p *drawParser) parseLine() error {
	p.first = len(p.ops)
	for separated := true; ; {
		p.blanks()
		switch {
		case p.at == len(p.line):
			return nil
		case p.take(";"):
			separated = true
			continue
		case !separated:
			return errorAt(p.pos(), `two operations on one line are separated by ";"`)
		}
		if err := p.parseOp(); err != nil {
			return err
		}
		separated = false
	}
}

func (p *drawParser) parseOp() error {
	op := drawnOp{pos: p.pos()}
	if err := p.parseHead(&op); err != nil {
		return err
	}
	if err := p.parseLabel(&op); err != nil {
		return err
	}
	p.blanks()
	op.readOnly = p.take("(RO)")
	if err := p.parseSpan(&op); err != nil {
		return err
	}
	p.blanks()
	if p.at < len(p.line) && p.line[p.at] != ';' && p.line[p.at] != '[' {
		return errorAt(p.pos(), "unexpected %q after the operation", firstRune(p.line[p.at:]))
	}
	p.ops = append(p.ops, op)
	return nil
}

// parseHead reads "[id:target]".
func (p *drawParser) parseHead(op *drawnOp) error {
	if !p.take("[") {
		return errorAt(p.pos(), `an operation starts with "[id:target]", such as "[2:1]"`)
	}
	id, err := p.number("the operation's identifier")
	if err != nil {
		return err
	}
	if other, ok := p.ids[id]; ok {
		return errorAt(op.pos, "operation %d is drawn twice; first at %v", id, p.ops[other].pos)
	}
	p.ids[id] = len(p.ops)
	p.blanks()
	if !p.take(":") {
		return errorAt(p.pos(), `expected ":" and the match target of operation %d`, id)
	}
	p.blanks()
	op.targetPos = p.pos()
	switch {
	case p.take("X"):
		op.mark = 'X'
	case p.take("_"):
		op.mark = '_'
	default:
		op.target, err = p.number("the match target (X if there is none, _ while pending)")
		if err != nil {
			return err
		}
	}
	p.blanks()
	if !p.take("]") {
		return errorAt(p.pos(), `expected "]"`)
	}
	return nil
}

func (p *drawParser) number(what string) (int, error) {
	p.blanks()
	start := p.pos()
	n, err := strconv.ParseUint(p.word(), 10, 31)
	if err != nil {
		return 0, errorAt(start, "expected %s, a number", what)
	}
	return int(n), nil
}

// parseLabel reads "method(v1, v2) => result" or "method*".
func (p *drawParser) parseLabel(op *drawnOp) (err error) {
	p.blanks()
	start := p.pos()
	if op.Method = p.word(); op.Method == "" {
		return errorAt(start, "expected the name of a method")
	}
	// "read (RO)" has no arguments: those follow the name at once.
	if p.take("(") {
		if op.Args, err = p.values(); err != nil {
			return err
		}
		p.blanks()
		if !p.take(")") {
			return errorAt(p.pos(), `expected "," or ")"`)
		}
	}
	pending := p.take("*")
	if pending != (op.mark == '_') {
		return errorAt(op.targetPos, `a pending operation has both "_" as its target and "*" on its label, and no other has either`)
	}
	p.blanks()
	switch {
	case !p.take("=>"):
		if !pending {
			op.Outcome = None
		}
		return nil
	case pending:
		return errorAt(p.pos(), "a pending operation has no result")
	}
	return p.parseResult(op)
}

// parseResult reads what follows the arrow: an outcome, values, or both.
func (p *drawParser) parseResult(op *drawnOp) (err error) {
	p.blanks()
	start := p.at
	first := p.word()
	op.Outcome = Some
	switch {
	case first == "":
		return errorAt(p.pos(), `expected a result after "=>": an outcome or values`)
	case isNilWord(first):
		op.Outcome = Nil
	case wording.IsOutcomeName(first):
		op.Outcome = Outcome(first)
	default:
		p.at = start
	}
	p.blanks()
	if p.at == len(p.line) || strings.ContainsRune("(;#@[", rune(p.line[p.at])) {
		return nil
	}
	op.Rets, err = p.values()
	return err
}

// values reads one value or more, separated by commas.
func (p *drawParser) values() ([]Value, error) {
	var vs []Value
	for {
		p.blanks()
		start := p.pos()
		v := p.word()
		if v == "" {
			return nil, errorAt(start, "expected a value, such as v1")
		}
		vs = append(vs, Value(v))
		p.blanks()
		if !p.take(",") {
			return vs, nil
		}
	}
}

// parseSpan reads columns ("  ##") or their numbers ("@2-3").
func (p *drawParser) parseSpan(op *drawnOp) (err error) {
	p.blanks()
	start := p.pos()
	switch {
	case p.take("@"):
		op.spanned = true
		return p.parseNumberedSpan(op)
	case p.take("#"):
		if len(p.ops) > p.first {
			return errorAt(start, `columns of "#" need a line for each operation`)
		}
		op.spanned = true
		op.span.start = start.Col
		op.span.end = op.span.start
		for p.take("#") {
			op.span.end++
		}
	}
	return nil
}

func (p *drawParser) parseNumberedSpan(op *drawnOp) (err error) {
	from, to, isRange := strings.Cut(p.spanText(), "-")
	n, err := strconv.ParseUint(from, 10, 31)
	m := n
	if err == nil && isRange && op.mark != '_' {
		m, err = strconv.ParseUint(to, 10, 31)
	}
	if err != nil || m < n {
		return errorAt(p.pos(), `expected columns such as "@2" or "@2-3"`)
	}
	op.span = interval{int(n), int(m)}
	return nil
}

func (p *drawParser) spanText() string {
	rest := p.line[p.at:]
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789-"))
	p.at += n
	return rest[:n]
}

// checkSpans sees to it that all operations show their columns or none does.
func (p *drawParser) checkSpans() error {
	for i := range p.ops {
		op := &p.ops[i]
		switch {
		case op.spanned != p.ops[0].spanned:
			return errorAt(op.pos, "either all operations show their columns or none does, as the first one at %v", p.ops[0].pos)
		case op.spanned:
		case op.mark == '_' && i != len(p.ops)-1:
			return errorAt(op.pos, "nothing can follow a pending operation: draw it last, or show the columns of all operations")
		default:
			op.span = interval{i, i}
		}
	}
	return nil
}

// targets turns the identifiers of match targets into indices.
func (p *drawParser) targets() ([]int, error) {
	targets := make([]int, len(p.ops))
	for i := range p.ops {
		op := &p.ops[i]
		targets[i] = Unmatched
		if op.mark != 0 {
			continue
		}
		t, ok := p.ids[op.target]
		if !ok {
			return nil, errorAt(op.targetPos, "there is no operation %d to match", op.target)
		}
		targets[i] = t
	}
	for i, t := range targets {
		if t != Unmatched && targets[t] != t {
			op := &p.ops[i]
			return nil, errorAt(op.targetPos, "operation %d is a match target here, but at %v it does not match itself", op.target, p.ops[t].targetPos)
		}
	}
	return targets, nil
}

// history puts the operations in order of start, in the columns they need.
func (p *drawParser) history(targets []int) (*History, []Label) {
	h := &History{Ops: make([]Op, len(p.ops))}
	for i := range p.ops {
		op := &p.ops[i]
		h.Ops[i] = Op{
			Kind: op.Kind, Target: targets[i], ReadOnly: op.readOnly, Completed: op.mark != '_',
			Start: op.span.start, End: op.span.end,
		}
		if op.mark == '_' {
			h.Ops[i].End = Never
		}
	}
	d := newDrawing(h, nil)
	sorted := &History{Ops: make([]Op, len(h.Ops))}
	labels := make([]Label, len(h.Ops))
	for i, op := range d.order {
		o := h.Ops[op]
		o.Start = d.columns[op].start
		if o.Completed {
			o.End = d.columns[op].end
		}
		o.Target = targetPlace(&o, d.place)
		sorted.Ops[i], labels[i] = o, p.ops[op].Label
	}
	return sorted, labels
}
