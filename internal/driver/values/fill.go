//go:build go1.21

package values

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Concrete integers are offset + step*k: far from 0, 1 and lengths where the
// width allows, and in the order of their numbers, for references that compare.
const (
	offset, step           = 1001, 37
	narrowOffset, narrowBy = 20, 1
)

// DomainOf is the number of different values a type has to offer; 0 means that
// there is no practical bound. Pointers are all different.
func (ts Types) DomainOf(t reflect.Type) int {
	if t.Kind() == reflect.Pointer && t.Elem().Size() > 0 {
		return 0
	}
	if slices.Contains(ts.Variadic, t) && ts.domain(t, nil) > 0 {
		return 3
	}
	return ts.domain(t, nil)
}

// domain is DomainOf for a type that is inside others.
func (ts Types) domain(t reflect.Type, inside []reflect.Type) int {
	if isInside(t, inside) {
		return 1
	}
	inside = append(inside, t)
	switch KindOf(t) {
	case "":
		return 1
	case KindBool:
		return 2
	case KindInt, KindUint:
		return integersOf(KindOf(t) == KindUint, t.Bits())
	case KindStruct:
		n := 1
		for i := 0; i < t.NumField(); i++ {
			if isFilled(t, t.Field(i)) {
				n = larger(n, ts.domain(t.Field(i).Type, inside))
			}
		}
		return n
	case KindList:
		if t.Kind() == reflect.Array && t.Len() == 0 {
			return 1
		}
		return ts.domain(t.Elem(), inside)
	case KindMap:
		return larger(ts.domain(t.Key(), inside), ts.domain(t.Elem(), inside))
	case KindPointer:
		return ts.domain(t.Elem(), inside)
	case KindInterface:
		if d := ts.implementer(t); d != nil {
			return ts.domain(d, inside)
		}
		return 1
	}
	return 0
}

// integersOf is the domain of integers of so many bits.
func integersOf(unsigned bool, bits int) int {
	most := 1<<(bits-1) - 1
	if unsigned {
		most = most<<1 | 1
	}
	switch bits {
	case 8:
		return (most - narrowOffset) / narrowBy
	case 16:
		return (most - offset) / step
	}
	return 0
}

// larger is the larger one of two domains.
func larger(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return max(a, b)
}

// MaxNumber is the highest number that a value may have: far above what any
// history has, and low enough for every type that has no domain.
const MaxNumber = 1 << 16

// concreteInt is the integer that number k stands for in a type of so many bits.
func concreteInt(k, bits int) int64 {
	if bits == 8 {
		return int64(narrowOffset + narrowBy*k)
	}
	return int64(offset + step*k)
}

// apart is how far the first times are from one another: what looks at the month, the day or the hour of a time must not
// take all for one, nor tell all apart.
var apart = [...]time.Duration{step * time.Second, 400 * 24 * time.Hour, time.Hour, 40 * 24 * time.Hour, 24 * time.Hour,
	step * time.Second, 400 * 24 * time.Hour, time.Minute, 40 * 24 * time.Hour}

// concreteTime is the time that number k stands for.
func concreteTime(k int) time.Time {
	at := time.Unix(concreteInt(1, 64), 0).UTC()
	for i := 1; i < k; i++ {
		if i > len(apart) {
			return at.Add(time.Duration(k-i) * step * time.Second)
		}
		at = at.Add(apart[i-1])
	}
	return at
}

// concreteString is the string that number k stands for: v1, v9, w10, x100, so
// that strings compare as their numbers do.
func concreteString(k int) string {
	digits := strconv.Itoa(k)
	return string(rune('v'+min(len(digits)-1, 4))) + digits
}

// make gives v, a new variable, the value that number k of an argument stands for.
func (ts Types) make(v reflect.Value, k int) {
	if !slices.Contains(ts.Variadic, v.Type()) {
		ts.fill(v, k, nil)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), elements(k), elements(k)))
	for i := 0; i < v.Len(); i++ {
		ts.fill(v.Index(i), k, nil)
	}
}

// fill gives v, a new variable, the value that number k stands for: a value of
// several parts has number k of each.
func (ts Types) fill(v reflect.Value, k int, inside []reflect.Type) {
	t := v.Type()
	if isWithin(t, inside) {
		return // a type within itself stays nil
	}
	inside = append(inside, t)
	if d := ts.domain(t, nil); d > 0 {
		k = (k-1)%d + 1
	}
	switch KindOf(t) {
	case KindInt:
		v.SetInt(concreteInt(k, t.Bits()))
	case KindUint:
		v.SetUint(uint64(concreteInt(k, t.Bits())))
	case KindFloat:
		v.SetFloat(float64(concreteInt(k, 64)))
	case KindComplex:
		v.SetComplex(complex(float64(concreteInt(k, 64)), 0))
	case KindString:
		v.SetString(concreteString(k))
	case KindBytes:
		v.SetBytes([]byte(concreteString(k)))
	case KindBool:
		v.SetBool(k == 1)
	case KindAny:
		v.Set(reflect.ValueOf(int(concreteInt(k, strconv.IntSize))))
	case KindTime:
		v.Set(reflect.ValueOf(concreteTime(k)))
	case KindStruct:
		for i := 0; i < t.NumField(); i++ {
			if isFilled(t, t.Field(i)) {
				ts.fill(writable(v.Field(i)), k, inside)
			}
		}
	default:
		ts.fillParts(v, k, inside)
	}
}

// isWithin reports whether a type is, or has elements of, one of those around it.
func isWithin(t reflect.Type, inside []reflect.Type) bool {
	for !isInside(t, inside) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return false
		}
	}
	return true
}

// fillParts fills what has elements.
func (ts Types) fillParts(v reflect.Value, k int, inside []reflect.Type) {
	t := v.Type()
	switch KindOf(t) {
	case KindList:
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(t, 1, 1))
		}
		for i := 0; i < v.Len(); i++ {
			ts.fill(v.Index(i), k, inside)
		}
	case KindMap:
		v.Set(reflect.MakeMap(t))
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		ts.fill(key, k, inside)
		ts.fill(elem, k, inside)
		v.SetMapIndex(key, elem)
	case KindPointer:
		v.Set(reflect.New(t.Elem()))
		ts.fill(v.Elem(), k, inside)
	case KindInterface:
		if d := ts.implementer(t); d != nil {
			part := reflect.New(d).Elem()
			ts.fill(part, k, inside)
			v.Set(part)
		}
	}
}

// isFilled reports whether a field of a struct is given a value. Locks are not,
// nor what the standard library keeps to itself.
func isFilled(t reflect.Type, f reflect.StructField) bool {
	return !isHidden(f) && (f.IsExported() || !isStandard(t.PkgPath()))
}

// isStandard reports whether a package is of the standard library.
func isStandard(path string) bool {
	first := strings.Split(path, "/")[0]
	for _, s := range strings.Fields(standard) {
		if s == first {
			return true
		}
	}
	return false
}

// standard are the roots of the standard library's packages.
const standard = `archive bufio bytes compress container context crypto database debug embed encoding errors expvar flag fmt
	go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings
	structs sync syscall testing text time unicode unique weak`
