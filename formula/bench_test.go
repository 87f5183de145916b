package formula

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

func BenchmarkCompiled(b *testing.B) {
	f := Compile(must(b, "method(y) = add & arg(y) = ret(x) | y = x & (method(x) = add | outcome(x) = nil)", "x", "y"), "x", "y")
	var s Structure = sample()
	ops := []int{1, 0}
	b.ReportAllocs()
	for b.Loop() {
		f(s, ops)
	}
}

// longLog has n operations; operation i adds the value i, or removes the one before.
func longLog(n int) *testStructure {
	s := &testStructure{}
	for i := range n {
		l := history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{history.Value(fmt.Sprint(i))}}
		if i%2 == 1 {
			l = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{history.Value(fmt.Sprint(i - 1))}}
		}
		s.labels, s.start, s.end = append(s.labels, l), append(s.start, i), append(s.end, i)
		s.match, s.readonly = append(s.match, i-i%2), append(s.readonly, false)
	}
	return s
}

func BenchmarkCounterexample(b *testing.B) {
	s := longLog(100_000)
	for _, tc := range []struct{ name, src string }{
		{"add-once", "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y"},
		{"added", "forall x:Op. method(x) = remove & outcome(x) = value -> exists y:Op. method(y) = add & arg(y) = ret(x)"},
		{"match", "forall x:Op, y:Op. match(x) = y -> !before(x, y)"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			f := must(b, tc.src)
			for b.Loop() {
				if _, _, found := Counterexample(f, s); found {
					b.Fatal("the rule holds")
				}
			}
			b.ReportMetric(float64(s.Len())*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
		})
	}
}
