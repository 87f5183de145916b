package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// assignment is a shape with kinds for its roles, and how a theory's patterns
// differ from its patterns.
type assignment struct {
	shape   shape
	cast    map[history.Kind]byte
	index   map[history.Kind]uint8 // of the kinds that add, and that remove, where there are several
	names   map[string][]string    // the theory's patterns, by the shape's text
	extra   []string               // of the theory only
	missing []string               // of the shape only
}

func (l *assignment) difference() int { return len(l.extra) + len(l.missing) }

// recognize looks for the shape whose patterns a theory has, up to the names of
// its methods and outcomes. If there is none, the most similar one is returned,
// or nil.
func recognize(t *theory.Theory) *assignment {
	kinds := kindsOf(t)
	readOnly := map[history.Kind]bool{}
	for i := range t.Spec.Patterns {
		for _, op := range t.Spec.Patterns[i].History.Ops {
			readOnly[op.Kind] = op.ReadOnly
		}
	}
	var best *assignment
	compared := func(likely bool) {
		for _, s := range shapes() {
			casts(&s, kinds, readOnly, map[history.Kind]byte{}, func(cast map[history.Kind]byte) {
				if likely && s.size(cast) != len(t.Spec.Patterns) || best != nil && best.difference() == 0 {
					return
				}
				if l := compare(t, s, cast); best == nil || l.difference() < best.difference() {
					best = l
				}
			})
		}
	}
	compared(true)
	if best == nil || best.difference() > 0 {
		best = nil
		compared(false)
	}
	return best
}

func kindsOf(t *theory.Theory) (kinds []history.Kind) {
	for _, m := range t.Spec.Methods {
		for _, o := range m.Outcomes {
			kinds = append(kinds, history.Kind{Method: m.Name, Outcome: o.Outcome})
		}
	}
	return kinds
}

// maxKinds bounds the kinds for which roles are tried.
const maxKinds = 10

// casts yields every way to give the kinds roles.
func casts(s *shape, kinds []history.Kind, readOnly map[history.Kind]bool, cast map[history.Kind]byte, yield func(map[history.Kind]byte)) {
	if len(kinds) > maxKinds {
		return
	}
	if len(kinds) == 0 {
		if s.complete(cast) {
			yield(cast)
		}
		return
	}
	for _, p := range s.roles {
		if p.readOnly == readOnly[kinds[0]] && (p.many || !s.taken(cast, p.letter)) {
			cast[kinds[0]] = p.letter
			casts(s, kinds[1:], readOnly, cast, yield)
			delete(cast, kinds[0])
		}
	}
}

func (s *shape) taken(cast map[history.Kind]byte, letter byte) bool {
	for _, l := range cast {
		if l == letter {
			return true
		}
	}
	return false
}

// complete reports whether every role that must be played is.
func (s *shape) complete(cast map[history.Kind]byte) bool {
	return !slices.ContainsFunc(s.roles, func(p player) bool { return !p.optional && !s.taken(cast, p.letter) })
}

// compare compares patterns up to renaming of operations.
func compare(t *theory.Theory, s shape, cast map[history.Kind]byte) *assignment {
	l := &assignment{shape: s, cast: map[history.Kind]byte{}, names: map[string][]string{}}
	for k, letter := range cast {
		l.cast[k] = letter
	}
	texts := map[string]string{}
	for _, in := range s.instances(cast) {
		texts[in.history.Key()] = in.text
	}
	seen := map[string]bool{}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		key := standing(&p.History, l.cast).Key()
		text, ok := texts[key]
		if !ok || seen[key] {
			l.extra = append(l.extra, p.Name)
			continue
		}
		seen[key] = true
		l.names[text] = append(l.names[text], p.Name)
	}
	for key, text := range texts {
		if !seen[key] {
			l.missing = append(l.missing, text)
		}
	}
	slices.Sort(l.missing)
	return l
}

// standing is a pattern in which operations that find nothing match themselves, also
// where the theory gives them no match target.
func standing(h *history.History, cast map[history.Kind]byte) *history.History {
	unmatched := func(op history.Op) bool { return op.Target == history.Unmatched && cast[op.Kind] == finds.letter }
	if !slices.ContainsFunc(h.Ops, unmatched) {
		return h
	}
	same := *h
	same.Ops = slices.Clone(h.Ops)
	for i := range same.Ops {
		if unmatched(same.Ops[i]) {
			same.Ops[i].Target = i
		}
	}
	return &same
}

// reason says why a theory is of no shape.
func (l *assignment) reason() string {
	if l == nil {
		return "its kinds of operations cannot be given the roles of any type that is known: one that adds, one that removes, those that look"
	}
	var parts []string
	if n := len(l.extra); n > 0 {
		parts = append(parts, fmt.Sprintf("%s of its patterns too many (%s)", count(n), strings.Join(l.extra[:min(n, 3)], ", ")))
	}
	if n := len(l.missing); n > 0 {
		parts = append(parts, fmt.Sprintf("%s missing (%s)", count(n), l.draw(l.missing[0])))
	}
	return fmt.Sprintf("compared with the patterns of a %s, %s", l.shape.Name, strings.Join(parts, " and "))
}

func count(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// draw writes a pattern of the shape on one line.
func (l *assignment) draw(text string) string {
	for _, in := range l.shape.instances(l.cast) {
		if in.text == text {
			return history.DrawLine(in.history, nil)
		}
	}
	return text
}
