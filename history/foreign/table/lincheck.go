package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Lincheck prints a failure as a table of threads:
//
//	= Invalid execution results =
//	| ----------------------------- |
//	| Thread 1     | Thread 2       |
//	| ----------------------------- |
//	| put(1): void | get(): 1 [1,-] |
//	| ----------------------------- |
//
// What is above a line comes before what is below, a thread's operations come one after the other, and [1,-] says how many
// operations of each thread were seen to be completed when this one began. Where that is an order of intervals, the table
// is a history.

// seen is an operation of such a table.
type seen struct {
	operation
	thread, number int   // the number among those of the thread, from 0 on
	part           int   // between lines
	clock          []int // by thread; nil: nothing was seen
}

var (
	partLine  = wording.Regexp(`^(Init|Parallel|Post) part:$`)
	drawnLine = wording.Regexp(`^\|[ \-]*-[ \-|]*\|$`)
	seenCell  = wording.Regexp(`^([\pL_][\pL\pN_.]*)\((.*)\)(?:[ \t]*:[ \t]*(.*?))?(?:[ \t]+\[([0-9-]+(?:,[ \t]*[0-9-]+)*)\])?$`)
)

// lincheckEvents reads a table of Lincheck's.
func (t *table) lincheckEvents() ([]history.Event, error) {
	var ops []*seen
	part, threads, before := 0, 0, map[int]int{} // operations of each thread in this part
	for i, at := range t.lines {
		line, _, _ := strings.Cut(t.src[at:], "\n")
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "= ") && len(ops) > 0, strings.HasPrefix(text, "---") && len(ops) > 0:
			return t.intervals(ops)
		case partLine().MatchString(text), drawnLine().MatchString(text):
			part, before = part+1, map[int]int{}
			continue
		case text == "" || text[0] != '|' && text[0] != '[':
			continue
		}
		cells := t.threadCells(i, line, text)
		if strings.HasPrefix(cells[0].text, "Thread ") {
			continue
		}
		threads = max(threads, len(cells))
		for thread, c := range cells {
			if c.text == "" {
				continue
			}
			if text[0] == '[' {
				thread = 0 // before or after all threads
			}
			o, err := t.seenOperation(c, thread, threads)
			if err != nil {
				return nil, err
			}
			o.part, o.number = part, before[thread]
			o.event.Op = strconv.Itoa(len(ops) + 1)
			before[thread]++
			ops = append(ops, o)
		}
	}
	return t.intervals(ops)
}

// threadCells are the cells of a line | a | b |, or of a list [a, b].
func (t *table) threadCells(number int, line, text string) (cells []cell) {
	at := strings.Index(line, text)
	inner, depth, from := text[1:max(1, len(text)-1)], 0, 0
	for i := 0; i <= len(inner); i++ {
		switch {
		case i < len(inner) && strings.IndexByte("([{", inner[i]) >= 0:
			depth++
			continue
		case i < len(inner) && strings.IndexByte(")]}", inner[i]) >= 0:
			depth--
			continue
		case i < len(inner) && (inner[i] != map[bool]byte{true: '|', false: ','}[text[0] == '|'] || text[0] == '[' && depth > 0):
			continue
		}
		own := inner[from:i]
		blank := len(own) - len(strings.TrimLeft(own, " \t"))
		cells = append(cells, cell{strings.TrimSpace(own), t.place(number+1, at+1+from+blank+1)})
		from = i + 1
	}
	return cells
}

// seenOperation reads a cell.
func (t *table) seenOperation(c cell, thread, threads int) (*seen, error) {
	m := seenCell().FindStringSubmatch(c.text)
	if m == nil {
		return nil, t.wrong(c.pos, shorten(c.text)+" is no operation with its result, such as put(1): void")
	}
	answer, clock := m[3], strings.Split(m[4], ",")
	if m[4] != "" && (answer == "" || len(clock) != threads) { // the answer is a list
		answer, clock = strings.TrimSpace(answer+" ["+m[4]+"]"), nil
	} else if m[4] == "" {
		clock = nil
	}
	o := &seen{operation: operation{at: map[role]history.Pos{methodColumn: c.pos, answerColumn: c.pos}}, thread: thread}
	o.event.Method, o.event.Process = m[1], strconv.Itoa(thread+1)
	for _, n := range clock {
		number, _ := strconv.Atoi(strings.TrimSpace(n)) // - is none
		o.clock = append(o.clock, number)
	}
	var err error
	if o.arguments, _, err = t.values(cell{m[2], c.pos}); err != nil {
		return nil, err
	}
	switch word, _, _ := strings.Cut(answer, " "); {
	case answer == "":
		return nil, t.wrong(c.pos, shorten(c.text)+" has no result, and a history is about results")
	case answer == "void" || answer == "Unit":
	case word == "S" || strings.EqualFold(word, "suspended") || strings.EqualFold(word, "cancelled") || word[0] == '<':
		return nil, t.wrong(c.pos, shorten(c.text)+" was suspended, and when it went on is not told")
	case strings.HasSuffix(word, "Exception") || strings.HasSuffix(word, "Error"):
		o.answer = []history.Value{history.Value("error: " + answer)}
	default:
		o.answer, o.event.Quoted, err = t.values(cell{answer, c.pos})
	}
	return o, err
}

// intervals makes calls and returns of operations. Which are before one is a set; where of any two such sets one holds the other,
// an operation is called when all before it have returned, and returns when the first one behind it is called.
func (t *table) intervals(ops []*seen) ([]history.Event, error) {
	if len(ops) == 0 {
		return nil, t.wrong(t.place(t.first(), 1), "there are no operations in this table")
	}
	before, err := t.before(ops)
	if err != nil {
		return nil, err
	}
	var sets [][]bool
	for _, b := range before {
		if !slices.ContainsFunc(sets, func(s []bool) bool { return slices.Equal(s, b) }) {
			sets = append(sets, b)
		}
	}
	size := func(set []bool) (n int) {
		for _, in := range set {
			if in {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(sets, func(a, b []bool) int { return size(a) - size(b) })
	for i := 1; i < len(sets); i++ {
		for op := range ops {
			if sets[i-1][op] && !sets[i][op] {
				return nil, t.wrong(ops[op].at[methodColumn], lincheckUnordered)
			}
		}
	}
	returned := make([]bool, len(ops))
	for n := range len(sets) + 1 {
		for i, o := range ops {
			if !returned[i] && (n == len(sets) || sets[n][i]) {
				returned[i] = true
				t.ret(&o.operation)
			}
		}
		for i, o := range ops {
			if n < len(sets) && slices.Equal(before[i], sets[n]) {
				t.call(&o.operation)
			}
		}
	}
	return t.events, nil
}

const lincheckUnordered = "this is a table that Lincheck prints, in which two threads go on without having seen each other: such an order is none of intervals, and adtinfer checks those; record times instead"

// before lists the operations before each.
func (t *table) before(ops []*seen) ([][]bool, error) {
	before := make([][]bool, len(ops))
	for i, o := range ops {
		before[i] = make([]bool, len(ops))
		if o.clock != nil && o.part > ops[0].part && !strings.Contains(t.src, "Parallel part:") {
			return nil, t.wrong(o.at[methodColumn], "whether [...] counts the operations above the line is not told")
		}
		for thread, n := range o.clock {
			if n > 0 && !slices.ContainsFunc(ops, func(other *seen) bool { return other.part == o.part && other.thread == thread && other.number == n-1 }) {
				return nil, t.wrong(o.at[methodColumn], fmt.Sprintf("it has seen %d operations of thread %d, which has not as many", n, thread+1))
			}
		}
		for j, other := range ops {
			own := other.thread == o.thread && other.number < o.number
			before[i][j] = other.part < o.part || other.part == o.part && (own || o.clock != nil && other.thread != o.thread && other.number < o.clock[other.thread])
		}
	}
	for k := range ops { // what is before one that is before
		for i := range ops {
			for j := range ops {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	for i, o := range ops {
		if before[i][i] {
			return nil, t.wrong(o.at[methodColumn], fmt.Sprintf("%s was seen to be completed before it began", shorten(o.event.Method)))
		}
	}
	return before, nil
}
