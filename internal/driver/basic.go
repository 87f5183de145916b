//go:build go1.21

package driver

import (
	"reflect"
	"strconv"
)

// Basic is what a type says of its values.
type Basic struct {
	Kind string `json:"kind"`           // KindInt, ...
	Bits int    `json:"bits,omitempty"` // of integers
}

func basicOf(t reflect.Type) Basic {
	b := Basic{Kind: kindOf(t)}
	if b.Kind == KindInt || b.Kind == KindUint {
		b.Bits = t.Bits()
	}
	return b
}

// Text is the Go text of the value that a log writes as v, and whether the type
// has it. A log writes integers without leading zeros and strings without quotes;
// in an any, what reads as an integer is an int, and everything else a string.
func (b Basic) Text(v string) (text string, ok bool) {
	switch b.Kind {
	case KindInt:
		i, err := strconv.ParseInt(v, 10, b.Bits)
		return v, err == nil && strconv.FormatInt(i, 10) == v
	case KindUint:
		u, err := strconv.ParseUint(v, 10, b.Bits)
		return v, err == nil && strconv.FormatUint(u, 10) == v
	case KindBool:
		return v, v == "true" || v == "false"
	case KindAny:
		if text, ok := (Basic{KindInt, strconv.IntSize}).Text(v); ok {
			return text, true
		}
	}
	return strconv.Quote(v), true
}
