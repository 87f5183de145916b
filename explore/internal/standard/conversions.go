package standard

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"fmt"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// conversions are the functions of strconv; those that can fail answer a code, from which the
// replaced package makes an error.
func conversions() map[string]Function {
	return natives("strconv", map[string]any{
		"FormatInt": strconv.FormatInt, "FormatUint": strconv.FormatUint, "FormatFloat": strconv.FormatFloat,
		"Quote": strconv.Quote, "QuoteToASCII": strconv.QuoteToASCII, "QuoteToGraphic": strconv.QuoteToGraphic,
		"QuoteRune": strconv.QuoteRune, "QuoteRuneToASCII": strconv.QuoteRuneToASCII, "QuoteRuneToGraphic": strconv.QuoteRuneToGraphic,
		"CanBackquote": strconv.CanBackquote, "IsPrint": strconv.IsPrint, "IsGraphic": strconv.IsGraphic,
		"parseInt": func(s string, base, bitSize int) (int64, int) {
			n, err := strconv.ParseInt(s, base, bitSize)
			return n, failure(err)
		},
		"parseUint": func(s string, base, bitSize int) (uint64, int) {
			n, err := strconv.ParseUint(s, base, bitSize)
			return n, failure(err)
		},
		"parseFloat": func(s string, bitSize int) (float64, int) {
			f, err := strconv.ParseFloat(s, bitSize)
			return f, failure(err)
		},
		"unquote": func(s string) (string, int) {
			t, err := strconv.Unquote(s)
			return t, failure(err)
		},
		"quotedPrefix": func(s string) (string, int) {
			t, err := strconv.QuotedPrefix(s)
			return t, failure(err)
		},
		"unquoteChar": func(s string, quote byte) (rune, bool, string, int) {
			r, multibyte, tail, err := strconv.UnquoteChar(s, quote)
			return r, multibyte, tail, failure(err)
		},
	})
}

// failure numbers the errors of strconv.
func failure(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, strconv.ErrSyntax):
		return 1
	case errors.Is(err, strconv.ErrRange):
		return 2
	case strings.Contains(err.Error(), "invalid base"):
		return 3
	}
	return 4 // invalid bit size
}

// formats are natives of package fmt.
func formats() map[string]Function {
	all := natives("fmt", map[string]any{"split": split})
	all["fmt.format"] = Function{Native: format, Note: "package fmt prints pointers as the name of their type"}
	all["fmt.parts"] = Function{Parts: true}
	all["fmt.isString"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		f := p.Types[args[0]].Form
		rets[0] = truth(args[0] != 0 && f.Of == ir.Basic && f.Kind == ir.Str)
		return ""
	}}
	all["fmt.shape"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		rets[0] = ir.Word(map[ir.FormOf]int{ir.StructOf: 1, ir.ArrayOf: 2, ir.SliceOf: 2, ir.MapOf: 3}[p.Types[args[0]].Form.Of])
		return ""
	}}
	all["fmt.isBytes"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		f := p.Types[args[0]].Form
		rets[0] = truth((f.Of == ir.ArrayOf || f.Of == ir.SliceOf) && f.Parts[0].Of == ir.Basic && f.Parts[0].Kind == ir.U8)
		return ""
	}}
	all["fmt.field"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		rets[0] = p.Strings.Number(p.Types[args[0]].Form.Names[args[2]])
		return ""
	}}
	all["fmt.less"] = Function{Native: func(p *ir.Program, args, rets []ir.Word) string {
		a, okA := basic(p, args[0], args[1])
		b, okB := basic(p, args[2], args[3])
		rets[0] = truth(okA && okB && args[0] == args[2] && less(a, b))
		return ""
	}}
	for name, f := range each(Function{Note: "what fmt prints to the terminal is dropped"}, "fmt", "Print", "Printf", "Println") {
		all[name] = f
	}
	for name, f := range each(Function{Refused: "reads text by reflection; strconv can be explored"}, "fmt",
		"Scan", "Scanf", "Scanln", "Sscan", "Sscanf", "Sscanln", "Fscan", "Fscanf", "Fscanln", "FormatString") {
		all[name] = f
	}
	return all
}

// split takes apart a format from byte at on: text, the next verb ("" at the end, "%" for a
// percent sign), and where to go on.
func split(format string, at int) (text, verb string, next int) {
	rest := format[at:]
	i := strings.IndexByte(rest, '%')
	if i < 0 {
		return rest, "", len(format)
	}
	text, rest = rest[:i], rest[i:]
	end := 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], "+-# 0123456789.*[]"))
	if end == len(rest) {
		return text, "!", len(format)
	}
	_, n := utf8.DecodeRuneInString(rest[end:])
	verb = rest[:end+n]
	if rest[end] == '%' {
		verb = "%"
	}
	return text, verb, at + i + end + n
}

// format is a value as a verb prints it, exactly if it is basic.
func format(p *ir.Program, args, rets []ir.Word) string {
	verb, typ := p.Strings.Text(args[0]), args[1]
	text := ""
	v, ok := basic(p, typ, args[2])
	switch name := p.Types[typ].Name; {
	case typ == 0:
		text = fmt.Sprintf(verb, nil)
	case strings.HasSuffix(verb, "T"):
		text = fmt.Sprintf(verb[:len(verb)-1]+"s", p.Types[typ].GoName)
	case ok:
		text = fmt.Sprintf(verb, v.Interface())
	case args[2] == 0 && strings.HasSuffix(verb, "v"):
		text = fmt.Sprintf(verb, nil)
	default:
		text = "<" + name + ">"
	}
	rets[0] = p.Strings.Number(text)
	return ""
}

// less orders the keys of maps, as fmt does.
func less(a, b reflect.Value) bool {
	switch {
	case a.Kind() == reflect.String:
		return a.String() < b.String()
	case a.Kind() == reflect.Bool:
		return !a.Bool() && b.Bool()
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	}
	return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
}
