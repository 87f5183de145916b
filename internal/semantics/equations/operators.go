package equations

import (
	"slices"
	"strings"
)

// operator is a line of the table of operators.
type operator struct {
	cost  int
	args  int
	infix int // how tightly it binds if it stands between its arguments; 0: it is written as a call
	eval  func(s *Store, a []Value) Value
}

// operators are all that laws compute and compare with. To add one is to add a line here,
// one in the search (describe/internal/laws, terms.go), and one for its words (out).
var operators map[string]*operator

func init() {
	operators = map[string]*operator{
		"+":   {1, 2, 4, ints(func(a, b int64) int64 { return a + b })},
		"-":   {1, 2, 4, ints(func(a, b int64) int64 { return a - b })},
		"*":   {2, 2, 5, product},
		"/":   {2, 2, 5, quotient},
		"min": {1, 2, 0, ints(func(a, b int64) int64 { return min(a, b) })},
		"max": {1, 2, 0, ints(func(a, b int64) int64 { return max(a, b) })},

		"==":          {1, 2, 3, func(s *Store, a []Value) Value { return s.Truth(a[0] == a[1]) }},
		"!=":          {1, 2, 3, func(s *Store, a []Value) Value { return s.Truth(a[0] != a[1]) }},
		"<":           {1, 2, 3, order(func(c int) bool { return c < 0 })},
		"<=":          {1, 2, 3, order(func(c int) bool { return c <= 0 })},
		"in":          {1, 2, 3, func(s *Store, a []Value) Value { return member(s, a, true) }},
		"!in":         {1, 2, 3, func(s *Store, a []Value) Value { return member(s, a, false) }},
		"startsWith":  {2, 2, 3, func(s *Store, a []Value) Value { return startsWith(s, a, true) }},
		"!startsWith": {2, 2, 3, func(s *Store, a []Value) Value { return startsWith(s, a, false) }},

		"and": {0, 2, 2, func(s *Store, a []Value) Value { return s.Truth(a[0] == s.Truth(true) && a[1] == s.Truth(true)) }},
		"or":  {1, 2, 1, func(s *Store, a []Value) Value { return s.Truth(a[0] == s.Truth(true) || a[1] == s.Truth(true)) }},

		"given":   {0, 1, 0, func(s *Store, a []Value) Value { return s.Truth(!s.Is(a[0], Word)) }},
		"absent":  {0, 1, 0, func(s *Store, a []Value) Value { return s.Truth(s.Is(a[0], Word)) }},
		"len":     {1, 1, 0, length},
		"append":  {1, 2, 0, lists(func(_ *Store, l []Value, x Value) []Value { return append(slices.Clip(l), x) })},
		"prepend": {1, 2, 0, lists(func(_ *Store, l []Value, x Value) []Value { return append([]Value{x}, l...) })},
		"without": {1, 2, 0, lists(without)},
		"insert":  {2, 2, 0, lists(func(s *Store, l []Value, x Value) []Value { return insert(s, l, x, s.Compare) })},
		"take":    {1, 2, 0, lists(func(_ *Store, l []Value, n Value) []Value { return l[:within(n, len(l))] })},
		"drop":    {1, 2, 0, lists(func(_ *Store, l []Value, n Value) []Value { return l[within(n, len(l)):] })},
		"concat":  {1, 2, 0, concat},
		"front":   {1, 1, 0, list(func(l []Value) []Value { return l[:max(len(l)-1, 0)] })},
		"rest":    {1, 1, 0, list(func(l []Value) []Value { return l[min(1, len(l)):] })},
		"reverse": {1, 1, 0, list(func(l []Value) []Value { l = slices.Clone(l); slices.Reverse(l); return l })},
		"sorted":  {1, 1, 0, func(s *Store, a []Value) Value { return sorted(s, a[0]) }},
		"first":   {1, 1, 0, element(func(n int) int { return 0 })},
		"last":    {1, 1, 0, element(func(n int) int { return n - 1 })},
		"sum":     {2, 1, 0, sum},
		"count":   {2, 2, 0, count},
		"index":   {2, 2, 0, index},

		"insertAt":  {1, 3, 0, placed(0, func(l []Value, i int, x Value) []Value { return slices.Insert(l, i, x) })},
		"replaceAt": {1, 3, 0, placed(1, func(l []Value, i int, x Value) []Value { l[i] = x; return l })},
		"removeAt":  {1, 2, 0, placed(1, func(l []Value, i int, _ Value) []Value { return slices.Delete(l, i, i+1) })},
		"swap":      {1, 3, 0, swap},

		"at":     {1, 2, 0, at},
		"set":    {1, 3, 0, set},
		"delete": {1, 2, 0, remove},
		"keys":   {1, 1, 0, func(s *Store, a []Value) Value { return entries(s, a[0], 0) }},
		"values": {1, 1, 0, func(s *Store, a []Value) Value { return entries(s, a[0], 1) }},
	}
	for i := range mostFields {
		byField(i)
	}
}

// IsOperator reports whether there is an operator of a name, with so many arguments.
func IsOperator(name string, args int) bool {
	o, ok := operators[name]
	return ok && o.args == args
}

func ints(f func(a, b int64) int64) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if !a[0].IsInt() || !a[1].IsInt() {
			return Undefined
		}
		return s.integer(f(a[0].Int(), a[1].Int()))
	}
}

// integer is what an operator computed, if it fits.
func (s *Store) integer(n int64) Value {
	v := IntOf(n)
	s.overflow = s.overflow || v == Undefined
	return v
}

// product is a product, if it fits.
func product(s *Store, a []Value) Value {
	if !a[0].IsInt() || !a[1].IsInt() {
		return Undefined
	}
	x, y := a[0].Int(), a[1].Int()
	if x != 0 && (x*y)/x != y {
		s.overflow = true
		return Undefined
	}
	return s.integer(x * y)
}

func quotient(_ *Store, a []Value) Value {
	if !a[0].IsInt() || !a[1].IsInt() || a[1].Int() == 0 {
		return Undefined
	}
	return IntOf(a[0].Int() / a[1].Int())
}

// order compares integers, or texts.
func order(holds func(int) bool) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if ints, texts := a[0].IsInt() && a[1].IsInt(), s.Is(a[0], Text) && s.Is(a[1], Text); !ints && !texts {
			return Undefined
		}
		return s.Truth(holds(s.Compare(a[0], a[1])))
	}
}

// member asks for an element of a list, or a key of a map. Nothing is in nil.
func member(s *Store, a []Value, want bool) Value {
	in := false
	switch s.Kind(a[1]) {
	case List:
		in = slices.Contains(s.Parts(a[1]), a[0])
	case Map:
		_, in = find(s, a[1], a[0])
	case Word:
	default:
		return Undefined
	}
	return s.Truth(in == want)
}

// startsWith asks for the beginning of a text.
func startsWith(s *Store, a []Value, want bool) Value {
	if !s.Is(a[0], Text) || !s.Is(a[1], Text) {
		return Undefined
	}
	return s.Truth(strings.HasPrefix(s.TextOf(a[0]), s.TextOf(a[1])) == want)
}

func length(s *Store, a []Value) Value {
	switch s.Kind(a[0]) {
	case List:
		return IntOf(int64(len(s.Parts(a[0]))))
	case Map:
		return IntOf(int64(len(s.Parts(a[0])) / 2))
	case Text:
		return IntOf(int64(len(s.TextOf(a[0]))))
	}
	return Undefined
}

func lists(f func(s *Store, l []Value, x Value) []Value) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if !s.Is(a[0], List) {
			return Undefined
		}
		return s.Compound(List, f(s, s.Parts(a[0]), a[1]))
	}
}

func list(f func(l []Value) []Value) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if !s.Is(a[0], List) {
			return Undefined
		}
		return s.Compound(List, f(s.Parts(a[0])))
	}
}

func element(at func(n int) int) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if !s.Is(a[0], List) || len(s.Parts(a[0])) == 0 {
			return Undefined
		}
		l := s.Parts(a[0])
		return l[at(len(l))]
	}
}

// without takes out the first x.
func without(_ *Store, l []Value, x Value) []Value {
	if i := slices.Index(l, x); i >= 0 {
		return slices.Delete(slices.Clone(l), i, i+1)
	}
	return l
}

// insert puts x in order, after those that are equal to it.
func insert(s *Store, l []Value, x Value, compare func(a, b Value) int) []Value {
	for _, e := range l {
		if s.Kind(e) != s.Kind(x) || s.Is(x, Record) && len(s.Parts(e)) != len(s.Parts(x)) {
			return []Value{Undefined}
		}
	}
	i := 0
	for i < len(l) && compare(l[i], x) <= 0 {
		i++
	}
	return slices.Insert(slices.Clone(l), i, x)
}

// within is an integer between 0 and n.
func within(v Value, n int) int {
	if !v.IsInt() {
		return 0
	}
	return int(max(0, min(v.Int(), int64(n))))
}

func concat(s *Store, a []Value) Value {
	switch {
	case s.Is(a[0], List) && s.Is(a[1], List):
		return s.Compound(List, slices.Concat(s.Parts(a[0]), s.Parts(a[1])))
	case s.Is(a[0], Text) && s.Is(a[1], Text):
		return s.Plain(Text, s.TextOf(a[0])+s.TextOf(a[1]))
	}
	return Undefined
}

func sorted(s *Store, v Value) Value {
	if !s.Is(v, List) {
		return Undefined
	}
	l := slices.Clone(s.Parts(v))
	slices.SortStableFunc(l, s.Compare)
	return s.Compound(List, l)
}

func sum(s *Store, a []Value) Value {
	if !s.Is(a[0], List) {
		return Undefined
	}
	n := int64(0)
	for _, e := range s.Parts(a[0]) {
		if !e.IsInt() {
			return Undefined
		}
		if n += e.Int(); s.integer(n) == Undefined {
			return Undefined
		}
	}
	return IntOf(n)
}

func count(s *Store, a []Value) Value {
	if !s.Is(a[0], List) {
		return Undefined
	}
	n := int64(0)
	for _, e := range s.Parts(a[0]) {
		if e == a[1] {
			n++
		}
	}
	return IntOf(n)
}

// index is the place of the first x, from 0.
func index(s *Store, a []Value) Value {
	if !s.Is(a[0], List) {
		return Undefined
	}
	if i := slices.Index(s.Parts(a[0]), a[1]); i >= 0 {
		return IntOf(int64(i))
	}
	return Undefined
}

// placed changes a list at a place: none is beyond its length, less some.
func placed(less int64, f func(l []Value, i int, x Value) []Value) func(*Store, []Value) Value {
	return func(s *Store, a []Value) Value {
		if !s.Is(a[0], List) || !a[1].IsInt() || a[1].Int() < 0 || a[1].Int() > int64(len(s.Parts(a[0])))-less {
			return Undefined
		}
		return s.Compound(List, f(slices.Clone(s.Parts(a[0])), int(a[1].Int()), a[len(a)-1]))
	}
}

// swap swaps the elements at two places.
func swap(s *Store, a []Value) Value {
	x, y := at(s, a[:2]), at(s, []Value{a[0], a[2]})
	if !s.Is(a[0], List) || x == Undefined || y == Undefined {
		return Undefined
	}
	l := slices.Clone(s.Parts(a[0]))
	l[a[1].Int()], l[a[2].Int()] = y, x
	return s.Compound(List, l)
}

// find is the place of a key in a map's parts, or where it belongs.
func find(s *Store, m, key Value) (int, bool) {
	p := s.Parts(m)
	for i := 0; i < len(p); i += 2 {
		if p[i] == key {
			return i, true
		}
		if s.Compare(p[i], key) > 0 {
			return i, false
		}
	}
	return len(p), false
}

func at(s *Store, a []Value) Value {
	switch s.Kind(a[0]) {
	case Map:
		if i, ok := find(s, a[0], a[1]); ok {
			return s.Parts(a[0])[i+1]
		}
	case List:
		if l := s.Parts(a[0]); a[1].IsInt() && a[1].Int() >= 0 && a[1].Int() < int64(len(l)) {
			return l[a[1].Int()]
		}
	}
	return Undefined
}

func set(s *Store, a []Value) Value {
	if !s.Is(a[0], Map) {
		return Undefined
	}
	i, ok := find(s, a[0], a[1])
	p := slices.Clone(s.Parts(a[0]))
	if ok {
		p[i+1] = a[2]
	} else {
		p = slices.Insert(p, i, a[1], a[2])
	}
	return s.Compound(Map, p)
}

func remove(s *Store, a []Value) Value {
	if !s.Is(a[0], Map) {
		return Undefined
	}
	i, ok := find(s, a[0], a[1])
	if !ok {
		return a[0]
	}
	return s.Compound(Map, slices.Delete(slices.Clone(s.Parts(a[0])), i, i+2))
}

func entries(s *Store, m Value, which int) Value {
	if !s.Is(m, Map) {
		return Undefined
	}
	var l []Value
	for i := which; i < len(s.Parts(m)); i += 2 {
		l = append(l, s.Parts(m)[i])
	}
	return s.Compound(List, l)
}
