package equations

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// Model is closed laws as a semantics.Machine: it answers the calls of logs. It is for one
// log once For made it so. Then a state is a table of observers, if the laws allow for that;
// otherwise states are told apart by the calls that led to them, which is right, but a search
// meets equal ones as often as there are ways to them.
//
// Where laws have no value, or one that the type of the reference does not have, the Model
// fails for good, as wgl.Failing has it.
type Model struct {
	doc  *Document
	sigs []*history.MethodSig // by method of the laws

	mu    sync.Mutex // of all below
	m     *Machine
	table *table // nil: there is none
	err   error
}

// NewModel makes a Model of a data type's methods. The laws must be closed.
func NewModel(d *Document, methods []history.MethodSig) (*Model, error) {
	m := &Model{doc: d}
	for i := range d.Methods {
		k := slices.IndexFunc(methods, func(s history.MethodSig) bool { return s.Name == d.Methods[i].Name })
		if k < 0 || len(methods[k].Params) != len(d.Methods[i].Params) || !typed(&methods[k]) {
			return nil, fmt.Errorf("there are laws of %s, but no types of its values: infer the theory again", d.Methods[i].Name)
		}
		m.sigs = append(m.sigs, &methods[k])
	}
	return m, m.read()
}

// typed reports whether the types of all values are known that a method answers.
func typed(m *history.MethodSig) bool {
	return !slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Rets > len(m.Results) })
}

// For is the Model for an execution, its prefixes and parts.
func (m *Model) For(e *history.Execution) semantics.Machine {
	own := &Model{doc: m.doc, sigs: m.sigs}
	if own.err = own.read(); own.err == nil {
		own.table = newTable(own.m.Set, m.sigs, own.m.types, e.Ops)
		own.err = own.exceeds(e.Ops)
	}
	return own
}

// read reads the laws, with a Store of their own.
func (m *Model) read() error {
	set, err := Parse(m.doc)
	if err != nil {
		return err
	}
	if !set.Closed() {
		return errors.New("the laws do not say what each method answers")
	}
	for i := range set.Methods {
		me, results := &set.Methods[i], m.sigs[i].Results
		for k := range me.Parts {
			p := &me.Parts[k]
			if p.Ret = p.ret(len(results)); p.Ret >= 0 && (p.Ret >= len(results) || SortOf(&results[p.Ret]) != p.Sort) {
				return fmt.Errorf("%s of %s is no %s", p.Name, me.Name, p.Sort)
			}
		}
	}
	m.m = NewMachine(set)
	m.m.types = typesOf(set, m.sigs)
	return nil
}

// exceeds is the error of a log whose numbers add up to one of an earlier call of an observer:
// such a number stands for what nothing comes near, and laws are wrong beyond it.
func (m *Model) exceeds(ops []history.Operation) error {
	limit, sum := int64(0), int64(0)
	for i := range m.m.Observers {
		if c := m.m.Observers[i].How.First; c != nil {
			for _, a := range c.Args {
				if a.Form == Const && a.value.IsInt() && a.value.Int() > 1 && (limit == 0 || a.value.Int() < limit) {
					limit = a.value.Int()
				}
			}
		}
	}
	if limit == 0 {
		return nil
	}
	add := func(types []values.Basic, vs []history.Value) {
		for i, v := range vs {
			if n := m.m.Store.Read(&types[i], string(v)); n != Undefined && n.IsInt() {
				sum = min(limit, sum+min(limit, max(n.Int(), -n.Int())))
			}
		}
	}
	for i := range ops {
		for k := range m.m.Methods {
			if m.m.Methods[k].Name == ops[i].Method {
				add(m.sigs[k].Params, ops[i].Args)
				add(m.sigs[k].Results, ops[i].Rets)
			}
		}
	}
	if sum >= limit {
		return outside("what follows from numbers that add up to " + strconv.FormatInt(limit, 10))
	}
	return nil
}

// Err is why the Model allows nothing any more, or nil.
func (m *Model) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed()
}

func (m *Model) failed() error {
	err := m.err
	if m.table != nil {
		err = cmp.Or(err, m.table.err)
	}
	if err == nil && m.m.Store.overflow {
		err = outside("what follows from numbers of more than 61 bits")
	}
	return err
}

// reached is a state by the calls that led to it.
type reached struct{ *State }

func (s reached) Equal(t semantics.State) bool { return s == t }
func (s reached) Hash() uint64                 { return uint64(s.id) }

// rows are a state by the rows of a table.
type rows struct {
	all  []Value
	hash uint64
}

func (r *rows) Equal(t semantics.State) bool {
	o := t.(*rows)
	return r == o || r.hash == o.hash && slices.Equal(r.all, o.all)
}

func (r *rows) Hash() uint64 { return r.hash }

// Size is how many bytes the state takes.
func (r *rows) Size() int { return 64 + 8*len(r.all) }

// Init is the state of a new object.
func (m *Model) Init() semantics.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.table != nil {
		return &rows{m.table.start, hashOf(m.table.start)}
	}
	return reached{m.m.Start()}
}

// Step makes a call, and compares its answer, if the label has one.
func (m *Model) Step(s semantics.State, l *history.Label) (semantics.State, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	method, args, answer := m.call(s, l)
	if answer == nil || m.waits(method, answer) {
		return nil, false
	}
	if l.Outcome != history.Pending && !slices.Equal(answer, m.m.Store.Answer(m.sigs[method], m.m.Methods[method].Parts, l.Outcome, l.Rets)) {
		return nil, false
	}
	next := m.after(s, method, args, answer)
	return next, m.failed() == nil
}

// call is a call's method, arguments and answer; nil where there is none.
func (m *Model) call(s semantics.State, l *history.Label) (method int, args, answer []Value) {
	method = slices.IndexFunc(m.m.Methods, func(me Method) bool { return me.Name == l.Method })
	if m.failed() != nil || method < 0 || len(l.Args) != len(m.sigs[method].Params) {
		return method, nil, nil
	}
	for i, a := range l.Args {
		v := m.m.Store.Read(&m.sigs[method].Params[i], string(a))
		if v == Undefined {
			return method, nil, nil
		}
		args = append(args, v)
	}
	var err error
	if r, ok := s.(*rows); ok {
		answer = make([]Value, len(m.m.Methods[method].Answers))
		for i, o := range m.m.Methods[method].Answers {
			if answer[i], err = m.table.see(r.all, o, args); err != nil {
				break
			}
		}
	} else {
		answer, err = m.m.Answer(s.(reached).State, method, args)
	}
	if err == nil {
		err = m.possible(method, answer)
	}
	if err != nil {
		m.err = cmp.Or(m.err, err)
		return method, args, nil
	}
	return method, args, answer
}

// possible refuses an answer that the laws do not have, or that its type does not.
func (m *Model) possible(method int, answer []Value) error {
	me := &m.m.Methods[method]
	for i, p := range me.Parts {
		switch {
		case answer[i] == Undefined:
			return outside("what " + me.Name + " answers")
		case p.Ret >= 0 && answer[i].IsInt():
			if _, fits := m.m.Store.log(&m.sigs[method].Results[p.Ret], answer[i]); !fits {
				return outside("what " + me.Name + " answers where a number exceeds its type")
			}
		}
	}
	return nil
}

// waits reports whether an answer is that the call waits for ever.
func (m *Model) waits(method int, answer []Value) bool {
	return len(answer) > 0 && answer[0] == m.m.Store.Plain(Word, "waits")
}

func (m *Model) after(s semantics.State, method int, args, answer []Value) semantics.State {
	if m.m.Methods[method].Pure {
		return s
	}
	r, ok := s.(*rows)
	if !ok {
		return reached{m.m.After(s.(reached).State, method, args, answer)}
	}
	next := m.table.after(r.all, method, slices.Concat(args, answer))
	if len(next) == 0 || &next[0] == &r.all[0] {
		return r
	}
	return &rows{next, hashOf(next)}
}

// Branches are the states after a call that has not answered: one, for laws say what each
// call answers.
func (m *Model) Branches(s semantics.State, call *history.Label) []semantics.State {
	own := *call
	own.Outcome, own.Rets = history.Pending, nil
	if next, ok := m.Step(s, &own); ok {
		return []semantics.State{next}
	}
	return nil
}

// Answer is the label of a call with its answer.
func (m *Model) Answer(s semantics.State, call *history.Label) (history.Label, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	method, _, answer := m.call(s, call)
	if answer == nil || m.waits(method, answer) {
		return history.Label{}, false
	}
	l, ok := m.m.Store.label(call, m.sigs[method], m.m.Methods[method].Parts, answer)
	if !ok {
		l = history.Label{Kind: history.Kind{Method: call.Method, Outcome: history.Pending}, Args: call.Args}
	}
	return l, true
}

// Answers lists what a call may answer.
func (m *Model) Answers(s semantics.State, call *history.Label) []history.Label {
	if l, ok := m.Answer(s, call); ok && l.Outcome != history.Pending {
		return []history.Label{l}
	}
	return nil
}

// ReadOnly reports whether an operation changes nothing, in whatever state.
func (m *Model) ReadOnly(l *history.Label) bool {
	return slices.ContainsFunc(m.m.Methods, func(me Method) bool { return me.Name == l.Method && me.Pure })
}

// Free reports that laws leave no answer open; so do Guesses and Unclear.
func (m *Model) Free(string) bool { return false }
func (m *Model) Guesses() bool    { return false }
func (m *Model) Unclear() bool    { return false }

// AnyValues reports that laws do not take all values.
func (m *Model) AnyValues() bool { return false }

// Refuses says which value of a label the laws cannot compute with.
func (m *Model) Refuses(l *history.Label) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.m.Methods, func(me Method) bool { return me.Name == l.Method })
	if i < 0 {
		return fmt.Errorf("there are no laws of %s", l.Method)
	}
	refuses := func(text history.Value, b int, sort Sort, result bool) error {
		types := m.sigs[i].Params
		if result {
			types = m.sigs[i].Results
		}
		v := m.m.Store.Read(&types[b], string(text))
		if v == Undefined && !result || sort == Ints && v != Undefined && !v.IsInt() && !m.m.Store.Is(v, Word) {
			return fmt.Errorf("the laws cannot compute with %s", text)
		}
		return nil
	}
	for k, a := range l.Args {
		if err := refuses(a, k, m.m.Methods[i].Params[k].Sort, false); err != nil {
			return err
		}
	}
	for k, a := range l.Rets {
		if err := refuses(a, k, SortOf(&m.sigs[i].Results[k]), true); err != nil {
			return err
		}
	}
	return nil
}

// mostText bounds the observers that a text of a state names.
const mostText = 12

// Text is what is seen of a state that was not so at first: "balance(ann) = 3, count = 1".
func (m *Model) Text(s semantics.State) string {
	r, ok := s.(*rows)
	if !ok {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var words []string
	for i, row := range m.table.rows {
		o := &m.table.Observers[row.observer]
		if r.all[i] == Undefined || r.all[i] == m.table.start[i] && len(row.args) > 0 || len(words) > mostText {
			continue
		}
		text := o.Name
		for k, a := range row.args {
			text += []string{"(", ", "}[min(k, 1)] + m.m.Store.Text(a)
		}
		if len(row.args) > 0 {
			text += ")"
		}
		words = append(words, text+" = "+m.m.Store.Text(r.all[i]))
	}
	return strings.Join(words, ", ")
}
