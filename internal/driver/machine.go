//go:build go1.21

package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Object says what to run.
type Object struct {
	Name       string
	New        interface{} // func() T or func() (T, error), or func(context.Context) Made
	Called     string      // New as its user knows it
	Zero       bool        // New makes zero values, for want of a constructor
	Operations []Operation // nil: the exported methods of T
	Skip       []string    // methods that are not operations, by either name

	// Accept makes the object an acceptor: it says whether the claimed results
	// are allowed now, and moves the state.
	Accept func(object interface{}, c Claim) bool

	// Whole are methods whose answers have in them what stands beside false or an error.
	// Beside is what stands there in answers of others, where it is not zero.
	Whole  []string
	Beside []Beside

	// Errors are errors that are outcomes of their own, unless all errors are to be one.
	Errors   []NamedError
	AnyError bool

	// OneValue: structs are one value each as results, and not one for each of their fields.
	OneValue bool

	// Settling: the object is tried; runs end with a Fault that lists the errors that calls
	// returned, and what stood beside false and errors.
	Settling bool

	// Types are pointers to types that interfaces may be given: (*T)(nil).
	Types []interface{}

	// Info is passed on to the parent as it is.
	Info json.RawMessage

	// Err is what is wrong with the object already.
	Err error
}

// NamedError is an error that is an outcome of its own: that of a variable, by which
// errors.Is knows it, or those of a text.
type NamedError struct {
	Method string      `json:"method"` // that returns it; "" any
	Name   string      `json:"name"`   // the outcome
	Text   string      `json:"text"`
	Value  interface{} `json:"-"` // the error of a variable; nil: those of the text
	Seen   bool        `json:"seen"`
}

// Operation is a named function whose first parameter is the object; for an
// acceptor, a typed nil function without the object.
type Operation struct {
	Name string
	Func interface{}
}

// Claim is a call together with the results that an acceptor is asked about.
type Claim struct {
	Method, Outcome string
	Args, Rets      []interface{}
}

// Method describes an operation to the parent.
type Method struct {
	Name     string         `json:"name"`   // lower camel case
	GoName   string         `json:"goName"` // as the package says it
	Args     []string       `json:"args"`   // Go types
	Params   []values.Basic `json:"params"` // what the arguments are
	Domain   []int          `json:"domain"` // different values of each argument, 0: unbounded
	Rets     []string       `json:"rets"`   // Go types
	Results  []values.Basic `json:"results"`
	Structs  []values.Basic `json:"structs,omitempty"` // the results as Go has them, if some are structs whose fields are values
	Beside   bool           `json:"beside"`            // something may stand beside false or an error, and is taken for zero
	Fails    bool           `json:"fails"`             // the last result is an error
	Outcomes []Outcome      `json:"outcomes"`
	Variadic bool           `json:"variadic,omitempty"` // the last argument is a list, of any number of them
}

// Outcome is an outcome class with the number of values it carries.
type Outcome struct {
	Name   string   `json:"name"`
	Rets   int      `json:"rets"`
	Error  string   `json:"error,omitempty"`  // the text of a NamedError
	Beside []string `json:"beside,omitempty"` // what the results beside it always are, as logs have them; none: zero
	Unseen bool     `json:"unseen,omitempty"` // an error that no trial showed, although others were
}

// Machine is an Object made ready to run. It is not safe for concurrent use.
type Machine struct {
	Name     string
	TypeName string // of the object, without its package
	Methods  []Method
	Notes    []string // methods that were left out, and why
	Acceptor bool

	types     values.Types
	skipped   []string // the Go names of those methods
	newObject func() (reflect.Value, error)
	objects   reflect.Type // what newObject makes
	zero      bool         // it makes zero values, for want of a constructor
	byValue   bool         // the constructor returns T, the operations take *T
	accept    func(interface{}, Claim) bool
	ops       []op
	runner    *runner
	waits     *waits        // nil: calls that do not return are not looked into
	pause     time.Duration // before some calls, for what goes on meanwhile
	keepers   map[int]*keeper
	whole     map[string]bool // see Object.Whole
	settling  bool            // see Object.Settling
	anyError  bool            // see Object.AnyError
	oneValue  bool            // see Object.OneValue
	seen      []NamedError    // if it is settling
	stood     []Beside        // if it is settling
	alikes    alikes
	usual     usual
}

// op is an operation made ready.
type op struct {
	*shape
	fn     reflect.Value // takes the object first
	method int           // index of an interface's method if fn is invalid
}

// NewMachine checks an object and finds its operations.
func NewMachine(o Object) (*Machine, error) {
	if o.Err != nil {
		return nil, o.Err
	}
	m := &Machine{Name: o.Name, Acceptor: o.Accept != nil, accept: o.Accept, zero: o.Zero, whole: map[string]bool{}, settling: o.Settling, anyError: o.AnyError, oneValue: o.OneValue || o.Accept != nil, alikes: alikes{types: map[alike]reflect.Type{}}}
	for _, name := range o.Whole {
		m.whole[name] = true
	}
	for _, p := range o.Types {
		m.types.Known = append(m.types.Known, reflect.TypeOf(p).Elem())
	}
	t, err := m.constructor(o)
	if err != nil {
		return nil, err
	}
	m.objects = t
	m.TypeName, m.types.Object = values.TypeName(t), t
	if t.Kind() == reflect.Pointer {
		m.types.Object = t.Elem()
	}
	if m.Name == "" {
		m.Name = packageName(t)
	}
	switch {
	case o.Operations != nil:
		err = m.declared(o)
	case m.Acceptor:
		err = errors.New("an acceptor must list its operations")
	default:
		err = m.findMethods(t, o.Skip)
	}
	if err == nil {
		err = m.checkSkips(o.Skip)
	}
	if err != nil {
		return nil, err
	}
	if len(m.Methods) == 0 {
		return nil, &NoOperationsError{Type: m.TypeName, Notes: m.Notes}
	}
	for i := range m.ops {
		d := &m.Methods[i]
		if !m.Acceptor && !o.AnyError {
			m.ops[i].named(o.Errors, d.Name)
			d.Fails = m.ops[i].hasError
		}
		m.ops[i].always(o.Beside, d.Name)
		d.Outcomes = m.ops[i].outcomes
	}
	m.describe()
	return m, m.probe()
}

// NoOperationsError says that nothing is left of a type after its unsupported
// methods were skipped.
type NoOperationsError struct {
	Type  string
	Notes []string
}

func (e *NoOperationsError) Error() string {
	s := fmt.Sprintf("type %s has no method that can serve as an operation", e.Type)
	for _, n := range e.Notes {
		s += "\n\t" + n
	}
	if len(e.Notes) > 0 {
		s += "\n" + Advice
	}
	return s
}

// Advice is what to do about methods that are left out.
const Advice = "what is left out can be an operation of a reference.Spec, by a function that takes and returns values, such as ids"

// declared takes the operations that the object lists.
func (m *Machine) declared(o Object) error {
	skip := 1
	if m.Acceptor {
		skip = 0
	}
	for i, d := range o.Operations {
		fn := reflect.ValueOf(d.Func)
		if fn.Kind() != reflect.Func || fn.IsNil() && !m.Acceptor {
			return fmt.Errorf("operation %d (%s): Func is not a function", i+1, d.Name)
		}
		goName := ""
		if !m.Acceptor {
			goName = funcName(fn)
		}
		name := d.Name
		if name == "" {
			name = LowerCamel(goName)
		}
		if name == "" {
			return fmt.Errorf("operation %d has no name", i+1)
		}
		if goName == "" {
			goName = name
		}
		if isSkipped(o.Skip, goName, name) {
			m.note(goName, "as asked")
			continue
		}
		s, err := m.declaredShape(fn.Type(), skip, name)
		if err != nil {
			return fmt.Errorf("operation %s: %w", name, err)
		}
		if err := m.add(name, goName, op{shape: s, fn: fn}); err != nil {
			return err
		}
	}
	return nil
}

// declaredShape reads an operation's type and checks that it takes the object.
func (m *Machine) declaredShape(t reflect.Type, skip int, name string) (*shape, error) {
	if skip == 1 {
		obj := m.objects
		if t.NumIn() == 0 {
			return nil, fmt.Errorf("its function must take the object (%s) first", obj)
		}
		first := t.In(0)
		switch {
		case obj.AssignableTo(first), obj.Kind() == reflect.Pointer && obj.Elem() == first:
		case reflect.PointerTo(obj).AssignableTo(first):
			m.byValue = true
		default:
			return nil, fmt.Errorf("its function must take the object (%s) first, not %s", obj, first)
		}
	}
	return shapeOf(m.types, t, skip, m.whole[name])
}

// add describes an operation; two of one name are an error.
func (m *Machine) add(name, goName string, o op) error {
	for i := range m.Methods {
		if m.Methods[i].Name == name {
			return fmt.Errorf("two operations are called %s (%s and %s)", name, m.Methods[i].GoName, goName)
		}
	}
	if o.remark != "" {
		m.Notes = append(m.Notes, "method "+goName+" "+o.remark)
	}
	if o.variadic {
		m.types.Variadic = append(m.types.Variadic, o.params[len(o.params)-1])
	}
	m.Methods = append(m.Methods, Method{Name: name, GoName: goName, Outcomes: o.outcomes, Variadic: o.variadic})
	m.ops = append(m.ops, o)
	return nil
}

// nameOf is the name of an operation.
func (m *Machine) nameOf(o *op) string {
	for i := range m.ops {
		if &m.ops[i] == o {
			return m.Methods[i].Name
		}
	}
	return ""
}

// note records that a method is left out.
func (m *Machine) note(goName, why string) {
	m.skipped = append(m.skipped, goName)
	m.Notes = append(m.Notes, fmt.Sprintf("method %s is skipped: %s", goName, why))
}

// packageName is the last element of the path of a type's package, or the
// type's name where that says nothing.
func packageName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name := path.Base(t.PkgPath()); name != "." && name != "main" {
		return name
	}
	return LowerCamel(values.TypeName(t))
}

// isSkipped reports whether a method is among the names to skip, in either
// spelling.
func isSkipped(skip []string, goName, name string) bool {
	return slices.Contains(skip, goName) || slices.Contains(skip, name)
}

// checkSkips refuses names to skip that no method has.
func (m *Machine) checkSkips(skip []string) error {
	names := append([]string(nil), m.skipped...)
	for i := range m.Methods {
		names = append(names, m.Methods[i].GoName)
	}
	for _, s := range skip {
		known := func(name string) bool { return s == name || s == LowerCamel(name) }
		if !slices.ContainsFunc(m.skipped, known) {
			return fmt.Errorf("there is no method %s to skip%s", s, DidYouMean(s, names))
		}
	}
	return nil
}

// DidYouMean suggests the name nearest to a wrong one, if any is near.
func DidYouMean(wrong string, names []string) string {
	best, least := "", len(wrong)/2+1
	for _, n := range names {
		if d := distance(wrong, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// distance is the Levenshtein distance, in O(len(a) len(b)).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		diagonal := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
