package page

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"regexp"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// plain is an operation as JSON has it.
type plain struct {
	ID, Process, Method, Outcome string
	Values                       []string
	Args, Call, Return, Line     int
}

// throughJSON are operations after JSON, which replaces what is not UTF-8.
func throughJSON(t *testing.T, ops []history.Operation) []plain {
	t.Helper()
	want := []plain{}
	for i := range ops {
		o := &ops[i]
		p := plain{o.ID, o.Process, o.Method, string(o.Outcome), []string{}, len(o.Args), o.Call, o.Return, o.CallPos.Line}
		for _, vs := range [][]history.Value{o.Args, o.Rets} {
			for _, v := range vs {
				p.Values = append(p.Values, string(v))
			}
		}
		want = append(want, p)
	}
	text, err := json.Marshal(want)
	if err == nil {
		want = []plain{}
		err = json.Unmarshal(text, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	return want
}

var dataElement = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// decoded are the operations in the columns of a page, read as the comments of logColumns say.
func decoded(t *testing.T, page string) []plain {
	t.Helper()
	var c logColumns
	if err := json.Unmarshal([]byte(dataElement.FindStringSubmatch(page)[1]), &c); err != nil {
		t.Fatal(err)
	}
	kinds, processes, ids, calls, returns, lines, values := varints(t, c.Kind), varints(t, c.Process), varints(t, c.ID), varints(t, c.Call), varints(t, c.Return), varints(t, c.Line), varints(t, c.Values)
	text := func(code uint64, before int64) (string, int64) {
		if code%2 == 1 {
			return c.Texts[code/2], before
		}
		n := before + unzigzag(code/2)
		return strconv.FormatInt(n, 10), n
	}
	ops := []plain{}
	id, call, line := int64(0), 0, 0
	for i := range c.Ops {
		k := c.Kinds[kinds[i]]
		call += int(calls[i])
		line += int(unzigzag(lines[i]))
		p := plain{Process: c.Names[processes[i]], Method: k.Method, Outcome: k.Outcome, Values: []string{}, Args: k.Args, Call: call, Return: history.NoReturn, Line: line}
		p.ID, id = text(ids[i], id)
		if returns[i] > 0 {
			p.Return = call + int(returns[i])
		}
		for range k.Args + k.Rets {
			v, _ := text(values[0], 0)
			p.Values, values = append(p.Values, v), values[1:]
		}
		ops = append(ops, p)
	}
	if len(values) > 0 {
		t.Errorf("%d values too many", len(values))
	}
	return ops
}

// orderOf are the operations in the order that a verdict knows.
func orderOf(v *Verdict) []string {
	ids := []string{}
	if ev := v.Report.Evidence; ev != nil {
		for _, t := range ev.Order {
			ids = append(ids, t.Op)
		}
	} else if x := v.Report.Explanation; x != nil {
		for i := range x.Order {
			ids = append(ids, x.Order[i].ID)
		}
	}
	for i, id := range ids { // as the columns have them
		for n := range v.Log.Execution.Ops {
			if v.Log.Execution.Ops[n].ID == id {
				ids[i] = strconv.Itoa(n)
			}
		}
	}
	return ids
}

// orderIn is the order in the columns of a page.
func orderIn(t *testing.T, page string) []string {
	t.Helper()
	var c logColumns
	if err := json.Unmarshal([]byte(dataElement.FindStringSubmatch(page)[1]), &c); err != nil {
		t.Fatal(err)
	}
	places, at := []string{}, int64(0)
	for _, d := range varints(t, c.Order) {
		at += unzigzag(d)
		places = append(places, strconv.FormatInt(at, 10))
	}
	return places
}

func unzigzag(n uint64) int64 {
	if n%2 == 1 {
		return -int64(n/2) - 1
	}
	return int64(n / 2)
}

func varints(t *testing.T, text string) (column []uint64) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for len(raw) > 0 {
		n, size := binary.Uvarint(raw)
		if size <= 0 {
			t.Fatal("a varint ends too early")
		}
		column, raw = append(column, n), raw[size:]
	}
	return column
}

// TestInteger: an integer is written in one way, and is one that a float64 holds with what is
// packed beside it.
func TestInteger(t *testing.T) {
	for s, want := range map[string]bool{
		"0": true, "-0": false, "007": false, "+5": false, "-7": true, "": false, "-": false, "1.0": false, "１": false,
		"281474976710655": true, "281474976710656": false, "-281474976710655": true, "99999999999999999999": false,
	} {
		if n, ok := integer(s); ok != want || ok && strconv.FormatInt(n, 10) != s {
			t.Errorf("%q is %d, %t", s, n, ok)
		}
	}
}
