package source

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// frame is a call of a function on a path; the same call in the same caller is the same frame.
type frame struct {
	frameKey
	id    int
	depth int
}

type frameKey struct {
	fn      *ssa.Function
	caller  *frame
	site    ssa.Instruction // that calls: *ssa.Call, or *ssa.Defer
	closure *frame          // where the closure was made that is called; nil if it is none
	made    *ssa.MakeClosure
}

// state is what matters of a path so far. It is never changed, but for the copy that
// a step works on.
type state struct {
	open     ssa.CallInstruction // the operation's Handle.Call; nil outside of one
	opened   bool                // an operation is under way
	method   string
	commits  int // 0, 1, or 2 for more
	held     int // locks
	dirty    []dirty
	facts    map[string]string // what is known of values: their text, or "!" and what they are not
	deferred []deferred
}

// dirty is a write to the view that is not recorded yet.
type dirty struct {
	f        field
	pos      token.Pos
	released bool // there was a moment since at which no lock was held
}

// deferred is a call that a frame is to make at its end.
type deferred struct {
	in *frame
	d  *ssa.Defer
}

const mostHeld = 20 // more are not counted

func (s *state) copy() *state {
	t := *s
	t.dirty, t.facts, t.deferred = slices.Clone(s.dirty), maps.Clone(s.facts), slices.Clone(s.deferred)
	return &t
}

// key tells states apart.
func (s *state) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p %v %d %d", s.open, s.opened, s.commits, s.held)
	for _, d := range s.dirty {
		fmt.Fprint(&b, " ", d)
	}
	for _, d := range s.deferred {
		fmt.Fprintf(&b, " %p", d.d)
	}
	for _, k := range slices.Sorted(maps.Keys(s.facts)) {
		b.WriteString(" " + k + s.facts[k])
	}
	return b.String()
}

// unlock notes that a lock is given back.
func (s *state) unlock() {
	if s.held = max(0, s.held-1); s.held > 0 {
		return
	}
	for i := range s.dirty {
		s.dirty[i].released = true
	}
}

// forget forgets what is known of the values that begin with a prefix.
func (s *state) forget(prefix string) {
	maps.DeleteFunc(s.facts, func(k, _ string) bool { return strings.HasPrefix(k, prefix) })
}

// name is a value as facts call it: a parameter is the argument, and a field that is written once is a
// path from the value it is a field of.
func (c *checker) name(f *frame, v ssa.Value) string {
	f, v = resolve(f, v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if fa, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
			if g := fieldOf(fa.X.Type(), fa.Field); c.constant[g] {
				return c.name(f, fa.X) + "." + g.name
			}
		}
	case *ssa.FieldAddr: // a part of a struct
		if g := fieldOf(x.X.Type(), x.Field); c.constant[g] {
			return c.name(f, x.X) + "." + g.name
		}
	}
	return fmt.Sprint("f", f.id, ":", v.Name(), " ")
}

// resolve finds what a parameter or a captured variable is.
func resolve(f *frame, v ssa.Value) (*frame, ssa.Value) {
	for {
		switch x := v.(type) {
		case *ssa.Parameter:
			i := slices.Index(f.fn.Params, x)
			call, ok := f.site.(ssa.CallInstruction)
			if !ok || i < 0 || i >= len(call.Common().Args) {
				return f, v
			}
			v, f = call.Common().Args[i], f.caller
		case *ssa.FreeVar:
			i := slices.Index(f.fn.FreeVars, x)
			if f.made == nil || i < 0 {
				return f, v
			}
			v, f = f.made.Bindings[i], f.closure
		case *ssa.ChangeType:
			v = x.X
		default:
			return f, v
		}
	}
}

// constantOf is the text of a value that is known.
func (c *checker) constantOf(f *frame, v ssa.Value, s *state) (string, bool) {
	f, v = resolve(f, v)
	if k, ok := v.(*ssa.Const); ok {
		return constText(k), true
	}
	switch v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Alloc:
		return "new", true // not nil
	}
	text, ok := s.facts[c.name(f, v)]
	return text, ok && !strings.HasPrefix(text, "!")
}

func constText(k *ssa.Const) string {
	if k.Value == nil {
		return "nil"
	}
	return k.Value.ExactString()
}

// truth tells a condition if it is known.
func (c *checker) truth(f *frame, v ssa.Value, s *state) (is, known bool) {
	f, v = resolve(f, v)
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			is, known = c.truth(f, x.X, s)
			return !is, known
		}
	case *ssa.BinOp:
		if x.Op == token.EQL || x.Op == token.NEQ {
			if is, known := c.equal(f, x, s); known {
				return is == (x.Op == token.EQL), true
			}
		}
	}
	text, ok := c.constantOf(f, v, s)
	return text == "true", ok
}

// equal tells whether the operands of a comparison are equal, if that is known.
func (c *checker) equal(f *frame, x *ssa.BinOp, s *state) (is, known bool) {
	a, knownA := c.constantOf(f, x.X, s)
	b, knownB := c.constantOf(f, x.Y, s)
	switch {
	case knownA && knownB:
		return a == b, a != "new" || b != "new"
	case knownB:
		g, v := resolve(f, x.X)
		if is := s.facts[c.name(g, v)]; is != "" {
			return false, slices.Contains(strings.Split(is, "!"), b)
		}
	}
	return false, false
}

// assume notes that a condition is true, or false.
func (c *checker) assume(f *frame, v ssa.Value, is bool, s *state) {
	f, v = resolve(f, v)
	s.facts[c.name(f, v)] = fmt.Sprint(is)
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			c.assume(f, x.X, !is, s)
		}
	case *ssa.BinOp:
		k, ok := x.Y.(*ssa.Const)
		if !ok || x.Op != token.EQL && x.Op != token.NEQ {
			return
		}
		g, w := resolve(f, x.X)
		if _, ok := w.(*ssa.Const); ok {
			return
		}
		name := c.name(g, w)
		if is == (x.Op == token.EQL) {
			s.facts[name] = constText(k)
		} else if old := s.facts[name]; old == "" || strings.HasPrefix(old, "!") {
			not := append(strings.Split(strings.TrimPrefix(old, "!"), "!"), constText(k))
			slices.Sort(not)
			not = slices.DeleteFunc(slices.Compact(not), func(s string) bool { return s == "" })
			s.facts[name] = "!" + strings.Join(not, "!")
		}
	}
}
