package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// typedValue is a value as Go prints it, in EDN and in JSON.
type typedValue struct{ text, edn, json string }

var state = values.Basic{Kind: values.KindInt, Bits: 64, Names: []values.Named{{Text: "closed", Value: 0}, {Text: "half-open", Value: 1}}}

// typedOf makes a type, up to some depth.
func typedOf(r *rand.Rand, depth int) values.Basic {
	n := 11
	if depth == 0 {
		n = 7
	}
	part := func() *values.Basic {
		b := typedOf(r, depth-1)
		return &b
	}
	switch r.IntN(n) {
	case 0:
		return values.Basic{Kind: values.KindInt, Bits: 64}
	case 1:
		return values.Basic{Kind: values.KindBool}
	case 2:
		return values.Basic{Kind: values.KindString}
	case 3:
		return state
	case 4:
		return values.Basic{Kind: values.KindFloat, Bits: 64}
	case 5:
		return values.Basic{Kind: values.KindInt, Bits: 64, Duration: true}
	case 6:
		return values.Basic{Kind: values.KindUint, Bits: 16}
	case 7:
		return values.Basic{Kind: values.KindList, Elem: part()}
	case 8:
		return values.Basic{Kind: values.KindMap, Key: &values.Basic{Kind: values.KindString}, Elem: part()}
	case 9:
		if b := part(); b.Kind != values.KindPointer && b.Kind != values.KindList && b.Kind != values.KindMap { // whose nil is it?
			return values.Basic{Kind: values.KindPointer, Elem: b}
		}
	}
	b := values.Basic{Kind: values.KindStruct}
	for _, name := range []string{"Hits", "LastSeen", "note"}[:1+r.IntN(3)] {
		b.Fields = append(b.Fields, values.Field{Name: strings.ToUpper(name[:1]) + name[1:], GoName: name, Basic: *part()})
	}
	return b
}

// pick is one of the ways to write a value.
func pick(r *rand.Rand, ways ...string) string { return ways[r.IntN(len(ways))] }

// valueOf makes a value of a type.
func valueOf(r *rand.Rand, b *values.Basic) typedValue {
	n := strconv.Itoa(1 + r.IntN(12))
	same := func(text string) typedValue { return typedValue{text, text, text} }
	switch b.Kind {
	case values.KindBool:
		text := strconv.FormatBool(r.IntN(2) == 0)
		return typedValue{text, pick(r, text, strconv.Quote(strings.ToUpper(text[:1])+text[1:])), pick(r, text, strconv.Quote(strings.ToUpper(text)))}
	case values.KindString:
		text := pick(r, "a", "b c", `d"e`, "17", "true", "nil", "a,b", "x:y", "{}")
		return typedValue{values.Word(text), strconv.Quote(text), strconv.Quote(text)}
	case values.KindFloat:
		return typedValue{n + ".5", pick(r, n+".5", n+".50", n+"5e-1"), n + ".5"}
	case values.KindUint:
		return typedValue{n, pick(r, n, "+"+n, n+"N"), pick(r, n, n+".0")}
	case values.KindInt:
		switch {
		case b.Duration:
			return typedValue{n + "000000000", pick(r, `"`+n+`s"`, n+"000000000"), pick(r, `"`+n+`000ms"`, n+"e9")}
		case b.Names != nil:
			k := b.Names[r.IntN(2)]
			return typedValue{strconv.Itoa(int(k.Value)), pick(r, ":"+k.Text, strconv.Quote(k.Text), strconv.Itoa(int(k.Value))), strconv.Quote(k.Text)}
		}
		return typedValue{n, pick(r, n, n+".0", n+"e0", "+"+n), pick(r, n, n+".0")}
	case values.KindPointer:
		if r.IntN(3) == 0 {
			return typedValue{"nil", "nil", "null"}
		}
		v := valueOf(r, b.Elem)
		return typedValue{"&" + v.text, v.edn, v.json}
	case values.KindList:
		return joined(r, b, "[", "]")
	case values.KindMap:
		return joined(r, b, "map[", "]")
	case values.KindStruct:
		return joined(r, b, "{", "}")
	}
	return same(n)
}

// joined makes a value with parts.
func joined(r *rand.Rand, b *values.Basic, open, end string) typedValue {
	var text, edn, js []string
	switch b.Kind {
	case values.KindList:
		for range r.IntN(4) {
			v := valueOf(r, b.Elem)
			text, edn, js = append(text, v.text), append(edn, v.edn), append(js, v.json)
		}
		brackets := pick(r, "[]", "()")
		return typedValue{open + strings.Join(text, " ") + end, brackets[:1] + strings.Join(edn, pick(r, " ", ", ")) + brackets[1:], "[" + strings.Join(js, ",") + "]"}
	case values.KindMap:
		for _, k := range []string{"a", "b", "c"}[:r.IntN(3)] {
			v := valueOf(r, b.Elem)
			text, edn, js = append(text, k+":"+v.text), append(edn, pick(r, ":", `"`)+k), append(js, `"`+k+`":`+v.json)
			if at := len(edn) - 1; edn[at][0] == '"' {
				edn[at] += `"`
			}
			edn[len(edn)-1] += " " + v.edn
		}
	default:
		for i := range b.Fields {
			v := valueOf(r, &b.Fields[i].Basic)
			name := pick(r, b.Fields[i].Name, b.Fields[i].GoName, strings.ToLower(b.Fields[i].Name))
			if name == "lastseen" {
				name = pick(r, "last-seen", "last_seen", "lastSeen")
			}
			text, edn, js = append(text, v.text), append(edn, ":"+name+" "+v.edn), append(js, strconv.Quote(name)+":"+v.json)
		}
	}
	order := r.Perm(len(edn))
	other := func(all []string) (moved []string) {
		for _, i := range order {
			moved = append(moved, all[i])
		}
		return moved
	}
	return typedValue{open + strings.Join(text, " ") + end, pick(r, "", "#user.Stats ") + "{" + strings.Join(other(edn), " ") + "}", "{" + strings.Join(other(js), ",") + "}"}
}

// answerOf makes an answer: how a text log has it, and what a completion has in EDN and JSON.
func answerOf(r *rand.Rand, sig *history.MethodSig) (text, kind, edn, js string) {
	out := sig.Outcomes[r.IntN(len(sig.Outcomes))]
	types := sig.Results[:out.Rets]
	if sig.Structs != nil && out.Rets > 0 {
		types = sig.Structs
	}
	carried := make([]typedValue, len(types))
	var texts, edns, jsons []string
	for i := range carried {
		carried[i] = valueOf(r, &types[i])
		texts, edns, jsons = append(texts, quotedValue(carried[i].text)), append(edns, carried[i].edn), append(jsons, carried[i].json)
	}
	vector := func() (string, string) {
		if len(edns) == 1 {
			return edns[0], jsons[0]
		}
		return "[" + strings.Join(edns, " ") + "]", "[" + strings.Join(jsons, ",") + "]"
	}
	tuple := r.IntN(2) == 0 || out.Outcome == history.Nil
	with := func(e, j string) {
		edns, jsons = append(edns, e), append(jsons, j)
	}
	kind = "ok"
	switch {
	case out.Error != "":
		word, said := ":"+strings.ReplaceAll(out.Error, " ", "-"), pick(r, out.Error, "m: "+out.Error, "error: "+out.Error)
		text = strings.Join(append([]string{string(out.Outcome)}, texts...), ", ")
		if out.Rets > 0 && tuple {
			with(pick(r, word, strconv.Quote(said)), strconv.Quote(said))
			edn, js = vector()
			return text, kind, ", :value " + edn, `,"value":` + js
		}
		edn, js = fmt.Sprintf(", :error %s", pick(r, word, strconv.Quote(said), "["+word+" 7]")), fmt.Sprintf(`,"error":%q`, said)
		if out.Rets > 0 {
			e, j := vector()
			return text, kind, edn + ", :value " + e, js + `,"value":` + j
		}
		return text, pick(r, "ok", "fail"), edn, js
	case out.Outcome == history.None:
		return "", kind, ", :value nil", `,"value":null`
	case out.Outcome == history.Nil && out.Rets == 0:
		return "-", kind, ", :value nil", `,"value":null`
	case out.Outcome == history.Nil:
		with("false", "false")
		edn, js = vector()
		return strings.Join(append([]string{"-"}, texts...), ", "), kind, ", :value " + edn, `,"value":` + js
	case tuple && slices.ContainsFunc(sig.Outcomes, func(o history.OutcomeSig) bool { return o.Error != "" }):
		with("nil", "null")
	case tuple && slices.ContainsFunc(sig.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == history.Nil }):
		with("true", "true")
	}
	edn, js = vector()
	return strings.Join(texts, ", "), kind, ", :value " + edn, `,"value":` + js
}

// quotedValue is a value in a text log: in quotes if it might name an outcome, or is not as Go prints it.
func quotedValue(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	return strconv.Quote(text)
}

// typedSig makes a method whose types are known. What it answers is told from what it is called with, by its type.
func typedSig(r *rand.Rand) history.MethodSig {
	m := history.MethodSig{Name: "m", Results: []values.Basic{typedOf(r, 2)}}
	if m.Results[0].Kind == values.KindPointer {
		m.Results[0] = *m.Results[0].Elem // a nil would be one of two
	}
	for range r.IntN(3) {
		m.Params = append(m.Params, typedOf(r, 2))
	}
	m.Args = len(m.Params)
	rets := 1 + r.IntN(2)
	if rets == 2 {
		m.Results = append(m.Results, typedOf(r, 1))
	}
	if m.Results[0].Kind == values.KindStruct && r.IntN(2) == 0 { // its fields are values
		m.Structs, m.Results = m.Results, nil
		for _, b := range m.Structs {
			m.Results = append(m.Results, b.Leaves()...)
		}
		rets = len(m.Results)
	}
	m.Outcomes = []history.OutcomeSig{{Outcome: history.Some, Rets: rets}}
	switch beside := []int{0, rets}[r.IntN(2)]; r.IntN(3) {
	case 0:
		m.Results = append(m.Results, values.Basic{Kind: values.KindBool})
		m.Outcomes = append(m.Outcomes, history.OutcomeSig{Outcome: history.Nil, Rets: beside})
	case 1:
		m.Results = append(m.Results, values.Basic{Kind: values.KindInterface, Elem: &values.Basic{Kind: values.KindString}})
		m.Outcomes = append(m.Outcomes, history.OutcomeSig{Outcome: "ErrTwice", Error: "already voted", Rets: beside},
			history.OutcomeSig{Outcome: "errShut", Error: "shut down"})
	}
	return m
}

// TestTypes: values of random types, in every way in which EDN and JSON write them, are what they are in a text log; and so are
// named errors, tuples and structs.
func TestTypes(t *testing.T) {
	seen := map[string]int{}
	for seed := range testsize.Samples(4_000) {
		r := rand.New(rand.NewPCG(seed, 41))
		m := typedSig(r)
		sig, err := history.NewSignature(m)
		if err != nil {
			t.Fatal(err)
		}
		var text, edn, js strings.Builder
		for i := range 1 + r.IntN(4) {
			var args, given, givenJSON []string
			for k := range m.Params {
				v := valueOf(r, &m.Params[k])
				args, given, givenJSON = append(args, quotedValue(v.text)), append(given, v.edn), append(givenJSON, v.json)
			}
			g, j := "nil", "null"
			if len(given) == 1 {
				g, j = given[0], givenJSON[0]
			} else if len(given) > 1 {
				g, j = "["+strings.Join(given, " ")+"]", "["+strings.Join(givenJSON, ",")+"]"
			}
			answer, kind, said, saidJSON := answerOf(r, &m)
			fmt.Fprintf(&text, "[%d] call m(%s)\n[%[1]d] return %[3]s\n", i, strings.Join(args, ", "), answer)
			fmt.Fprintf(&edn, "{:process 0, :type :invoke, :f :m, :value %s}\n{:process 0, :type :%s, :f :m%s}\n", g, kind, said)
			fmt.Fprintf(&js, "{\"process\":0,\"type\":\"invoke\",\"f\":\"m\",\"value\":%s}\n{\"process\":0,\"type\":%q,\"f\":\"m\"%s}\n", j, kind, saidJSON)
		}
		want, err := history.NewReader(strings.NewReader(text.String()), "own").Execution(sig)
		if err != nil {
			t.Fatalf("seed %d: our own: %v\n%+v\n%s", seed, err, m, text.String())
		}
		for format, src := range map[foreign.Format]string{foreign.Jepsen: edn.String(), foreign.ElleCLI: js.String()} {
			got, err := foreign.New(strings.NewReader(src), "x", foreign.Options{Format: format, Pairs: true, Answers: true}, sig).Execution(sig)
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%+v\n%s%s", seed, format, err, m, text.String(), src)
			}
			if got.String() != want.String() || got.Tail != want.Tail {
				t.Fatalf("seed %d, %s: %s\nwant %s\n%+v\n%s%s", seed, format, got, want, m, text.String(), src)
			}
		}
		if m.Structs != nil {
			seen["fields"]++
		}
		for i := range want.Ops {
			seen[string(want.Ops[i].Outcome)]++
		}
	}
	t.Log(seen)
	for _, o := range []string{"fields", "value", "nil", "ErrTwice", "errShut"} {
		if seen[o] == 0 {
			t.Errorf("no outcome %s", o)
		}
	}
}
