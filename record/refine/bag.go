package refine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Bag is a view: items with how often they are there. An item is a value, or two:
// a key with its value, a place with what stands there. A view of a set has each
// item once, one of a sequence has places as keys. The zero Bag is empty.
//
// A Bag remembers what changed since the checker last looked, so that two views
// are compared in time proportional to the changes.
type Bag struct {
	counts  map[item]int64
	changed []change
}

type item struct{ key, value record.Value }

type change struct {
	item item
	n    int64
}

// Add adds an item, of one value or two, n times; n may be negative.
func (b *Bag) Add(n int64, values ...record.Value) { b.add(itemOf(values), n) }

// Count is how often an item is there.
func (b *Bag) Count(values ...record.Value) int64 { return b.counts[itemOf(values)] }

func itemOf(values []record.Value) (it item) {
	switch len(values) {
	case 2:
		it.value = values[1]
		fallthrough
	case 1:
		it.key = values[0]
		return it
	}
	panic(fmt.Sprintf("refine: an item of a Bag has one value or two, not %d", len(values)))
}

func (b *Bag) add(it item, n int64) {
	if n == 0 {
		return
	}
	if b.counts == nil {
		b.counts = map[item]int64{}
	}
	bump(b.counts, it, n)
	b.changed = append(b.changed, change{it, n})
}

// Clone is a copy of the bag.
func (b *Bag) Clone() *Bag { return &Bag{counts: maps.Clone(b.counts)} }

// Key is the same text for bags with the same items, and for no others.
func (b *Bag) Key() string {
	items := make([]change, 0, len(b.counts))
	for it, n := range b.counts {
		items = append(items, change{it, n})
	}
	compare := func(v, w record.Value) int {
		return cmp.Or(cmp.Compare(v.Type, w.Type), cmp.Compare(v.Bits, w.Bits))
	}
	slices.SortFunc(items, func(x, y change) int {
		return cmp.Or(compare(x.item.key, y.item.key), compare(x.item.value, y.item.value))
	})
	return fmt.Sprint(items)
}

// bump changes a count and forgets it at 0.
func bump(counts map[item]int64, it item, n int64) {
	if n += counts[it]; n == 0 {
		delete(counts, it)
	} else {
		counts[it] = n
	}
}

// describe says which items two views have in different numbers, in the order of
// their texts; diff is the implementation's counts less the specification's.
func describe(diff map[item]int64, impl *Bag, n *tape.Names) string {
	times := func(n int64) string {
		if n == 1 {
			return "once"
		}
		return fmt.Sprintf("%d times", n)
	}
	const most = 5
	var parts []string
	for it, d := range diff {
		text := string(n.Text(tape.Value(it.key)))
		if it.value != (record.Value{}) {
			text += ": " + string(n.Text(tape.Value(it.value)))
		}
		have := impl.counts[it]
		parts = append(parts, fmt.Sprintf("%s is there %s in the implementation, %s in the specification", text, times(have), times(have-d)))
	}
	slices.Sort(parts)
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}
