package typename

import (
	"slices"
	"strconv"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Shown is values of types as people read them: numbers that have a name by it, durations
// as 1m30s, also as parts of others. Machines read the numbers.
func Shown[V ~string](types []values.Basic, vs []V) []V {
	var shown []V
	for i, v := range vs[:min(len(vs), len(types))] {
		text := types[i].Rename(string(v), name)
		if text == string(v) {
			continue
		}
		if shown == nil {
			shown = slices.Clone(vs)
		}
		shown[i] = V(text)
	}
	if shown == nil {
		return vs
	}
	return shown
}

// name is what a number is called.
func name(b values.Basic, v string) (text string, ok bool) {
	if b.Kind != values.KindInt && b.Kind != values.KindUint || !b.Duration && len(b.Names) == 0 {
		return "", false
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return "", false
	}
	if b.Duration {
		return time.Duration(n).String(), true
	}
	for _, known := range b.Names {
		if known.Value == n && !known.Twice {
			return known.Text, true
		}
	}
	return "", false
}
