package automata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

func (w *writer) term(t Term) string {
	switch t = t.normal(); t.Kind {
	case Register:
		return nth(w.l.Registers, t.Index)
	case Argument:
		return nth(w.params, t.Index)
	case Constant:
		return constantText(t.Value)
	case Total:
		return w.sum(&t.Sum)
	case Answer:
		if t.Index > 0 {
			return "answer" + strconv.Itoa(t.Index+1)
		}
		return "answer"
	case Fresh:
		return "new"
	case Any:
		return "any"
	}
	return "?"
}

func nth(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "?"
	}
	return names[i]
}

var integerRE = wording.Regexp(`^-?[0-9]+$`)

// constantText is a value that stands for itself: an integer, or in quotes.
func constantText(v history.Value) string {
	if integerRE().MatchString(string(v)) {
		return string(v)
	}
	return strconv.QuoteToASCII(string(v))
}

// sum is a sum; a constant comes first where all else would begin with a minus: 100 - n.
func (w *writer) sum(s *Sum) string {
	var b strings.Builder
	constant := s.Constant
	if len(s.Terms) > 0 && s.Terms[0].Times < 0 && constant > 0 {
		writeConstant(&b, constant)
		constant = 0
	}
	for _, x := range s.Terms {
		name := nth(w.params, x.Arg)
		if x.Counter >= 0 {
			name = "?"
			if x.Counter < len(w.a.Counters) {
				c := &w.a.Counters[x.Counter]
				if name = c.Name; c.Keyed {
					name += "[" + nth(w.params, x.Key) + "]"
				}
			}
		}
		writeTimes(&b, x.Times, name)
	}
	writeConstant(&b, constant)
	return b.String()
}

// writeTimes adds Times something to a sum.
func writeTimes(b *strings.Builder, times int64, what string) {
	writeSign(b, times < 0)
	if times != 1 && times != -1 {
		b.WriteString(size(times) + "*")
	}
	b.WriteString(what)
}

func writeConstant(b *strings.Builder, n int64) {
	if n != 0 || b.Len() == 0 {
		writeSign(b, n < 0)
		b.WriteString(size(n))
	}
}

func writeSign(b *strings.Builder, negative bool) {
	switch {
	case b.Len() > 0 && negative:
		b.WriteString(" - ")
	case b.Len() > 0:
		b.WriteString(" + ")
	case negative:
		b.WriteString("-")
	}
}

// size is a number without its sign.
func size(n int64) string {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	return strconv.FormatUint(u, 10)
}

// normal is the term in the one form that the text has: sums without repeated parts,
// and none that is a constant or an argument.
func (t Term) normal() Term {
	if t.Kind != Total {
		return Term{Kind: t.Kind, Index: t.Index, Value: t.Value}
	}
	sum := Sum{Constant: t.Sum.Constant}
	for _, x := range t.Sum.Terms {
		if x.Counter < 0 {
			x.Counter, x.Key = -1, 0
		} else {
			x.Arg = 0
		}
		same := func(y Summand) bool { return y.Counter == x.Counter && y.Key == x.Key && y.Arg == x.Arg }
		if i := slices.IndexFunc(sum.Terms, same); i >= 0 {
			sum.Terms[i].Times += x.Times
		} else {
			sum.Terms = append(sum.Terms, x)
		}
	}
	sum.Terms = slices.DeleteFunc(sum.Terms, func(x Summand) bool { return x.Times == 0 })
	switch {
	case len(sum.Terms) == 0:
		return Term{Kind: Constant, Value: history.Value(strconv.FormatInt(sum.Constant, 10))}
	case len(sum.Terms) == 1 && sum.Constant == 0 && sum.Terms[0].Counter < 0 && sum.Terms[0].Times == 1:
		return Term{Kind: Argument, Index: sum.Terms[0].Arg}
	}
	return Term{Kind: Total, Sum: sum}
}
