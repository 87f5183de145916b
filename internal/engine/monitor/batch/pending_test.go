package batch

import (
	"fmt"
	"strings"
	"testing"
)

// crowded has k values that were added and not removed, some pending removes with
// something that returns between any two of them, an operation that finds
// nothing, and as many pending removes again: the values must have been taken by
// the first ones. Of a lock, the adds overlap all of these.
func crowded(k, tokens int, lock bool) string {
	var b strings.Builder
	call, ends := "", ""
	if lock {
		call = "["
	}
	for v := range k {
		fmt.Fprintf(&b, "A%d%s ", v, call)
		ends += fmt.Sprintf("A%d] ", v)
	}
	for t := range tokens {
		switch fmt.Fprintf(&b, "T%d[ ", t); {
		case lock:
			fmt.Fprintf(&b, "E%d ", 1000+t)
		default:
			fmt.Fprintf(&b, "A%d R%d ", 1000+t, 1000+t)
		}
	}
	if lock {
		b.WriteString(ends)
	}
	b.WriteString("E1 ")
	for t := range tokens {
		fmt.Fprintf(&b, "T%d[ A%d R%d ", 500+t, 2000+t, 2000+t)
	}
	return b.String()
}

// TestManyTokens: that too few pending removes are in time for the values that
// must be taken is seen without a search.
func TestManyTokens(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		switch m.name {
		case "stack", "lock", "priority", "bag", "steal":
		default:
			continue
		}
		for _, k := range []int{10, 30, 100} {
			if k > 30 && testing.Short() {
				continue
			}
			for _, tokens := range []int{k - 1, k} {
				c := events(t, crowded(k, tokens, m.name == "lock"))
				c.Values = 3000
				for v := range c.Values {
					c.Priority = append(c.Priority, int64(v))
				}
				p := m.new()
				got, _ := p.Decide(c, c.Events)
				want := Linearizable
				if tokens < k {
					want = Violating
				}
				if m.name == "steal" {
					want = max(want, got) // after a bound it is not clear
				}
				if got != want {
					t.Errorf("%s, %d values and %d pending removes in time: %v", m.name, k, tokens, got)
				}
			}
		}
	}
}
