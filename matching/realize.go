package matching

import (
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
)

// template says which value positions of an operation carry a value of its
// target: from[p] is a position of the target, or fresh.
type template struct{ from []int }

const fresh = -1

// templates[k][t] is the most general way in which an operation of kind k maps
// to a target of kind t.
type templates [][]template

// learnLinks finds out, from labels alone, which kinds may be targets of which:
// every pair of labels over small values is tried, and the pair with the most
// distinct values is kept as the template. A history is realized from templates
// with all other values fresh, which is the most general execution it has.
func (m *Model) learnLinks() error {
	n := len(m.Alphabet.Kinds)
	m.Links = &enumerate.Links{
		Self: make([]enumerate.Link, n), Free: make([]enumerate.Link, n), To: make([][]enumerate.Link, n),
		PastOnly: m.Scheme.pastOnly,
	}
	m.templates = make(templates, n)
	for k := range m.Links.To {
		m.Links.To[k] = make([]enumerate.Link, n)
		m.templates[k] = make([]template, n)
	}
	m.Alphabet.Executions(1, m.Language.Extends, func(e []enumerate.Label) bool { m.learnAlone(e[0]); return true })
	best := map[[2]int]int{}
	m.Alphabet.Executions(2, m.Language.Extends, func(e []enumerate.Label) bool {
		m.learnPair(e[0], e[1], best)
		m.learnPair(e[1], e[0], best)
		return true
	})
	for k, kind := range m.Alphabet.Kinds {
		if !m.Links.Self[k].Possible && !m.Links.Free[k].Possible && len(best) == 0 {
			return unsupported("no operation %s is in the language", kind.Kind)
		}
	}
	m.learnRoles()
	return nil
}

// learnRoles groups value positions between which values flow: an argument with
// the same one of the method's other kinds, values of one operation that always
// agree, and values of an operation with those of its target. A map's keys and
// its values are in different groups, though they may be of one type.
func (m *Model) learnRoles() {
	kinds := m.Alphabet.Kinds
	m.roles = make([][]int, len(kinds))
	next := 0
	for k := range kinds {
		for range kinds[k].Sorts {
			m.roles[k] = append(m.roles[k], next)
			next++
		}
	}
	for k := range kinds {
		for p, same := range kinds[k].Same {
			m.joinRoles(m.roles[k][p], m.roles[k][same])
		}
		for t := range kinds {
			for p, q := range m.templates[k][t].from {
				if q != fresh {
					m.joinRoles(m.roles[k][p], m.roles[t][q])
				}
			}
			for p := range min(kinds[k].Args, kinds[t].Args) {
				if kinds[k].Method == kinds[t].Method {
					m.joinRoles(m.roles[k][p], m.roles[t][p])
				}
			}
		}
	}
}

// joinRoles makes one group of two.
func (m *Model) joinRoles(a, b int) {
	for k := range m.roles {
		Merge(m.roles[k], a, b)
	}
}

// Merge puts what is in group b into group a.
func Merge(groups []int, a, b int) {
	for i := range groups {
		if groups[i] == b {
			groups[i] = a
		}
	}
}

func (m *Model) learnAlone(l enumerate.Label) {
	link := enumerate.Link{Possible: true, ReadOnly: m.Scheme.ReadOnly(l)}
	k := m.Alphabet.KindOf(l)
	if m.Scheme.rank.alone(l) != none {
		m.Links.Self[k] = link
	} else {
		m.Links.Free[k] = link
	}
}

// learnPair keeps x -> y as the template of its kinds if it has more distinct
// values than what is known.
func (m *Model) learnPair(x, y enumerate.Label, best map[[2]int]int) {
	r := m.Scheme.rank.of(x, y)
	if r == none || m.Scheme.rank.alone(x) < r {
		return
	}
	if m.Scheme.rank.alone(y) == none {
		return // y is no target of its own; Abstract reports it where it occurs
	}
	kinds := [2]int{m.Alphabet.KindOf(x), m.Alphabet.KindOf(y)}
	xs, ys := m.Alphabet.Values(x), m.Alphabet.Values(y)
	if distinct := countDistinct(xs, ys) + 1; distinct > best[kinds] {
		best[kinds] = distinct
		m.Links.To[kinds[0]][kinds[1]] = enumerate.Link{Possible: true, ReadOnly: m.Scheme.ReadOnly(x)}
		m.templates[kinds[0]][kinds[1]] = templateOf(xs, ys)
	}
}

func countDistinct(xs, ys []enumerate.Value) int {
	seen := map[enumerate.Value]bool{}
	for _, v := range slices.Concat(xs, ys) {
		seen[v] = true
	}
	return len(seen)
}

func templateOf(xs, ys []enumerate.Value) template {
	t := template{make([]int, len(xs))}
	for p, x := range xs {
		t.from[p] = slices.Index(ys, x) // fresh, if there is none
	}
	return t
}

// Realizer turns histories into executions. Its buffers are reused: one for
// each goroutine.
type Realizer struct {
	m      *Model
	values [][]enumerate.Value
	counts [256]int
	labels []enumerate.Label
	back   enumerate.Sequence
	spare  bool // unmatched operations repeat one value where they can
}

// NewRealizer makes a realizer for the model.
func (m *Model) NewRealizer() *Realizer { return &Realizer{m: m} }

// Realize is the most general execution whose history is s: values are equal
// only where the matching asks for it. ok is false if there is none in the
// language, or if the scheme gives it another history. The result is reused by
// the next call.
func (r *Realizer) Realize(s enumerate.Sequence) (e []enumerate.Label, ok bool) {
	r.reset(len(s))
	for i := range s {
		r.fill(s, i)
	}
	for i, o := range s {
		r.labels = append(r.labels, r.m.Alphabet.Label(int(o.Kind), r.values[i]))
	}
	if !r.m.Language.Contains(r.labels) {
		return nil, false
	}
	var err error
	r.back, err = r.m.Scheme.Abstract(r.back[:0], r.labels)
	if err != nil {
		return nil, false
	}
	for i := range s {
		if r.back[i] != s[i] {
			return nil, false
		}
	}
	return r.labels, true
}

// Exemplar is an execution whose history is s with as few values as easily done,
// for people to look at: an unmatched operation says lock(1) => 1 rather than
// lock(1) => 2, but get(1) => 2 where the one is a key and the other its value.
// The result is reused by the next call.
func (r *Realizer) Exemplar(s enumerate.Sequence) (e []enumerate.Label, ok bool) {
	r.spare = true
	e, ok = r.Realize(s)
	r.spare = false
	if ok {
		return e, true
	}
	return r.Realize(s)
}

func (r *Realizer) reset(n int) {
	for len(r.values) < n {
		r.values = append(r.values, nil)
	}
	for i := range r.values[:n] {
		r.values[i] = r.values[i][:0]
	}
	r.counts = [256]int{}
	r.labels = r.labels[:0]
}

// fill gives operation i its values; its target gets its own first.
func (r *Realizer) fill(s enumerate.Sequence, i int) {
	k := &r.m.Alphabet.Kinds[s[i].Kind]
	if len(r.values[i]) == len(k.Sorts) {
		return
	}
	t := int(s[i].Target)
	if t != enumerate.Free && t != i {
		r.fill(s, t)
	}
	for p, sort := range k.Sorts {
		v := r.inherited(s, i, t, p)
		if v == 0 && k.Same[p] != p {
			v = r.values[i][k.Same[p]]
		}
		if v == 0 && r.spare && t == enumerate.Free {
			v = r.spared(i, int(s[i].Kind), p)
		}
		if v == 0 {
			r.counts[sort]++
			v = enumerate.NewValue(sort, r.counts[sort])
		}
		r.values[i] = append(r.values[i], v)
	}
}

// spared is a value that operation i, of the given kind, has already in the role
// of position p, or 0.
func (r *Realizer) spared(i, kind, p int) enumerate.Value {
	sorts, roles := r.m.Alphabet.Kinds[kind].Sorts, r.m.roles[kind]
	for q, v := range r.values[i] {
		if roles[q] == roles[p] && sorts[q] == sorts[p] {
			return v
		}
	}
	return 0
}

// inherited is the value at position p of operation i that comes from its
// target t, or 0.
func (r *Realizer) inherited(s enumerate.Sequence, i, t, p int) enumerate.Value {
	if t == enumerate.Free || t == i {
		return 0
	}
	from := r.m.templates[s[i].Kind][s[t].Kind].from
	if p >= len(from) || from[p] == fresh {
		return 0
	}
	return r.values[t][from[p]]
}
