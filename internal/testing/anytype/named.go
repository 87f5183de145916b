package anytype

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

var (
	pkg         = reflect.TypeFor[phase]().PkgPath()
	withMethods = []reflect.Type{
		reflect.TypeFor[phase](), reflect.TypeFor[state](), reflect.TypeFor[level](), reflect.TypeFor[crossed](), reflect.TypeFor[both](),
		reflect.TypeFor[version](), reflect.TypeFor[contact](), reflect.TypeFor[marshalled](), reflect.TypeFor[heat](),
	}
)

// phase has a name for each small value, and one for all others.
type phase int

func (p phase) String() string {
	if p < 0 || p > 2 {
		return "unknown"
	}
	return []string{"closed", "open", "half open"}[p]
}

// state prints as stringer has it.
type state int

func (s state) String() string {
	if s < 1 || s > 2 {
		return fmt.Sprintf("state(%d)", int(s))
	}
	return []string{"on", "off"}[s-1]
}

// level has a text of its own.
type level uint8

func (l level) MarshalText() ([]byte, error) {
	if l > 2 {
		return []byte("unknown"), nil
	}
	return []byte{"abc"[l]}, nil
}

// crossed prints as another number.
type crossed int

func (c crossed) String() string { return strconv.Itoa(int(c) + 1) }

// both has a name for people and another one in JSON.
type both int16

func (b both) String() string               { return [...]string{"Low", "High", "no", "", "8"}[min(max(b, 0), 4)] }
func (b both) MarshalJSON() ([]byte, error) { return json.Marshal("b-" + strconv.Itoa(int(b))) }

// version panics where it has no name.
type version int8

func (v version) String() string { return []string{"first", "second"}[v] }

// contact has other names in JSON.
type contact struct {
	Name  string `json:"name"`
	Email string
	Phase phase
	Age   int    `json:",omitempty"`
	Notes string `json:"-"`
	known bool
}

var _ = contact{known: true} // for nobody else

// marshalled says itself what its JSON is.
type marshalled struct{ A, B int }

func (m marshalled) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf(`{"B":%d,"A":%d}`, m.A, m.B)), nil
}

// heat is a number with a fraction that prints as something else.
type heat float64

func (h heat) String() string { return fmt.Sprintf("%.1f degrees", float64(h)) }
