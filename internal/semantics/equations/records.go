package equations

import (
	"cmp"
	"slices"
	"strconv"
)

// mostFields is how many fields of a record laws look at.
const mostFields = 6

// IsReserved reports whether a name with so many arguments is an operator's, or means
// something else in laws.
func IsReserved(name string, args int) bool { return IsOperator(name, args) || !isName(name) }

// byField adds the operators that look at one field of records: field1, record1, with1 and
// so on. put2 is a record with another second field, and replace1 puts a record where the
// first is that has its first field. insertDown2then1 inserts by the second field, the largest first, and then by the
// first.
func byField(i int) {
	n := strconv.Itoa(i + 1)
	operators["field"+n] = &operator{1, 1, 0, func(s *Store, a []Value) Value {
		if !s.Is(a[0], Record) || i >= len(s.Parts(a[0])) {
			return Undefined
		}
		return s.Parts(a[0])[i]
	}}
	operators["record"+n] = &operator{1, i + 1, 0, func(s *Store, a []Value) Value { return s.Compound(Record, a) }}
	operators["put"+n] = &operator{1, 2, 0, func(s *Store, a []Value) Value {
		if !s.Is(a[0], Record) || i >= len(s.Parts(a[0])) {
			return Undefined
		}
		r := slices.Clone(s.Parts(a[0]))
		r[i] = a[1]
		return s.Compound(Record, r)
	}}
	operators["replace"+n] = &operator{2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value {
		if !s.Is(x, Record) || i >= len(s.Parts(x)) {
			return []Value{Undefined}
		}
		at := slices.IndexFunc(l, func(e Value) bool { return s.Is(e, Record) && i < len(s.Parts(e)) && s.Parts(e)[i] == s.Parts(x)[i] })
		if at < 0 {
			return l
		}
		l = slices.Clone(l)
		l[at] = x
		return l
	})}
	by := func(s *Store, a, b Value) int {
		if !s.Is(a, Record) || i >= len(s.Parts(a)) {
			return 0
		}
		return s.Compare(s.Parts(a)[i], s.Parts(b)[i])
	}
	operators["insertBy"+n] = &operator{2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value {
		return insert(s, l, x, func(a, b Value) int { return by(s, a, b) })
	})}
	operators["insertDown"+n] = &operator{2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value {
		return insert(s, l, x, func(a, b Value) int { return by(s, b, a) })
	})}
	operators["without"+n] = &operator{2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value {
		return slices.DeleteFunc(slices.Clone(l), func(e Value) bool { return s.Is(e, Record) && i < len(s.Parts(e)) && s.Parts(e)[i] == x })
	})}
	for name, holds := range map[string]func(int) bool{
		"with": func(c int) bool { return c == 0 }, "above": func(c int) bool { return c > 0 }, "below": func(c int) bool { return c < 0 }, "upto": func(c int) bool { return c <= 0 }, "from": func(c int) bool { return c >= 0 },
	} {
		operators[name+n] = &operator{2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value {
			return slices.DeleteFunc(slices.Clone(l), func(e Value) bool {
				return !s.Is(e, Record) || i >= len(s.Parts(e)) || s.Kind(s.Parts(e)[i]) != s.Kind(x) || !holds(s.Compare(s.Parts(e)[i], x))
			})
		})}
	}
	for k := range mostFields {
		then := func(f func(s *Store, a, b Value) int) func(s *Store, a []Value) Value {
			return lists(func(s *Store, l []Value, x Value) []Value {
				return insert(s, l, x, func(a, b Value) int {
					if !s.Is(a, Record) || k >= len(s.Parts(a)) {
						return 0
					}
					return cmp.Or(f(s, a, b), s.Compare(s.Parts(a)[k], s.Parts(b)[k]))
				})
			})
		}
		operators["insertBy"+n+"then"+strconv.Itoa(k+1)] = &operator{3, 2, 0, then(by)}
		operators["insertDown"+n+"then"+strconv.Itoa(k+1)] = &operator{3, 2, 0, then(func(s *Store, a, b Value) int { return by(s, b, a) })}
	}
}
