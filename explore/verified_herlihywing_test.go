package explore_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const herlihyWing = "examples/verified/herlihywing"

// The figures are those of this explorer, against what the queue does alone.
func init() {
	figures = append(figures, struct {
		of     string
		states [4]int64
	}{herlihyWing, [4]int64{637, 251, 1_260, 9_514}})
}

// herlihyWingMutants are held against the queue as it should be.
var herlihyWingMutants = []mutant{
	{herlihyWing, "a slot may be taken twice", []string{"i := q.back.Add(1) - 1\n", "i := q.back.Load()\n\tq.back.Store(i + 1)\n"}, explore.Livelocked},
	{herlihyWing, "a slot is taken once it is filled", []string{"i := q.back.Add(1) - 1\n\tq.slots[i].Store(&v)\n", "q.slots[q.back.Load()].Store(&v)\n\tq.back.Add(1)\n"}, explore.Livelocked},
	{herlihyWing, "the first slot stays empty", []string{"i := q.back.Add(1) - 1\n", "i := q.back.Add(1)\n"}, explore.Livelocked},
	{herlihyWing, "the last slot is not looked at", []string{"range back {", "range back - 1 {"}, explore.Livelocked},
	{herlihyWing, "a value may leave twice", []string{".Swap(nil); v != nil {\n", ".Load(); v != nil {\n\t\t\t\tq.slots[i].Store(nil)\n"}, explore.Violated},
	{herlihyWing, "values stay", []string{".Swap(nil)", ".Load()"}, explore.Violated},
	{herlihyWing, "the last slot first", []string{"q.slots[i].Swap", "q.slots[back-1-i].Swap"}, explore.Violated},
	{herlihyWing, "looks at slots that are not taken yet", []string{"back := min(q.back.Load(), Room)", "back := Room"}, explore.Violated},
	{herlihyWing, "looks on if more slots are taken", []string{"for i := range back {", "for i := int64(0); i < max(back, q.back.Load()); i++ {"}, explore.Violated},
	{herlihyWing, "looks at those slots alone that were taken at first", []string{"\tfor {\n\t\tback := min(q.back.Load(), Room)", "\tback := min(q.back.Load(), Room)\n\tfor {\n\t\t_ = back"}, explore.Faulty},
	{herlihyWing, "an empty slot is the end", []string{"\t\t\t\treturn *v\n\t\t\t}\n", "\t\t\t\treturn *v\n\t\t\t} else {\n\t\t\t\tbreak\n\t\t\t}\n"}, explore.Livelocked},
	{herlihyWing, "always the same value", []string{"return *v", "return 1"}, explore.Violated},
	{herlihyWing, "a value without synchronization", []string{"atomic.Pointer[int]", "*int", ".Store(&v)", " = &v", "v := q.slots[i].Swap(nil); v != nil {", "v := q.slots[i]; v != nil {\n\t\t\t\tq.slots[i] = nil"}, explore.Racy},
}

// Not to wait is to say more than Dequeue can know.
var notWaiting = []mutant{
	{herlihyWing, "empty if nothing is found", []string{"Dequeue() int", "Dequeue() (int, bool)", "return *v", "return *v, true", "runtime.Gosched()", "return 0, false", "\t\"runtime\"\n", ""}, explore.Violated},
	// If no slot was taken meanwhile, whatever came since Dequeue began was on its way
	// when Dequeue began, and may as well come after it.
	{herlihyWing, "empty if nothing is found and no slot was taken", []string{"Dequeue() int", "Dequeue() (int, bool)", "return *v", "return *v, true", "runtime.Gosched()", "if back == q.back.Load() {\n\t\t\treturn 0, false\n\t\t}", "\t\"runtime\"\n", ""}, explore.Holds},
}

func TestHerlihyWing(t *testing.T) {
	t.Parallel()
	for _, m := range testsize.Some(herlihyWingMutants, 15) {
		o := explore.Options{Dir: m.write(t), Reference: folder(m.of), Bounds: bounds(2, 2, 2), Workers: 1}
		inAllWays(t, m.name, o, m.want, "")
	}
	for _, m := range testsize.Some(notWaiting, 2) {
		o := explore.Options{Dir: m.write(t), Bounds: bounds(2, 2, 2), Workers: 1}
		inAllWays(t, m.name, o, m.want, "")
	}
}
