package page

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// logColumns are a log, column by column. A column is the base64 of varints, one for each
// operation in the order of the calls, or as it says. Texts are codes: an integer n, as it is
// commonly written, is twice its zigzag; any other text is 2i+1, where i is its place in Texts.
type logColumns struct {
	Events int      `json:"events"`
	Ops    int      `json:"ops"`
	Prefix int      `json:"prefix"`
	Texts  []string `json:"texts"`
	Kinds  []kind   `json:"kinds"`
	Keyed  bool     `json:"keyed"`
	Names  []string `json:"processes"`
	Place  string   `json:"place"` // what Line counts: "line", "event" or nothing

	Kind    string `json:"kind"`    // index into Kinds
	Process string `json:"process"` // index into Names
	ID      string `json:"id"`      // a code; of an integer the zigzag of its difference to the integer before
	Call    string `json:"call"`    // difference to the call before
	Return  string `json:"return"`  // difference to the call; 0: pending
	Line    string `json:"line"`    // zigzag of the difference to the line before
	Values  string `json:"values"`  // codes of the arguments and returned values of all operations

	Marks   []int          `json:"marks"`   // operations of the explanation, as far as they are shown
	Last    int            `json:"last"`    // the operation that completes the violation, or -1
	Order   string         `json:"order"`   // operations in an order that explains them, zigzag of the difference to the one before
	Answers map[int]string `json:"answers"` // of pending operations in the order
	States  []string       `json:"states"`  // after each operation of the order; null: not known
	State   string         `json:"state"`   // after the last; empty: not known

	Annotations []Annotation `json:"annotations"`
}

// kind is a method with its outcome, and how many values there are.
type kind struct {
	Method  string `json:"method"`
	Outcome string `json:"outcome"` // empty: pending
	Args    int    `json:"args"`
	Rets    int    `json:"rets"`
	Key     int    `json:"key"` // which of the values is the key; -1: none
}

// index numbers values as they come.
type index[T comparable] struct {
	at  map[T]int
	all []T
}

func (x *index[T]) of(v T) int {
	n, ok := x.at[v]
	if !ok {
		if x.at == nil {
			x.at = map[T]int{}
		}
		n = len(x.all)
		x.at[v], x.all = n, append(x.all, v)
	}
	return n
}

// column is a column that grows.
type column []byte

func (c *column) add(n uint64)   { *c = binary.AppendUvarint(*c, n) }
func (c *column) signed(n int64) { c.add(zigzag(n)) }
func (c column) String() string  { return base64.StdEncoding.EncodeToString(c) }

func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

// mostInt bounds the integers that are no texts: twice their zigzag is exact in a float64.
const mostInt = 1 << 48

// integer is a text as an integer, if it is one as they are commonly written.
func integer(s string) (int64, bool) {
	if s == "" || len(s) > 16 || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > -mostInt && n < mostInt && strconv.FormatInt(n, 10) == s
}

// columnsOf are the columns of a verdict's log.
func columnsOf(v *Verdict, s *said) *logColumns {
	e := v.Log.Execution
	c := &logColumns{Events: e.Events, Ops: len(e.Ops), Prefix: s.Prefix, Last: -1, Keyed: len(v.Log.Keys) > 0, Marks: []int{}, Annotations: v.Log.Annotated()}
	if c.encode(v); v.over() {
		return c
	}
	at := make(map[string]int, len(e.Ops))
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
		if o := &e.Ops[i]; s.Prefix > 0 && (o.Call == s.Prefix-1 || o.Return == s.Prefix-1) {
			c.Last = i
		}
	}
	if x := s.Explanation; x != nil {
		for _, o := range x.shown() {
			if n, ok := at[o.ID]; ok {
				c.Marks = append(c.Marks, n)
			}
		}
	}
	c.explain(v, s, at)
	return c
}

// pollEvery is after how many operations the time is looked at.
const pollEvery = 1 << 14

// encode makes the columns, as far as time allows.
func (c *logColumns) encode(v *Verdict) {
	log := v.Log
	var texts, names index[string]
	var kinds index[kind]
	var kindOf, process, id, call, ret, line, values column
	code := func(c *column, text string, before int64) int64 {
		n, ok := integer(text)
		if !ok {
			c.add(uint64(2*texts.of(text) + 1))
			return before
		}
		c.add(2 * zigzag(n-before))
		return n
	}
	lastID, lastCall, lastLine := int64(0), 0, 0
	for i := range log.Execution.Ops {
		if i%pollEvery == 0 && v.over() {
			return
		}
		o := &log.Execution.Ops[i]
		kindOf.add(uint64(kinds.of(log.kind(o))))
		process.add(uint64(names.of(o.Process)))
		lastID = code(&id, o.ID, lastID)
		call.add(uint64(o.Call - lastCall))
		if o.Completed() {
			ret.add(uint64(o.Return - o.Call))
		} else {
			ret.add(0)
		}
		line.signed(int64(o.CallPos.Line - lastLine))
		lastCall, lastLine = o.Call, o.CallPos.Line
		args, rets := log.shown(o)
		for _, vs := range [][]history.Value{args, rets} {
			for _, v := range vs {
				code(&values, string(v), 0)
			}
		}
	}
	c.Texts, c.Kinds, c.Names = append([]string{}, texts.all...), append([]kind{}, kinds.all...), append([]string{}, names.all...)
	c.Kind, c.Process, c.ID, c.Call = kindOf.String(), process.String(), id.String(), call.String()
	c.Return, c.Line, c.Values = ret.String(), line.String(), values.String()
	if ops := log.Execution.Ops; len(ops) > 0 && ops[0].CallPos.Line > 0 {
		c.Place = "line"
		if ops[0].CallPos.Col == 0 {
			c.Place = "event"
		}
	}
}

// kind is the kind of an operation.
func (l *Log) kind(o *history.Operation) kind {
	k := kind{o.Method, string(o.Outcome), len(o.Args), len(o.Rets), -1}
	if key, ok := l.Keys[o.Method]; ok {
		switch {
		case key.Ret == 0 && key.Arg < k.Args:
			k.Key = key.Arg
		case key.Ret > 0 && key.Ret <= k.Rets:
			k.Key = k.Args + key.Ret - 1
		}
	}
	return k
}

// explain adds the order that explains the log, or what comes before the last event of a
// violation.
func (c *logColumns) explain(v *Verdict, s *said, at map[string]int) {
	e, order, before := v.Log.Execution, column{}, 0
	var labels []history.Label
	c.Answers = map[int]string{}
	take := func(id string, pending bool, outcome history.Outcome, rets []history.Value) {
		i, ok := at[id]
		if !ok {
			return
		}
		order.signed(int64(i - before))
		before = i
		label := e.Ops[i].Label
		if pending {
			label.Outcome, label.Rets = outcome, rets
			_, shown := v.Log.shown(&history.Operation{Label: label})
			text := make([]string, len(shown))
			for i, v := range shown {
				text[i] = string(v)
			}
			c.Answers[i] = answer(string(outcome), text)
		}
		labels = append(labels, label)
	}
	switch ev, x := v.Report.Evidence, v.Report.Explanation; {
	case ev != nil && !ev.Violation:
		for _, t := range ev.Order {
			i, ok := at[t.Op]
			take(t.Op, ok && !e.Ops[i].Completed(), t.Outcome, t.Rets)
		}
	case x != nil && x.Last.Method != "":
		for i := range x.Order {
			o := &x.Order[i]
			n, ok := at[o.ID]
			take(o.ID, ok && (!e.Ops[n].Completed() || e.Ops[n].Return >= s.Prefix-1), o.Outcome, o.Rets)
		}
		c.State = x.State
	}
	if c.Order = order.String(); v.States != nil && len(labels) > 0 {
		c.States = v.States(labels)
	}
}
