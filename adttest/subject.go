package adttest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// subject is the type under test, seen as the data type of a theory.
type subject struct {
	machine *driver.Machine
	typ     string // as messages name it
	theory  *theory.Theory
	exact   *check.Checker
	sig     history.Signature
	wide    history.Signature // sig, and what else the type may answer
	typed   history.Signature // wide, with the types of results
	methods []method          // by index in the machine
	notes   []string
	close   reflect.Value // func(T), or invalid
}

// method is a method of the type, with the name that the theory has for it.
type method struct {
	index        int
	name, goName string
	params       []reflect.Type
	panics       bool              // that is an outcome
	outcomes     []history.Outcome // by driver.Results.Outcome
}

// newSubject finds the operations and holds them against the theory.
func newSubject(c *Config, in inferred) (*subject, error) {
	o := driver.Object{New: c.New, Skip: c.Skip}
	for _, op := range c.Operations {
		o.Operations = append(o.Operations, driver.Operation{Name: op.Name, Func: op.Func})
	}
	m, err := driver.NewMachine(o)
	if err != nil {
		return nil, fmt.Errorf("adttest: %w", err)
	}
	exact, err := exactly(in.theory)
	if err != nil {
		return nil, err
	}
	s := &subject{machine: m, theory: in.theory, exact: exact, typ: reflect.TypeOf(c.New).Out(0).String()}
	known := *in.theory
	if in.methods != nil { // inference may have seen fewer outcomes
		known.Spec.Methods = in.methods
	}
	if in.panics {
		panicking(&known)
	}
	if s.sig, err = known.Signature(c.Aliases); err != nil {
		return nil, fmt.Errorf("adttest: Config.Aliases: %w", err)
	}
	o.Whole, o.Beside = s.beside()
	o.OneValue = !in.structs && !slices.ContainsFunc(in.theory.Spec.Methods, func(m history.MethodSig) bool { return m.Structs != nil })
	if o.Errors = s.errors(); o.Whole != nil || o.Beside != nil || o.Errors != nil || o.OneValue {
		if s.machine, err = driver.NewMachine(o); err != nil {
			return nil, fmt.Errorf("adttest: %w", err)
		}
	}
	if err := s.setClose(c.Close); err != nil {
		return nil, err
	}
	if err := s.fit(); err != nil {
		return nil, err
	}
	if s.wide, err = history.NewSignature(s.widened(false)...); err == nil {
		s.typed, err = history.NewSignature(s.widened(true)...)
	}
	return s, err
}

// widened are the theory's methods with what the type may answer by its results, as it was
// recorded: an error without a name has one of its own.
func (s *subject) widened(typed bool) (all []history.MethodSig) {
	for _, sig := range s.sig.Methods() {
		if i := slices.IndexFunc(s.methods, func(m method) bool { return m.name == sig.Name }); i >= 0 {
			d := &s.machine.Methods[s.methods[i].index]
			sig.Outcomes = slices.Clone(sig.Outcomes)
			for _, o := range d.Outcomes {
				k := slices.IndexFunc(sig.Outcomes, func(k history.OutcomeSig) bool { return k.Outcome == history.Outcome(o.Name) })
				switch {
				case k < 0 && !o.Unseen:
					sig.Outcomes = append(sig.Outcomes, history.OutcomeSig{Outcome: history.Outcome(o.Name), Rets: o.Rets, Error: o.Error, Beside: o.Beside})
				case k >= 0 && o.Unseen && o.Name == string(history.Error):
					sig.Outcomes = slices.Delete(sig.Outcomes, k, k+1)
				}
			}
			if typed && sig.Results == nil {
				sig.Results, sig.Structs = d.Results, d.Structs
			}
		}
		all = append(all, sig)
	}
	return all
}

// beside tells what stands beside false or an error by the theory: values that belong to the
// answers of a method, or always the same ones.
func (s *subject) beside() (whole []string, always []driver.Beside) {
	for i := range s.machine.Methods {
		m := &s.machine.Methods[i]
		sig, ok := s.sig.Method(m.Name)
		if !ok || !m.Beside {
			continue
		}
		for _, o := range sig.Outcomes {
			switch {
			case o.Outcome != history.Nil && !wording.IsError(string(o.Outcome)):
			case o.Rets > 0 && !slices.Contains(whole, m.Name):
				whole = append(whole, m.Name)
			case o.Beside != nil:
				always = append(always, driver.Beside{Method: m.Name, Outcome: string(o.Outcome), Texts: o.Beside})
			}
		}
	}
	return whole, always
}

// errors are those that have names in the theory.
func (s *subject) errors() (named []driver.NamedError) {
	for i := range s.machine.Methods {
		m := &s.machine.Methods[i]
		sig, ok := s.sig.Method(m.Name)
		if !ok || !m.Fails {
			continue
		}
		for _, o := range sig.Outcomes {
			if o.Error != "" {
				named = append(named, driver.NamedError{Method: m.Name, Name: string(o.Outcome), Text: o.Error, Seen: true})
			} else if o.Outcome == history.Error && slices.Contains(s.theory.Kinds(), history.Kind{Method: sig.Name, Outcome: o.Outcome}) {
				named = append(named, driver.NamedError{Method: m.Name, Seen: true}) // and not just allowed by the signature
			}
		}
	}
	return named
}

// exactly is a checker that decides what the theory covers.
func exactly(t *theory.Theory) (*check.Checker, error) {
	if t.Spec.Product != nil || t.Spec.Automaton != nil {
		return check.New(t, check.Options{Returned: true})
	}
	return check.New(t, check.Options{Engine: "symbolic", Returned: true})
}

// relax has the theory say what may fail in every state, besides what it says itself.
// The error is a *describe.Empty if the theory says nothing more than that.
func (s *subject) relax(ks history.Kinds) error {
	t := *s.theory
	t.Spec.Methods, t.Spec.Patterns = slices.Clone(t.Spec.Methods), slices.Clone(t.Spec.Patterns)
	for _, k := range ks {
		sig, ok := s.sig.Method(k.Method)
		known := ok && slices.ContainsFunc(sig.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == k.Outcome })
		if known && !slices.Contains(t.Spec.MayFail, k) {
			t.Spec.MayFail = append(slices.Clip(t.Spec.MayFail), k)
		}
	}
	if len(t.Spec.MayFail) == len(s.theory.Spec.MayFail) {
		return nil
	}
	empty := describe.Relax(&t, s.sig.Methods(), history.Kinds(t.Spec.MayFail).Texts())
	if empty != nil && !errors.As(empty, new(*describe.Empty)) {
		return fmt.Errorf("adttest: Config.Reference: %w", empty)
	}
	exact, err := exactly(&t)
	if err != nil {
		return err
	}
	s.theory, s.exact = &t, exact
	return empty
}

func (s *subject) setClose(f any) error {
	if f == nil {
		return nil
	}
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.Type().NumIn() != 1 || v.Type().In(0).String() != s.typ {
		return fmt.Errorf("adttest: Config.Close must be a func(%s), not %T", s.typ, f)
	}
	s.close = v
	return nil
}

// mismatch is the error of a type that does not have the methods of the theory.
type mismatch struct {
	Type, Theory string
	Problems     []string // one sentence each: which method, what is wrong, what to do
}

func (e *mismatch) Error() string {
	return fmt.Sprintf("adttest: %s does not fit the theory %s:\n\t%s", e.Type, e.Theory, strings.Join(e.Problems, "\n\t"))
}

// fit finds the theory's method for each of the type's, or says why it cannot.
func (s *subject) fit() error {
	wrong := &mismatch{Type: s.typ, Theory: s.theory.Name}
	taken := map[string]string{}
	for i := range s.machine.Methods {
		m := &s.machine.Methods[i]
		sig, ok := s.sig.Method(m.Name)
		if !ok {
			sig, ok = s.sig.Method(m.GoName)
		}
		problem := ""
		switch {
		case !ok:
			problem = s.unknown(m)
		case taken[sig.Name] != "":
			problem = fmt.Sprintf("method %s: the theory's %s is already method %s; leave one out with Config.Skip", m.GoName, sig.Name, taken[sig.Name])
		default:
			taken[sig.Name] = m.GoName
			problem = differs(m, sig)
		}
		if problem != "" {
			wrong.Problems = append(wrong.Problems, problem)
			continue
		}
		s.methods = append(s.methods, s.newMethod(i, sig))
	}
	if len(wrong.Problems) > 0 {
		wrong.Problems = append(wrong.Problems, s.machine.Notes...)
		return wrong
	}
	for _, sig := range s.sig.Methods() {
		if taken[sig.Name] == "" {
			s.notes = append(s.notes, fmt.Sprintf("the theory's method %s is not tested: %s has no method of that name", sig.Name, s.typ))
		}
	}
	s.notes = append(s.notes, s.machine.Notes...)
	return nil
}

func (s *subject) newMethod(i int, sig *history.MethodSig) method {
	d := &s.machine.Methods[i]
	m := method{index: i, name: sig.Name, panics: mayPanic(sig), goName: d.GoName, params: s.machine.Params(i)}
	for _, o := range d.Outcomes {
		m.outcomes = append(m.outcomes, history.Outcome(o.Name))
	}
	return m
}

// unknown says that the theory has no such method.
func (s *subject) unknown(m *driver.Method) string {
	var known []string
	for _, sig := range s.sig.Methods() {
		known = append(known, sig.Name)
	}
	hint := wording.HintOrAll(m.Name, known, "methods")
	return fmt.Sprintf("method %s: the theory has no method %s%s. If it is another name for one, say so in Config.Aliases; if it is no operation of the data type, name it in Config.Skip", m.GoName, m.Name, hint)
}

// differs says how a method's signature differs from the theory's, or "". A type that may answer
// more than the theory has answers: what that lacks is a violation, if it comes.
func differs(m *driver.Method, sig *history.MethodSig) string {
	if len(m.Args) != sig.Args {
		return fmt.Sprintf("method %s takes %s, the theory's %s takes %d; list it in Config.Operations with a function that fits", m.GoName, wording.Count(len(m.Args), "argument"), sig.Name, sig.Args)
	}
	var want []string
	for _, o := range sig.Outcomes {
		if o.Outcome != history.Panic {
			want = append(want, string(o.Outcome))
		}
	}
	has := func(o history.Outcome) bool {
		return slices.ContainsFunc(m.Outcomes, func(d driver.Outcome) bool { return d.Name == string(o) })
	}
	more := !slices.ContainsFunc(want, func(o string) bool { return !has(history.Outcome(o)) })
	for _, o := range m.Outcomes {
		if o.Unseen { // see driver.Results.Unnamed
			continue
		}
		i := slices.IndexFunc(sig.Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == history.Outcome(o.Name) })
		if i < 0 && more {
			continue
		}
		if i < 0 {
			return fmt.Sprintf("method %s may answer %s, the theory's %s answers %s; list it in Config.Operations with a function whose results fit", m.GoName, o.Name, sig.Name, strings.Join(want, " or "))
		}
		if sig.Outcomes[i].Rets != o.Rets {
			return fmt.Sprintf("method %s with outcome %s returns %s, the theory's %s returns %d; list it in Config.Operations with a function whose results fit", m.GoName, o.Name, wording.Count(o.Rets, "value"), sig.Name, sig.Outcomes[i].Rets)
		}
	}
	return ""
}

// rets is the number of values that an outcome of a method carries.
func (s *subject) rets(name string, outcome history.Outcome) int {
	sig, ok := s.sig.Method(name)
	if !ok {
		return 0
	}
	for _, o := range sig.Outcomes {
		if o.Outcome == outcome {
			return o.Rets
		}
	}
	return 0
}

// method finds a method by its name in Go, in the theory, or an alias.
func (s *subject) method(name string) *method {
	theirs := name
	if sig, ok := s.sig.Method(name); ok {
		theirs = sig.Name
	}
	for i := range s.methods {
		if m := &s.methods[i]; m.goName == name || m.name == theirs {
			return m
		}
	}
	return nil
}

// kinds lists the kinds of operations that the signatures allow.
func (s *subject) kinds() (kinds []history.Kind) {
	for _, m := range s.methods {
		for _, o := range m.outcomes {
			kinds = append(kinds, history.Kind{Method: m.name, Outcome: o})
		}
	}
	return kinds
}

// renamed says which methods have another name in the theory.
func (s *subject) renamed() string {
	var parts []string
	for _, m := range s.methods {
		if m.name != driver.LowerCamel(m.goName) {
			parts = append(parts, m.goName+" is "+m.name)
		}
	}
	return strings.Join(parts, ", ")
}

// step is a call made ready.
type step struct {
	call   Call
	method *method
	args   []reflect.Value
}

// steps makes calls ready.
func (s *subject) steps(calls []Call) ([]step, error) {
	var out []step
	for _, c := range calls {
		st, err := s.step(c)
		if err != nil {
			return nil, err
		}
		out = append(out, st)
	}
	return out, nil
}

func (s *subject) step(c Call) (step, error) {
	m := s.method(c.Method)
	if m == nil {
		var names []string
		for _, m := range s.methods {
			names = append(names, m.goName)
		}
		return step{}, fmt.Errorf("adttest: scenario: %s has no operation %s%s", s.typ, c.Method, wording.HintOrAll(c.Method, names, "operations"))
	}
	if len(c.Args) != len(m.params) {
		return step{}, fmt.Errorf("adttest: scenario: %s: %s takes %s", c, m.goName, wording.Count(len(m.params), "argument"))
	}
	st := step{call: c, method: m}
	st.call.Method = m.goName
	for i, a := range c.Args {
		v := reflect.ValueOf(a)
		if !v.IsValid() || !v.CanConvert(m.params[i]) || (v.Kind() == reflect.String) != (m.params[i].Kind() == reflect.String) && m.params[i].Kind() != reflect.Interface {
			return step{}, fmt.Errorf("adttest: scenario: %s: argument %d must be a %s", c, i+1, m.params[i])
		}
		if sig, _ := s.sig.Method(m.name); slices.Contains(sig.NotNil, i+1) && values.GoText(v) == "nil" {
			return step{}, fmt.Errorf("adttest: scenario: %s: argument %d is nil, and theory %s says nothing of such calls", c, i+1, s.theory.Name)
		}
		st.args = append(st.args, v.Convert(m.params[i]))
	}
	return st, nil
}
