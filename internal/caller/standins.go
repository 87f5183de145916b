package caller

import (
	"fmt"
	"math"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// Unfit is the error of a value in a log that does not have its parameter's type,
// and for which no other value can stand.
type Unfit struct {
	Value  history.Value
	Method string
	Type   string // of the parameter, in Go

	// Result: it is a result, and no argument.
	Result bool

	// Told says that values of the type stood for it, and that the reference's
	// answers depend on which.
	Told bool
}

func (u *Unfit) Error() string {
	verb := "takes"
	if u.Result {
		verb = "answers with"
	}
	msg := fmt.Sprintf("reference: the log has %q where %s %s %s", u.Value, u.Method, verb, u.Type)
	if u.Told {
		msg += fmt.Sprintf(", and the answers depend on which %s stands for it; use a log with values of that type, or a reference that takes the log's", u.Type)
	}
	return msg
}

func unfit(m *reference.Method, param int, v history.Value) *Unfit {
	return &Unfit{Value: v, Method: m.Name, Type: m.Args[param]}
}

// usage is what the labels of a log show of its values.
type usage struct {
	names           []history.Value // that integers must stand for, in order of appearance
	opaque          []opaque        // that values of other types must stand for
	known           map[typed]bool  // these
	seen            map[history.Value]bool
	first           *Unfit          // of the first name
	lowest, highest int64           // what all parameters take that names are for
	values          []history.Value // all that the log mentions
}

// opaque is a name of a value of a type.
type opaque struct {
	typed
	values.Basic
	few int // values that the type has; 0: there is no bound
}

// add looks at one label. The error is an *Unfit.
func (u *usage) add(m *reference.Method, l *history.Label) (err error) {
	for i, v := range l.Args {
		b := m.Params[i]
		if _, fits := b.Text(string(v)); fits {
			continue
		}
		b.Rename(string(v), func(b values.Basic, part string) (string, bool) {
			_, fits := b.Text(part)
			switch {
			case fits:
			case b.Kind == values.KindInt || b.Kind == values.KindUint:
				u.name(m, i, b, history.Value(part))
			case !b.IsName(part):
				return "", false // but a part of it may be one
			case b.Kind == values.KindBool || b.Kind == values.KindNil || b.Kind == "":
				err = unfit(m, i, v)
			default:
				u.number(m, i, b, part)
			}
			return part, true
		})
		if err != nil {
			return err
		}
	}
	u.values = append(append(u.values, l.Args...), l.Rets...)
	return nil
}

// number lets a value of a type stand for a name.
func (u *usage) number(m *reference.Method, param int, b values.Basic, name string) {
	o := opaque{typed{b.Name(), history.Value(name)}, b, m.ArgDomain[param]}
	if u.first == nil {
		u.first = unfit(m, param, o.text)
	}
	if !u.known[o.typed] {
		u.known[o.typed], u.opaque = true, append(u.opaque, o)
	}
}

// nameless is an *Unfit if a result is a name that no argument has: that need not
// be wrong of a value that the reference makes up.
func (u *usage) nameless(m *reference.Method, l *history.Label) (err error) {
	for i, v := range l.Rets[:min(len(l.Rets), len(m.Results))] {
		m.Results[i].Rename(string(v), func(b values.Basic, part string) (string, bool) {
			if numeric(b) || b.Kind == values.KindBool || !b.IsName(part) {
				return "", false
			}
			if !u.known[typed{b.Name(), history.Value(part)}] {
				err = &Unfit{Value: v, Method: m.Name, Type: m.Rets[i], Result: true}
			}
			return part, true
		})
	}
	return err
}

func (u *usage) name(m *reference.Method, param int, b values.Basic, v history.Value) {
	if u.first == nil {
		u.first = unfit(m, param, v)
	}
	if !u.seen[v] {
		u.seen[v], u.names = true, append(u.names, v)
	}
	if b.Kind == values.KindUint {
		u.lowest = max(u.lowest, 0)
		if b.Bits < 64 {
			u.highest = min(u.highest, 1<<b.Bits-1)
		}
		return
	}
	u.lowest, u.highest = max(u.lowest, -1<<(b.Bits-1)), min(u.highest, 1<<(b.Bits-1)-1)
}

// far is how far from 0 values are that stand for names, if there is room: no
// length or count that a reference makes up is so large.
const far = 1 << 20

// standIns are two lists of integers, one for each name: above all that the log
// mentions, and below in the opposite order. ok is false if there is no room.
func (u *usage) standIns() (above, below []int64, ok bool) {
	n := int64(len(u.names))
	least, most, ok := u.integers()
	if !ok || most > math.MaxInt64-n || least < math.MinInt64+n {
		return nil, nil, false
	}
	top := min(u.highest, max(most+n, far+n))
	if least > most { // there are none
		least, most = top-n+1, top-n
	}
	bottom := least - n
	if u.lowest < 0 {
		bottom = max(u.lowest, min(bottom, -far-n))
	}
	for i := range n {
		above, below = append(above, top-n+1+i), append(below, bottom+n-1-i)
	}
	return above, below, u.lowest <= bottom && bottom+n <= least && most <= top-n
}

// integers are the least and the greatest that the reference gets or may return; 0
// and -1 if there are none. ok is false if one is beyond what int64 holds.
func (u *usage) integers() (least, most int64, ok bool) {
	least, most = 0, -1
	for _, v := range u.values {
		i, err := strconv.ParseInt(string(v), 10, 64)
		switch _, large := strconv.ParseUint(string(v), 10, 64); {
		case u.seen[v]:
		case err != nil && large == nil:
			return 0, 0, false
		case err == nil && least > most:
			least, most = i, i
		case err == nil:
			least, most = min(least, i), max(most, i)
		}
	}
	return least, most, true
}

// naming lets integers stand for the names, and values of other types by their
// numbers, in one order or the opposite one. ok is false if a type has too few.
func (u *usage) naming(integers []int64, backwards bool) (n naming, ok bool) {
	const first = 3000 // far from what a log is likely to have
	n = naming{map[typed]history.Value{}, map[typed]history.Value{}}
	for i, v := range u.names {
		w := history.Value(strconv.FormatInt(integers[i], 10))
		n.to[typed{"", v}], n.from[typed{"", w}] = w, v
	}
	for i, o := range u.opaque {
		k := first + i
		if o.few > 0 {
			k = i % o.few
		}
		if backwards {
			k = 2*first + len(u.opaque) - i
			if o.few > 0 {
				k = o.few - 1 - i%o.few
			}
		}
		w := typed{o.typ, history.Value(o.Numbered(1 + k))}
		if _, taken := n.from[w]; taken {
			return n, false
		}
		n.to[o.typed], n.from[w] = w.text, o.text
	}
	return n, true
}
