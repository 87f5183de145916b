package caller

import (
	"fmt"
	"math"
	"slices"
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

	// Told says that values of the type stood for it, and that the reference's
	// answers depend on which.
	Told bool
}

func (u *Unfit) Error() string {
	msg := fmt.Sprintf("reference: the log has %q where %s takes %s", u.Value, u.Method, u.Type)
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
	opaque          []named         // for which numbered values of a type stand, in order of appearance
	fewest          int             // values that one of these types has; 0: there is no bound
	names           []history.Value // that integers must stand for, in order of appearance
	seen            map[history.Value]bool
	first           *Unfit          // of the first name
	lowest, highest int64           // what all parameters take that names are for
	values          []history.Value // all that the log mentions
}

// add looks at one label. The error is an *Unfit.
func (u *usage) add(m *reference.Method, l *history.Label) error {
	for i, v := range l.Args {
		b := m.Params[i]
		if _, fits := b.Text(string(v)); fits {
			continue
		}
		switch b.Kind {
		case values.KindBool, values.KindNil:
			return unfit(m, i, v)
		case values.KindInt, values.KindUint:
			u.name(m, i, v)
		default:
			if err := u.number(m, i, v); err != nil {
				return err
			}
		}
	}
	u.values = append(append(u.values, l.Args...), l.Rets...)
	return nil
}

// named is a text that a log has for a value of a type that has no such text.
type named struct {
	typ  string
	text history.Value
}

// number lets a numbered value of the parameter's type stand for v. The error is
// an *Unfit if the type has too few.
func (u *usage) number(m *reference.Method, param int, v history.Value) error {
	n := named{m.Args[param], v}
	if slices.Contains(u.opaque, n) {
		return nil
	}
	u.opaque = append(u.opaque, n)
	few := m.ArgDomain[param]
	if few > 0 && (u.fewest == 0 || few < u.fewest) {
		u.fewest = few
	}
	if u.first == nil {
		u.first = unfit(m, param, v)
	}
	if u.fewest > 0 && len(u.opaque) > u.fewest {
		return unfit(m, param, v)
	}
	return nil
}

// numbers are the numbers of the values that stand for the opaque ones, in order
// and in the opposite order: among others, if there are enough.
func (u *usage) numbers() (forwards, backwards []int) {
	const first = 3000 // none that a log is likely to have
	lowest, n := first, len(u.opaque)
	if u.fewest > 0 {
		lowest = 1
	}
	highest := lowest + 2*n
	if u.fewest > 0 {
		highest = min(highest, u.fewest)
	}
	for i := range n {
		forwards, backwards = append(forwards, lowest+i), append(backwards, highest-i)
	}
	return forwards, backwards
}

func (u *usage) name(m *reference.Method, param int, v history.Value) {
	if u.first == nil {
		u.first = unfit(m, param, v)
	}
	if !u.seen[v] {
		u.seen[v], u.names = true, append(u.names, v)
	}
	b := m.Params[param]
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

// naming lets integers and numbered values stand for the names.
func (u *usage) naming(integers []int64, numbers []int) naming {
	n := naming{map[history.Value]history.Value{}, map[history.Value]history.Value{}, map[named]int{}, map[string]history.Value{}}
	for i, v := range u.names {
		w := history.Value(strconv.FormatInt(integers[i], 10))
		n.to[v], n.from[w] = w, v
	}
	for i, o := range u.opaque {
		n.numbers[o], n.texts[strconv.Itoa(numbers[i])] = numbers[i], o.text
	}
	return n
}
