package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// List is the calls that threads may make.
type List struct {
	Calls  []machine.Call
	Labels []history.Label // of each call, pending

	// Methods are those of the calls, with all that they may answer, a panic aside.
	Methods []history.MethodSig

	// Fresh says which argument of a method is one that no other call has, neither of
	// this method nor of others.
	Fresh map[string]int

	// Most is how many operations an execution has at most.
	Most int

	// Whole: what stands beside false or an error belongs to answers, where it is not all
	// zero. Errors: which error it is belongs to what is compared, and which types interfaces hold.
	Whole, Errors bool

	ops []operation // of the program
}

// Options say which calls there are.
type Options struct {
	Values int            // each argument is one of so many; of several, one is the zero value
	Nil    bool           // which of any is nil: results that are nil mean nothing else
	Fresh  map[string]int // see List
	Most   int            // see List
}

// mostCalls bounds the calls of an operation.
const mostCalls = 1 << 10

// New is the calls of all operations of a program, to which it may add what values
// consist of.
func New(p *ir.Program, o Options) (*List, error) {
	if len(p.Ops) == 0 {
		return nil, fmt.Errorf("there are no operations to explore")
	}
	l := &List{Fresh: o.Fresh, Most: o.Most}
	m := &maker{program: p, nils: o.Nil}
	var wrong []string
	for i := range p.Ops {
		op := &p.Ops[i]
		l.ops = append(l.ops, read(p, op))
		l.Methods = append(l.Methods, history.MethodSig{Name: op.Method, Args: len(op.Params), Outcomes: l.ops[i].outcomes})
		if err := l.add(m, i, o); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(wrong, "\n"))
	}
	return l, nil
}

// add adds the calls of an operation: all combinations of values.
func (l *List) add(m *maker, op int, o Options) error {
	params := m.program.Ops[op].Params
	fresh, has := o.Fresh[m.program.Ops[op].Method]
	if !has {
		fresh = -1
	}
	all := []combination{{}}
	for i := range params {
		n, err := m.values(&params[i], o.Values)
		if i == fresh {
			n, err = m.values(&params[i], o.Most)
			if n < o.Most && err == nil {
				err = fmt.Errorf("has %d different values, and %d calls need one each", n, o.Most)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: parameter %d %w", m.program.Ops[op].GoName, i+1, err)
		}
		var longer []combination
		for _, c := range all {
			for k := 1; k <= n; k++ {
				longer = append(longer, append(slices.Clip(c), k))
			}
		}
		if all = longer; len(all) > mostCalls {
			return fmt.Errorf("%s: its parameters have more than %d combinations of values: explore with fewer values", m.program.Ops[op].GoName, mostCalls)
		}
	}
	for _, c := range all {
		call := machine.Call{Op: op}
		label := history.Label{Kind: history.Kind{Method: m.program.Ops[op].Method}}
		for i, k := range c {
			number := k
			if params[i].Choices == nil {
				number = numbered(k, o.Values, i == fresh)
			}
			words, text := m.value(&params[i], number, 0)
			call.Args = append(call.Args, words...)
			label.Args = append(label.Args, history.Value(text))
			if i == fresh {
				call.Fresh = k
			}
		}
		l.Calls, l.Labels = append(l.Calls, call), append(l.Labels, label)
	}
	return nil
}

// numbered is the number of value k of so many: the last of several is the zero value, unless all are to differ from it.
func numbered(k, values int, fresh bool) int {
	if k == values && k > 1 && !fresh {
		return 0
	}
	return k
}

// combination is the number of each argument's value.
type combination []int

// Renamed is the list with other names for some methods.
func (l *List) Renamed(names map[string]string) *List {
	if len(names) == 0 {
		return l
	}
	own := *l
	own.Labels, own.Methods, own.Fresh = slices.Clone(l.Labels), slices.Clone(l.Methods), map[string]int{}
	for i := range own.Labels {
		own.Labels[i].Method = cmp.Or(names[l.Labels[i].Method], l.Labels[i].Method)
	}
	for i := range own.Methods {
		own.Methods[i].Name = cmp.Or(names[l.Methods[i].Name], l.Methods[i].Name)
	}
	for name, arg := range l.Fresh {
		own.Fresh[cmp.Or(names[name], name)] = arg
	}
	return &own
}

// operation is what an operation's results mean.
type operation struct {
	reading  driver.Reading
	results  []ir.Form
	outcomes []history.OutcomeSig
	named    []history.OutcomeSig // errors that the specification has names for
	structs  []values.Basic       // of the results, if the specification has fields of structs as values
}

// read tells which outcome the results of an operation belong to.
func read(p *ir.Program, op *ir.Operation) operation {
	kinds := make([]driver.ResultKind, len(op.Results))
	for i := range kinds {
		kinds[i] = kindOf(&op.Results[i], objectOf(p))
	}
	o := operation{reading: driver.ReadResults(kinds), results: op.Results}
	o.outcomes = o.answers()
	return o
}

// answers are the outcomes that results belong to.
func (o *operation) answers() (all []history.OutcomeSig) {
	for _, out := range o.reading.Outcomes() {
		all = append(all, history.OutcomeSig{Outcome: history.Outcome(out.Name), Rets: out.Rets})
	}
	return all
}

// As has the answers of method i, one of Methods, be those that a specification has, if they
// can be: with names for errors, and with what stands beside false and errors.
func (l *List) As(i int, sig *history.MethodSig) {
	if i >= len(l.ops) { // its methods are no program's
		return
	}
	o := &l.ops[i]
	o.named, o.structs = nil, nil
	for _, b := range sig.Structs {
		o.structs = append(o.structs, b.Unnamed())
	}
	o.outcomes = o.answers()
	for j := range o.outcomes {
		o.outcomes[j] = o.like(o.outcomes[j], sig)
	}
	all := slices.Clone(o.outcomes)
	if n := len(all) - 1; n >= 0 && all[n].Outcome == history.Error {
		plain := false
		for _, s := range sig.Outcomes {
			plain = plain || s.Outcome == history.Error
			if s.Error != "" {
				o.named = append(o.named, o.like(history.OutcomeSig{Outcome: s.Outcome, Error: s.Error}, sig))
			}
		}
		if !plain && len(o.named) > 0 {
			all = all[:n]
		}
		all = append(all, o.named...)
	}
	for j := range all {
		all[j].Rets = o.leaves(all[j].Rets)
	}
	l.Methods[i].Outcomes = all
}

// like has an outcome carry what stands beside it if a specification's does.
func (o *operation) like(out history.OutcomeSig, sig *history.MethodSig) history.OutcomeSig {
	i := slices.IndexFunc(sig.Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == out.Outcome })
	if i < 0 || out.Rets > 0 {
		return out
	}
	name := out.Outcome
	if out.Error != "" {
		name = history.Error
	}
	if out.Beside = sig.Outcomes[i].Beside; sig.Outcomes[i].Rets > 0 {
		out.Rets = o.reading.Beside(string(name))
	}
	return out
}

// Unnamed is the text of an error that an answer has and the specification has no name for; "" if
// there is none, or no errors have names.
func (l *List) Unnamed(r *machine.Result) string {
	o := &l.ops[r.Op]
	if r.Panic != "" || len(o.named) == 0 || l.outcome(r).Outcome != history.Error ||
		slices.ContainsFunc(l.Methods[r.Op].Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == history.Error }) {
		return ""
	}
	return errorText(r)
}

// NameErrors has errors of an operation be outcomes of their own, by their texts.
func (l *List) NameErrors(op int, texts []string) {
	sig := l.Methods[op]
	sig.Outcomes = slices.DeleteFunc(slices.Clone(sig.Outcomes), func(o history.OutcomeSig) bool { return o.Outcome == history.Error })
	var names []history.Outcome
	for _, text := range texts {
		name := wording.StrangeError(text, names)
		names = append(names, name)
		sig.Outcomes = append(sig.Outcomes, history.OutcomeSig{Outcome: name, Error: text})
	}
	l.As(op, &sig)
}

// objectOf is the name of the explored type, or "".
func objectOf(p *ir.Program) string {
	if len(p.NewResults) == 0 {
		return ""
	}
	f := &p.NewResults[0]
	if f.Of == ir.PointerTo && len(f.Parts) > 0 {
		f = &f.Parts[0]
	}
	return f.Name
}

func kindOf(f *ir.Form, object string) driver.ResultKind {
	switch {
	case isError(f):
		return driver.ErrorResult
	case f.Of == ir.InterfaceOf:
		return driver.InterfaceResult
	case f.Of == ir.Basic && f.Kind == ir.Bool:
		return driver.BoolResult
	case f.Of == ir.PointerTo && object != "" && len(f.Parts) > 0 && f.Parts[0].Name == object:
		return driver.ObjectResult
	case f.Of == ir.PointerTo:
		return driver.PointerResult
	case isBytes(f):
		return driver.BytesResult
	}
	return driver.OtherResult
}

func isBytes(f *ir.Form) bool {
	return f.Of == ir.SliceOf && len(f.Parts) == 1 && f.Parts[0].Of == ir.Basic && f.Parts[0].Kind == ir.U8
}

// Answer is the outcome and the values of results; see List.Whole.
func (l *List) Answer(r *machine.Result) (history.Outcome, []history.Value) {
	if r.Panic != "" {
		return history.Panic, nil
	}
	o := &l.ops[r.Op]
	out := l.outcome(r)
	n := out.Rets
	if drops := o.drops(r, out); l.Whole && drops >= 0 {
		n = drops + 1
	}
	var rets []history.Value
	for i := range n {
		rets = o.appendValues(rets, i, o.text(r, i))
	}
	return out.Outcome, rets
}

// leaves is how many values the first n results are; see history.MethodSig.Structs.
func (o *operation) leaves(n int) (count int) {
	for i := range n {
		if i < len(o.structs) {
			count += len(o.structs[i].Leaves())
		} else {
			count++
		}
	}
	return count
}

// appendValues appends result i, or its fields.
func (o *operation) appendValues(rets []history.Value, i int, text string) []history.Value {
	if i < len(o.structs) && o.structs[i].Splits() {
		leaves, ok := o.structs[i].Split(text)
		if !ok { // no value of the specification's type has this text
			leaves = slices.Repeat([]string{text}, len(o.structs[i].Leaves()))
		}
		for _, leaf := range leaves {
			rets = append(rets, history.Value(leaf))
		}
		return rets
	}
	return append(rets, history.Value(text))
}

func (l *List) outcome(r *machine.Result) history.OutcomeSig {
	o := &l.ops[r.Op]
	out := o.outcomes[o.reading.Classify(len(r.Values), func(i int) bool { return o.isNo(r, i) })]
	if out.Outcome == history.Error && len(o.named) > 0 {
		texts := textsOf(o.named)
		for _, text := range []string{errorText(r), innermost(r)} {
			if i := wording.FindError(text, texts); i >= 0 {
				return o.named[i]
			}
		}
	}
	return out
}

// isNo reports whether a result is nil, or false where it is a bool. A string may say either.
func (o *operation) isNo(r *machine.Result, i int) bool {
	if f := &o.results[i]; f.Of == ir.Basic {
		return f.Kind == ir.Bool && r.Values[i] == "false"
	}
	return r.Values[i] == "nil" && r.Texts>>i&1 == 0
}

func textsOf(named []history.OutcomeSig) (texts []string) {
	for _, o := range named {
		texts = append(texts, o.Error)
	}
	return texts
}

// drops is the last result beside an outcome that is not what it always is, zero for most, or -1.
func (o *operation) drops(r *machine.Result, out history.OutcomeSig) (last int) {
	last = -1
	name := out.Outcome
	if wording.IsError(string(name)) {
		name = history.Error
	}
	o.reading.Drops(&driver.Outcome{Name: string(name), Rets: out.Rets}, func(i int) bool {
		switch {
		case len(out.Beside) > i && o.text(r, i) == out.Beside[i]:
		case len(out.Beside) == 0 && (o.isNo(r, i) || o.results[i].Of != ir.InterfaceOf && r.Values[i] == zeroOf(&o.results[i], 0)):
		default:
			last = i
		}
		return true
	})
	return last
}

// Types begins the last value of Compared if that lists the types that interfaces hold: no text of a value does.
const Types = "\x00"

// Compared is an answer as it is compared with others; see List.Errors.
func (l *List) Compared(r *machine.Result) (history.Outcome, []history.Value) {
	outcome, rets := l.Answer(r)
	if l.Errors && outcome == history.Error {
		rets = append(rets, history.Value(r.Values[len(r.Values)-1]))
	}
	if l.Errors && r.Dynamics != "" {
		rets = append(rets, history.Value(Types+r.Dynamics))
	}
	return outcome, rets
}

// Beside says what of an answer is not compared with a specification that has outcomes
// alone: a result beside false or an error, or which error it is; "" and "" if nothing.
func (l *List) Beside(r *machine.Result) (result, err string) {
	if r.Panic != "" {
		return "", ""
	}
	out := l.outcome(r)
	if i := l.ops[r.Op].drops(r, out); i >= 0 {
		result = fmt.Sprintf("%s returned %s beside %s", l.Methods[r.Op].Name, r.Values[i], out.Outcome)
	}
	if out.Outcome == history.Error {
		err = r.Values[len(r.Values)-1]
	}
	return result, err
}

// zeroOf is the text of a form's zero value, within so many others.
func zeroOf(f *ir.Form, depth int) string {
	list := func(parts []ir.Form, n int, open, end string) string {
		var texts []string
		for i := range n {
			texts = append(texts, zeroOf(&parts[min(i, len(parts)-1)], depth+1))
		}
		return open + strings.Join(texts, " ") + end
	}
	switch f.Of {
	case ir.Basic:
		switch {
		case f.Kind == ir.Bool:
			return "false"
		case f.Kind == ir.Str && depth > 0:
			return `""`
		case f.Kind == ir.Str:
			return ""
		}
		return "0"
	case ir.StructOf:
		return list(f.Parts, len(f.Parts), "{", "}")
	case ir.ArrayOf:
		return list(f.Parts, f.Length, "[", "]")
	case ir.SliceOf:
		return "[]"
	case ir.MapOf:
		return "map[]"
	}
	return "nil"
}

// textOf is the text that logs have of a result: of what a pointer points to, and of
// bytes as a string.
func textOf(f *ir.Form, text string) string {
	switch {
	case f.Counts:
		return "ran:" + text
	case f.Of == ir.PointerTo && text != "nil":
		return textOf(&f.Parts[0], strings.TrimPrefix(text, "&"))
	case isBytes(f):
		return bytesOf(text)
	}
	return text
}
