package record

import "testing"

func BenchmarkIO(b *testing.B) {
	rec := New(Options{})
	m := rec.Method("m")
	h := rec.Handle("p")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		h.Call(m, Int(i))
		h.Commit()
		h.Return(Some, Int(i))
	}
}

func BenchmarkWrite(b *testing.B) {
	rec := New(Options{})
	v := rec.Variable("v")
	h := rec.Handle("p")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		h.Write(v, i, Int(i))
	}
}
