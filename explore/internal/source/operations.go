package source

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// operation is one of a choice, as the text of a call.
type operation struct {
	name, goName string
	fun          string // what is called: a function, or a method if object is ""
	object       string // how a function takes the object: %s, *%s; "" if it does not
	method       bool
	context      bool         // it takes a context first
	params       []types.Type // the others
	choices      [][]string   // by parameter: what a callback may do; nil of others
	calls        bool         // it may be given callbacks
	results      *types.Tuple // none of them is left out
	at           token.Position
	user         bool   // fun is text of the user, with imported names
	remark       string // how it is called, if that needs saying
}

func lowerCamel(name string) string { return driver.LowerCamel(name) }

// operations finds those of the choice.
func (l *loader) operations(d *declarations, c *choice) (err error) {
	c.skip = append(c.skip, l.Skip...)
	explicit := true
	if c.ops, err = l.markedOperations(d, c); err == nil && c.ops == nil && c.spec != nil {
		c.ops, err = l.specOperations(c)
	}
	if err != nil {
		return err
	}
	if c.ops == nil && c.object != nil {
		explicit = false
		c.ops = l.methods(c)
	}
	if err := l.asked(c); err != nil {
		return err
	}
	if err := l.unique(c, explicit); err != nil {
		return err
	}
	for _, o := range c.ops {
		if o.remark != "" {
			c.notes = append(c.notes, "method "+bare(o.goName)+" "+o.remark)
		}
	}
	return l.someOperations(c)
}

// asked leaves out the operations that somebody wants to be left out.
func (l *loader) asked(c *choice) error {
	names := slices.Clone(c.left)
	for _, o := range c.ops {
		names = append(names, o.name, bare(o.goName))
	}
	for _, s := range append(slices.Clip(l.Skip), l.Only...) {
		if !slices.Contains(names, s) {
			return fail("there is no operation %s%s", s, wording.HintOrAll(s, names, "operations"))
		}
	}
	others := 0
	c.ops = slices.DeleteFunc(c.ops, func(o operation) bool {
		name := bare(o.goName)
		switch {
		case c.skips(o.goName, o.name):
			c.note(name, "as asked")
			return true
		case len(l.Only) > 0 && !slices.Contains(l.Only, name) && !slices.Contains(l.Only, o.name):
			others++
			c.left = append(c.left, name)
			return true
		}
		return false
	})
	if others > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s skipped, for only %s asked for", wording.Count(others, "other operation")+isAre(others), strings.Join(l.Only, ", ")+isAre(len(l.Only))))
	}
	return nil
}

func isAre(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// someOperations refuses a choice with none.
func (l *loader) someOperations(c *choice) error {
	if len(c.ops) > 0 {
		return nil
	}
	why := ""
	for _, n := range c.notes {
		why += "; " + n
	}
	return fail("%s has zero operations: exported methods, or functions that //lin:op NAME marks%s", l.typeName(c.object), why)
}

// unique leaves out the second of two operations of one name.
func (l *loader) unique(c *choice, explicit bool) error {
	first := map[string]string{}
	var err error
	c.ops = slices.DeleteFunc(c.ops, func(o operation) bool {
		other, twice := first[o.name]
		if !twice {
			first[o.name] = bare(o.goName)
			return false
		}
		what := fmt.Sprintf("two operations are called %s (%s and %s)", o.name, other, bare(o.goName))
		if explicit {
			err = cmp.Or(err, error(&Error{[]Problem{l.problem(o.at, what)}}))
		}
		c.note(bare(o.goName), what)
		return true
	})
	return err
}

// bare is a Go name without its type.
func bare(goName string) string { return goName[strings.LastIndexByte(goName, '.')+1:] }

func (c *choice) skips(goName, name string) bool {
	return slices.Contains(c.skip, bare(goName)) || slices.Contains(c.skip, name)
}

// note says that a method is left out.
func (c *choice) note(goName, why string) {
	c.left = append(c.left, goName)
	c.notes = append(c.notes, fmt.Sprintf("method %s is skipped: %s", goName, why))
}

// methods makes operations of the object's exported methods. What cannot be one is noted.
func (l *loader) methods(c *choice) (ops []operation) {
	for _, m := range l.inSourceOrder(types.NewMethodSet(c.object)) {
		fn := m.Obj().(*types.Func)
		if !fn.Exported() {
			continue
		}
		name := lowerCamel(fn.Name())
		o := operation{name: name, goName: "(" + l.typeName(c.object) + ")." + fn.Name(), fun: fn.Name(), method: true, calls: l.Callbacks, at: l.fset.Position(fn.Pos())}
		why := ""
		switch {
		case c.skips(fn.Name(), name): // told later
		case isText(fn):
			why = "it describes the object"
		case isPromotedLock(m):
			why = "it is the embedded mutex's"
		}
		if why == "" {
			why = o.shape(m.Type().(*types.Signature), 0, c.object)
		}
		if why != "" {
			c.note(fn.Name(), why)
			continue
		}
		ops = append(ops, o)
	}
	return ops
}

// inSourceOrder lists methods as the source declares them: file by file, line by line,
// promoted ones last, by name.
func (l *loader) inSourceOrder(set *types.MethodSet) []*types.Selection {
	var all []*types.Selection
	for i := range set.Len() {
		all = append(all, set.At(i))
	}
	slices.SortStableFunc(all, func(a, b *types.Selection) int {
		p, q := l.fset.Position(a.Obj().Pos()), l.fset.Position(b.Obj().Pos())
		switch {
		case len(a.Index()) > 1 || len(b.Index()) > 1:
			return min(len(a.Index()), 2) - min(len(b.Index()), 2)
		case types.IsInterface(a.Recv()):
			return 0
		}
		return cmp.Or(strings.Compare(p.Filename, q.Filename), p.Line-q.Line)
	})
	return all
}

// isText reports whether a method prints an object rather than uses it.
func isText(fn *types.Func) bool {
	sig := fn.Signature()
	return (fn.Name() == "String" || fn.Name() == "GoString" || fn.Name() == "Error") &&
		sig.Params().Len() == 0 && sig.Results().Len() == 1 && isString(sig.Results().At(0).Type())
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// isPromotedLock reports whether a method comes from a lock that the object embeds.
func isPromotedLock(m *types.Selection) bool {
	return len(m.Index()) > 1 && m.Obj().Pkg() != nil && m.Obj().Pkg().Path() == "sync"
}

// markedOperations are those that //lin:op names for the object; nil if there are none.
func (l *loader) markedOperations(d *declarations, c *choice) (ops []operation, err error) {
	for _, m := range d.ops {
		sig, t := m.fn.Signature(), d.objectOf(m)
		o := operation{name: m.name, goName: m.fn.Name(), fun: m.fn.Name(), calls: l.Callbacks, at: l.fset.Position(m.fn.Pos())}
		if o.name == "" {
			o.name = lowerCamel(m.fn.Name())
		}
		skip := 0
		switch {
		case sig.Recv() != nil && (c.object == nil || d.local(c.object) != t):
			continue
		case sig.Recv() != nil:
			sel := types.NewMethodSet(c.object).Lookup(l.pkg, m.fn.Name())
			if sel == nil {
				continue
			}
			sig = sel.Type().(*types.Signature)
			o.method, o.goName = true, "("+l.typeName(c.object)+")."+m.fn.Name()
		case c.object != nil && t != nil && t != d.local(c.object):
			continue
		case c.object != nil:
			if sig, err = l.instance(m.fn, c.object); err == nil {
				err = l.takesObject(c, &o, sig)
			}
			skip = 1
		}
		if err != nil {
			return nil, l.failAt(m.fn.Pos(), "%s is marked //lin:op: %v", m.fn.Name(), err)
		}
		if why := o.shape(sig, skip, c.object); why != "" {
			return nil, l.failAt(m.fn.Pos(), "%s is marked //lin:op: %s", m.fn.Name(), why)
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// instance is a function's type, for a generic one with the object's type arguments.
func (l *loader) instance(fn *types.Func, object types.Type) (*types.Signature, error) {
	sig := fn.Signature()
	if sig.TypeParams().Len() == 0 {
		return sig, nil
	}
	if p, ok := object.Underlying().(*types.Pointer); ok {
		object = p.Elem()
	}
	n, ok := types.Unalias(object).(*types.Named)
	if !ok || n.TypeArgs().Len() != sig.TypeParams().Len() {
		return nil, fmt.Errorf("its type parameters are not those of the object")
	}
	var args []types.Type
	for i := range n.TypeArgs().Len() {
		args = append(args, n.TypeArgs().At(i))
	}
	t, err := types.Instantiate(types.NewContext(), sig, args, true)
	if err != nil {
		return nil, err
	}
	return t.(*types.Signature), nil
}

// takesObject sees how a function takes the object.
func (l *loader) takesObject(c *choice, o *operation, sig *types.Signature) error {
	if sig.Params().Len() > 0 {
		first := sig.Params().At(0).Type()
		p, _ := c.object.Underlying().(*types.Pointer)
		switch {
		case types.AssignableTo(c.object, first):
			o.object = "%s"
			return nil
		case p != nil && types.Identical(p.Elem(), first):
			o.object = "*%s"
			return nil
		}
	}
	return fmt.Errorf("it must take the object (%s) first", l.typeName(c.object))
}

// shape reads a signature whose first parameters are left out; why says which part of
// it is not supported.
func (o *operation) shape(sig *types.Signature, skip int, object types.Type) (why string) {
	o.params, o.choices = nil, nil
	for i := skip; i < sig.Params().Len(); i++ {
		t := sig.Params().At(i).Type()
		if i == skip && isContext(t) {
			o.context = true
			continue
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
			if problem(t, object) != "" {
				o.remark = "is called without its ..." + short(t)
				continue
			}
			o.remark = "is called with one " + short(t) + " at a time"
		}
		var choices []string
		if o.calls && !sig.Variadic() {
			choices = callbacks(t, sig.Results())
		}
		if p := problem(t, object); p != "" && choices == nil {
			return fmt.Sprintf("parameter %d %s", i-skip+1, p)
		}
		o.params, o.choices = append(o.params, t), append(o.choices, choices)
	}
	o.results = sig.Results()
	for i := range o.results.Len() {
		t := o.results.At(i).Type()
		switch u := t.Underlying().(type) {
		case *types.Signature:
			return fmt.Sprintf("result %d is a func (%s)%s", i+1, short(t), values.NoName)
		case *types.Chan:
			return fmt.Sprintf("result %d is a chan (%s)%s", i+1, short(t), values.NoName)
		case *types.Pointer:
			if o.results.Len() == 1 && object != nil && types.Identical(t, object) {
				o.remark = "answers with a " + short(t) + ", which is not looked at"
				o.results = nil
				return ""
			}
		case *types.Basic:
			if u.Kind() == types.UnsafePointer {
				return fmt.Sprintf("result %d is an unsafe.Pointer%s", i+1, values.NoName)
			}
		}
	}
	return ""
}

// problem says why arguments of a type cannot be made up, as the end of a sentence that
// the parameter begins; "" if they can.
func problem(t, object types.Type) string {
	if object != nil {
		elem := object
		if p, ok := object.Underlying().(*types.Pointer); ok {
			elem = p.Elem()
		}
		if types.Identical(t, object) || types.Identical(t, elem) {
			return "is another " + short(elem) + values.NoName
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return "is a function (" + short(t) + ")" + values.NoName
	case *types.Chan:
		return "is a channel (" + short(t) + ")" + values.NoName
	case *types.Map:
		return "is a map (" + short(t) + "); write a harness that passes one"
	case *types.Pointer:
		return "is a pointer (" + short(t) + ")" + values.NoName + "; write a harness that takes what it points to"
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer:
			return "is an unsafe.Pointer" + values.NoName
		case u.Info()&types.IsComplex != 0:
			return "is a complex number; write a harness that passes one"
		}
	case *types.Interface:
		switch {
		case isContext(t):
			return "is a context.Context, which has to be the first"
		case !u.Empty():
			return "is the interface " + short(t) + ", and only any is given values; write a harness that passes one"
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if p := problem(u.Field(i).Type(), object); p != "" {
				return "has a part that " + p
			}
		}
	case *types.Array:
		if p := problem(u.Elem(), object); p != "" {
			return "has a part that " + p
		}
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		if !ok || problem(b, nil) != "" {
			return "is a slice (" + short(t) + ") whose elements are neither numbers nor strings; write a harness that passes one"
		}
	}
	return ""
}

// short is a type as messages say it.
func short(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

func isContext(t types.Type) bool { return isNamed(t, "context", "Context") }

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isNamed(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}
