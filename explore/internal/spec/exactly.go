package spec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// Exact is a call with the arguments that a log has.
type Exact struct {
	Op     int    // in Program.Ops
	Method string // in the log
	Args   []history.Value
}

// Exactly are these calls, and no others. The error says in a clause which one the program cannot
// make, and why.
func Exactly(p *ir.Program, all []Exact) (*List, error) {
	l := &List{Most: len(all)}
	m := &maker{program: p}
	for i := range p.Ops {
		op := &p.Ops[i]
		l.ops = append(l.ops, read(p, op))
		l.Methods = append(l.Methods, history.MethodSig{Name: op.Method, Args: len(op.Params), Outcomes: l.ops[i].outcomes})
	}
	for _, c := range all {
		if c.Op < 0 || c.Op >= len(p.Ops) {
			return nil, errors.New("there is no such operation")
		}
		op := &p.Ops[c.Op]
		call := machine.Call{Op: c.Op}
		if len(c.Args) != len(op.Params) {
			return nil, fmt.Errorf("%s takes another number of arguments", op.GoName)
		}
		for i, text := range c.Args {
			_, err := m.values(&op.Params[i], 1)
			var words []ir.Word
			if err == nil {
				words, err = m.read(&op.Params[i], string(text), 0)
			}
			if err != nil {
				return nil, fmt.Errorf("parameter %d of %s %w", i+1, op.GoName, err)
			}
			call.Args = append(call.Args, words...)
		}
		l.Calls = append(l.Calls, call)
		l.Labels = append(l.Labels, history.Label{Kind: history.Kind{Method: c.Method}, Args: c.Args})
	}
	return l, nil
}

// read is the words of a value that a log has, within so many others. The error goes on after the
// parameter's name.
func (m *maker) read(f *ir.Form, text string, depth int) ([]ir.Word, error) {
	wrong := func() ([]ir.Word, error) { return nil, fmt.Errorf("is %s, and %q is none", typeOf(f), text) }
	switch {
	case f.Choices != nil:
		k := slices.Index(f.Choices, text)
		if k < 0 {
			return nil, fmt.Errorf("is a function, and %q is none", text)
		}
		return []ir.Word{ir.Word(k)}, nil
	case f.Of == ir.Basic:
		w, ok := m.readBasic(f.Kind, text, depth)
		if !ok {
			return wrong()
		}
		return []ir.Word{w}, nil
	case f.Of == ir.InterfaceOf:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("is any, which is given numbers alone, and not %q", text)
		}
		return []ir.Word{m.intType(), ir.Word(n)}, nil
	case isBytes(f) && depth == 0:
		var elements []ir.Word
		for _, b := range []byte(text) {
			elements = append(elements, ir.Word(b))
		}
		return m.object(f, text, elements), nil
	}
	open, end := "[", "]"
	if f.Of == ir.StructOf {
		open, end = "{", "}"
	}
	inner, ok := strings.CutPrefix(text, open)
	if ok {
		inner, ok = strings.CutSuffix(inner, end)
	}
	parts := partsOf(inner)
	forms := f.Parts
	if f.Of == ir.SliceOf || f.Of == ir.ArrayOf {
		forms = slices.Repeat(f.Parts[:1], len(parts))
	}
	if !ok || len(parts) != len(forms) || f.Of == ir.ArrayOf && len(parts) != f.Length {
		return wrong()
	}
	var words []ir.Word
	for i := range forms {
		own, err := m.read(&forms[i], parts[i], depth+1)
		if err != nil {
			return wrong()
		}
		words = append(words, own...)
	}
	if f.Of == ir.SliceOf {
		return m.object(f, text, words), nil
	}
	if len(words) == 0 {
		words = []ir.Word{0}
	}
	return words, nil
}

// readBasic is the word of a number, bool or string.
func (m *maker) readBasic(kind ir.Num, text string, depth int) (ir.Word, bool) {
	switch kind {
	case ir.Bool:
		if text == "true" {
			return 1, true
		}
		return 0, text == "false"
	case ir.Str:
		if depth > 0 && strings.HasPrefix(text, `"`) {
			s, err := strconv.Unquote(text)
			return m.program.Strings.Number(s), err == nil
		}
		return m.program.Strings.Number(text), true
	case ir.F32:
		x, err := strconv.ParseFloat(text, 32)
		return ir.Word(math.Float32bits(float32(x))), err == nil
	case ir.F64:
		x, err := strconv.ParseFloat(text, 64)
		return math.Float64bits(x), err == nil
	case ir.U8, ir.U16, ir.U32, ir.U64:
		n, err := strconv.ParseUint(text, 10, bits[kind])
		return ir.Word(n), err == nil
	}
	n, err := strconv.ParseInt(text, 10, bits[kind])
	return ir.Word(n), err == nil && kind != ir.Opaque
}

var bits = map[ir.Num]int{ir.I8: 8, ir.I16: 16, ir.I32: 32, ir.I64: 64, ir.U8: 8, ir.U16: 16, ir.U32: 32, ir.U64: 64}

// partsOf splits what is between braces at blanks, but not within quotes and braces.
func partsOf(s string) (parts []string) {
	from, deep, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
		case c == '}' || c == ']':
			deep--
		case c == ' ' && deep == 0:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	if s == "" {
		return nil
	}
	return append(parts, s[from:])
}
