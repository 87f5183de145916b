package history

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// source is where random choices come from: a *rand.Rand, or rapid, which can
// shrink them.
type source interface{ IntN(n int) int }

type rapidSource struct{ t *rapid.T }

func (s rapidSource) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "choice") }

// check tests a property on a thousand cases, two thousand under ADTINFER_LONG, and
// shrinks one that fails.
func check(t *testing.T, property func(t *rapid.T, rng source)) {
	t.Helper()
	testsize.Check(t, int(max(4, testsize.Samples(20))), func(t *rapid.T) { property(t, rapidSource{t}) })
}

// perm is a permutation of 0 to n-1.
func perm(rng source, n int) []int {
	p := make([]int, n)
	for i := range p {
		j := rng.IntN(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}

// randomHistory draws a valid history of n ops and at most the given width,
// over two methods with two outcomes, its ops in order of start.
func randomHistory(rng source, n, width int) *History {
	h := &History{}
	var open []int
	for time := 0; len(h.Ops) < n || len(open) > 0; time++ {
		if len(h.Ops) < n && len(open) < width && (len(open) == 0 || rng.IntN(2) == 0) {
			open = append(open, len(h.Ops))
			h.Ops = append(h.Ops, randomOp(rng, time))
			continue
		}
		if len(h.Ops) == n && rng.IntN(3) == 0 {
			break
		}
		k := rng.IntN(len(open))
		op := &h.Ops[open[k]]
		op.End, op.Completed, op.Outcome = time, true, []Outcome{None, Some, Nil}[rng.IntN(3)]
		open = append(open[:k], open[k+1:]...)
	}
	matchAtRandom(rng, h)
	return h
}

func randomOp(rng source, time int) Op {
	return Op{
		Kind:     Kind{Method: []string{"add", "remove"}[rng.IntN(2)]},
		Target:   Unmatched,
		ReadOnly: rng.IntN(4) == 0,
		Start:    time,
		End:      Never,
	}
}

func matchAtRandom(rng source, h *History) {
	var targets []int
	for i := range h.Ops {
		if h.Ops[i].Completed && rng.IntN(2) == 0 {
			h.Ops[i].Target = i
			targets = append(targets, i)
		}
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Completed && op.Target == Unmatched && len(targets) > 0 && rng.IntN(3) > 0 {
			op.Target = targets[rng.IntN(len(targets))]
		}
	}
}

// renamed is h with its ops listed in another order, and with other intervals
// for the same order.
func renamed(rng source, h *History) *History {
	place := perm(rng, len(h.Ops))
	g := &History{Ops: make([]Op, len(h.Ops))}
	for i, op := range h.Ops {
		if op.Target != Unmatched {
			op.Target = place[op.Target]
		}
		op.Start = 3*op.Start + 7
		if op.Completed {
			op.End = 3*op.End + 7 + rng.IntN(3)
		}
		g.Ops[place[i]] = op
	}
	return g
}

// randomLines draws a log whose lines are usual or unusual, and a few of them wrong.
func randomLines(rng source) string {
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	var b strings.Builder
	var open [][2]string // running operations with what they may return
	for k := range rng.IntN(12) {
		var line string
		switch {
		case rng.IntN(25) == 0:
			line = pick("[1] return", "[01] call add(1)", "[9] cal add(1)", "[] call pop", "[x] call swap(1, 2, 3, 4, 5)", "[y] call add(a#)", "[z] call ad(1)", "1 return")
		case len(open) > 0 && rng.IntN(2) == 0:
			i := rng.IntN(len(open))
			line = "[" + open[i][0] + pick("] return", "] return", "] return", "]return", "]  return")
			switch ret := pick(strings.Split(open[i][1], "|")...); {
			case rng.IntN(25) == 0:
				line += pick(" #", " 1,", " 1, 2, 3", " [", " 5 6")
			case ret != "":
				line += pick(" ", " ", "  ") + ret
			}
			open = append(open[:i], open[i+1:]...)
		default:
			call := [][2]string{{"add(1)", ""}, {"push( 3 )", ""}, {"add({x [1, 2]})", ""}, {"remove", "1|-|empty|null|5:6|\"-\"|gr\u00fc\u00df|error: 1"}, {"pop()", "2|-"},
				{"has(x)", "true|false"}, {"has(true)", "true"}, {"swap(1, 2)", "1, 2|full, 3|closed|error|error: no"}, {"swap(1,2)", "a,b|full,closed"}, {`swap("a", b)`, "1, \"x\""}}[rng.IntN(10)]
			id := pick("", "", "", "0", "p:", "x y", "10000000") + itoa(k)
			line = "[" + id + pick("] call ", "] call ", "] call ", "]call ", "] call  ") + call[0]
			open = append(open, [2]string{id, call[1]})
		}
		b.WriteString(pick("", "", "", "", " ", "\t") + line + pick("\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n# @object q\n"))
	}
	if rng.IntN(4) == 0 {
		return b.String()[:rng.IntN(b.Len()+1)]
	}
	return b.String()
}

// randomLog draws a log in text or in JSON Lines.
func randomLog(rng source) string {
	if rng.IntN(2) == 0 {
		return randomLines(rng)
	}
	return randomJSON(rng)
}

// randomJSON draws a JSON Lines log whose lines are usual or unusual, and a few of
// them wrong.
func randomJSON(rng source) string {
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	timed, wrong := rng.IntN(3), rng.IntN(2) == 0
	now := []int{0, 5, 1_754_300_000}[rng.IntN(3)]
	tail := pick("", "", "", "000000001", ".5", "e3")
	var b strings.Builder
	if rng.IntN(3) == 0 {
		b.WriteString(pick("# @object q\n", `{"object":"q"}`+"\n", `{"format":2}`+"\n", `{"format":2,"object":"q"}`+"\n", "\n", "\ufeff"))
	}
	var open [][2]string // running operations with what they may return
	for k := range rng.IntN(12) {
		var fields []string
		if len(open) > 0 && rng.IntN(2) == 0 {
			i := rng.IntN(len(open))
			fields = []string{open[i][0], `"event":"return"`}
			rets := pick(strings.Split(open[i][1], "|")...)
			for mark, field := range map[string]string{"!": `"outcome":"`, "~": `"word":"`} {
				if word, ok := strings.CutPrefix(rets, mark); ok {
					word, rets, _ = strings.Cut(word, ",")
					fields = append(fields, field+word+`"`)
				}
			}
			if rets != "" {
				fields = append(fields, `"rets":[`+rets+"]")
			}
			open = append(open[:i], open[i+1:]...)
		} else {
			call := [][3]string{{"add", "1", ""}, {"push", " 3.0 ", ""}, {"add", "null", ""}, {"add", `"\u0031"`, ""}, {"add", `"-"`, ""}, {"add", `"empty"`, ""}, {"add", "1e5", ""}, {"add", `[{"b": 1.0,"a":[] } ]`, ""}, {"remove", "", `1|null|"-"|"\u002d"|"empty"|!nil|!empty|!value,1|~-|~alice|"\"-\""|"grüß"|"a b"|""|{"a":1}|{"base64":"/w=="}`},
				{"has", `"x, y"`, "true|false|!true|~false"}, {"swap", "-1,false", `"x",2|"full" , 3|!full,3|!full,"full"|~full,3|!error: no|"closed"|"error"|"error: no"`}, {"swap", `"a" , "b"`, `"a",0.50|"full","error"`}}[rng.IntN(12)]
			op := `"op":` + pick("", "", "1", "10000000", "-") + itoa(k+1)
			if rng.IntN(4) == 0 {
				op = `"op":` + pick(`"`, `"p:`, `"x y`) + itoa(k+1) + `"`
			}
			fields = []string{op, `"event":"call"`, `"method":"` + call[0] + `"`}
			if call[1] != "" {
				fields = append(fields, `"args":[`+call[1]+"]")
			}
			open = append(open, [2]string{op, call[2]})
		}
		if rng.IntN(3) == 0 {
			fields = append(fields, `"process":`+pick("1", `"1"`, `"p"`))
		}
		if rng.IntN(6) == 0 {
			fields = append(fields, pick(`"ok":true`, `"node":{"a":[1,"}"],"op":[]}`, `"index":12`, `"\u00fc":"\"x\""`, `"":null`, `"tags":[ [], {} ]`))
		}
		if timed > 0 && rng.IntN(8) > 0 {
			if rng.IntN(timed) == 0 {
				now += rng.IntN(3)
			}
			if wrong && rng.IntN(20) == 0 {
				now--
			}
			fields = append(fields, `"time":`+itoa(now)+tail)
		}
		if wrong && rng.IntN(20) == 0 {
			fields = append(fields, pick(`"op":9`, `"thread":1`, `"args":[1]`, `"rets":[1]`, `"method":"add"`, `"time":"1"`, `"process":""`, `"process":2`, `"rets":null`, `"object":"q"`, `"outcome":"nil"`, `"outcome":"1"`, `"word":"x"`, `"format":2`, `"time":01`, `x`, `"time":1.`, `"rets":[1,2,3,4,5]`, `"args":[]`, `"rets":[]`, `"time":1e`, `"time":1E+x`))
		}
		if wrong && rng.IntN(20) == 0 {
			fields = fields[1:]
		}
		if rng.IntN(2) == 0 {
			order := perm(rng, len(fields))
			for i, f := range append([]string(nil), fields...) {
				fields[order[i]] = f
			}
		}
		line := "{" + pick("", "", " ") + strings.Join(fields, pick(",", ",", ", ", " , ", "\t,")) + pick("", "", " ") + "}"
		switch rng.IntN(12) {
		case 0:
			line = strings.ReplaceAll(line, `":`, pick(`": `, `" :`, `":  `))
		case 1:
			line = strings.ReplaceAll(line, "method", `\u006dethod`)
		}
		if wrong && rng.IntN(25) == 0 {
			line = pick("[1] return", "{}", line+",", line+line, line[:len(line)-1], "[]", line[1:], "\x00\xff", `{"object":"r"}`, `{"format":2}`)
		}
		b.WriteString(pick("", "", "", "", " ", "\t") + line + pick("\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# note\n", "\n# @object q\n"))
	}
	if rng.IntN(4) == 0 {
		return b.String()[:rng.IntN(b.Len()+1)]
	}
	return b.String()
}
