package libraries

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

func bounds(n, k, d int) explore.Bounds {
	return explore.Bounds{Threads: n, Operations: k, Values: d}
}

// table is what comes out. Beside what holds is something that does not.
var table = []struct {
	name    string
	at      explore.Bounds
	want    explore.Verdict
	mayFail []string
}{
	{name: "lockfreequeue", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "lockfreestack", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "skipset", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "hashmaplist", at: bounds(2, 2, 2), want: explore.Violated},
	{name: "ringbuffer", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "ringbuffer", at: bounds(2, 2, 2), want: explore.Holds, mayFail: []string{"offer=false"}},
	{name: "mpmcqueue", at: bounds(2, 1, 1), want: explore.Violated},
	{name: "mpmcqueue", at: bounds(2, 2, 2), want: explore.Holds, mayFail: []string{"tryEnqueue=false", "tryDequeue=nil"}},
	{name: "fifo", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "fifowait", at: bounds(2, 2, 2), want: explore.Violated},
	{name: "concurrentmap", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "lru", at: bounds(2, 2, 2), want: explore.Holds},
	{name: "skipmap", at: bounds(2, 1, 1), want: explore.Holds},
	{name: "skipmap", at: bounds(2, 2, 1), want: explore.Violated},
}

func TestLibraries(t *testing.T) {
	for _, l := range table {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r, err := explore.Run(t.Context(), explore.Options{Dir: l.name, Bounds: l.at, MayFail: l.mayFail, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != l.want {
				t.Errorf("%s, want %s", r.Verdict, l.want)
			}
			t.Log(r.Text())
		})
	}
}
