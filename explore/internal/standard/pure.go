package standard

import (
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// natives are functions of a package that are natives.
func natives(pkg string, all map[string]any) map[string]Function {
	list := map[string]Function{}
	for name, f := range all {
		list[pkg+"."+name] = pure(f)
	}
	return list
}

func mathematics() map[string]Function {
	return natives("math", map[string]any{
		"Abs": math.Abs, "Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh, "Atan": math.Atan, "Atan2": math.Atan2,
		"Atanh": math.Atanh, "Cbrt": math.Cbrt, "Ceil": math.Ceil, "Copysign": math.Copysign, "Cos": math.Cos, "Cosh": math.Cosh, "Dim": math.Dim,
		"Erf": math.Erf, "Erfc": math.Erfc, "Erfcinv": math.Erfcinv, "Erfinv": math.Erfinv, "Exp": math.Exp, "Exp2": math.Exp2, "Expm1": math.Expm1,
		"FMA": math.FMA, "Float32bits": math.Float32bits, "Float32frombits": math.Float32frombits, "Float64bits": math.Float64bits,
		"Float64frombits": math.Float64frombits, "Floor": math.Floor, "Frexp": math.Frexp, "Gamma": math.Gamma, "Hypot": math.Hypot, "Ilogb": math.Ilogb,
		"Inf": math.Inf, "IsInf": math.IsInf, "IsNaN": math.IsNaN, "J0": math.J0, "J1": math.J1, "Jn": math.Jn, "Ldexp": math.Ldexp, "Lgamma": math.Lgamma,
		"Log": math.Log, "Log10": math.Log10, "Log1p": math.Log1p, "Log2": math.Log2, "Logb": math.Logb, "Max": math.Max, "Min": math.Min, "Mod": math.Mod,
		"Modf": math.Modf, "NaN": math.NaN, "Nextafter": math.Nextafter, "Nextafter32": math.Nextafter32, "Pow": math.Pow, "Pow10": math.Pow10,
		"Remainder": math.Remainder, "Round": math.Round, "RoundToEven": math.RoundToEven, "Signbit": math.Signbit, "Sin": math.Sin, "Sincos": math.Sincos,
		"Sinh": math.Sinh, "Sqrt": math.Sqrt, "Tan": math.Tan, "Tanh": math.Tanh, "Trunc": math.Trunc, "Y0": math.Y0, "Y1": math.Y1, "Yn": math.Yn,
	})
}

func bitwise() map[string]Function {
	return natives("math/bits", map[string]any{
		"Add": bits.Add, "Add32": bits.Add32, "Add64": bits.Add64, "Div": bits.Div, "Div32": bits.Div32, "Div64": bits.Div64,
		"LeadingZeros": bits.LeadingZeros, "LeadingZeros16": bits.LeadingZeros16, "LeadingZeros32": bits.LeadingZeros32,
		"LeadingZeros64": bits.LeadingZeros64, "LeadingZeros8": bits.LeadingZeros8, "Len": bits.Len, "Len16": bits.Len16, "Len32": bits.Len32,
		"Len64": bits.Len64, "Len8": bits.Len8, "Mul": bits.Mul, "Mul32": bits.Mul32, "Mul64": bits.Mul64, "OnesCount": bits.OnesCount,
		"OnesCount16": bits.OnesCount16, "OnesCount32": bits.OnesCount32, "OnesCount64": bits.OnesCount64, "OnesCount8": bits.OnesCount8, "Rem": bits.Rem,
		"Rem32": bits.Rem32, "Rem64": bits.Rem64, "Reverse": bits.Reverse, "Reverse16": bits.Reverse16, "Reverse32": bits.Reverse32,
		"Reverse64": bits.Reverse64, "Reverse8": bits.Reverse8, "ReverseBytes": bits.ReverseBytes, "ReverseBytes16": bits.ReverseBytes16,
		"ReverseBytes32": bits.ReverseBytes32, "ReverseBytes64": bits.ReverseBytes64, "RotateLeft": bits.RotateLeft, "RotateLeft16": bits.RotateLeft16,
		"RotateLeft32": bits.RotateLeft32, "RotateLeft64": bits.RotateLeft64, "RotateLeft8": bits.RotateLeft8, "Sub": bits.Sub, "Sub32": bits.Sub32,
		"Sub64": bits.Sub64, "TrailingZeros": bits.TrailingZeros, "TrailingZeros16": bits.TrailingZeros16, "TrailingZeros32": bits.TrailingZeros32,
		"TrailingZeros64": bits.TrailingZeros64, "TrailingZeros8": bits.TrailingZeros8,
	})
}

func texts() map[string]Function {
	return natives("strings", map[string]any{
		"Compare": strings.Compare, "Contains": strings.Contains, "ContainsAny": strings.ContainsAny, "ContainsRune": strings.ContainsRune,
		"Count": strings.Count, "Cut": strings.Cut, "CutPrefix": strings.CutPrefix, "CutSuffix": strings.CutSuffix, "EqualFold": strings.EqualFold,
		"HasPrefix": strings.HasPrefix, "HasSuffix": strings.HasSuffix, "Index": strings.Index, "IndexAny": strings.IndexAny,
		"IndexByte": strings.IndexByte, "IndexRune": strings.IndexRune, "LastIndex": strings.LastIndex, "LastIndexAny": strings.LastIndexAny,
		"LastIndexByte": strings.LastIndexByte, "Repeat": strings.Repeat, "Replace": strings.Replace, "ReplaceAll": strings.ReplaceAll,
		"ToLower": strings.ToLower, "ToTitle": strings.ToTitle, "ToUpper": strings.ToUpper, "ToValidUTF8": strings.ToValidUTF8, "Trim": strings.Trim,
		"TrimLeft": strings.TrimLeft, "TrimPrefix": strings.TrimPrefix, "TrimRight": strings.TrimRight, "TrimSpace": strings.TrimSpace,
		"TrimSuffix": strings.TrimSuffix, "Clone": strings.Clone,
	})
}

func letters() map[string]Function {
	return natives("unicode", map[string]any{
		"IsControl": unicode.IsControl, "IsDigit": unicode.IsDigit, "IsGraphic": unicode.IsGraphic, "IsLetter": unicode.IsLetter,
		"IsLower": unicode.IsLower, "IsMark": unicode.IsMark, "IsNumber": unicode.IsNumber, "IsPrint": unicode.IsPrint, "IsPunct": unicode.IsPunct,
		"IsSpace": unicode.IsSpace, "IsSymbol": unicode.IsSymbol, "IsTitle": unicode.IsTitle, "IsUpper": unicode.IsUpper, "SimpleFold": unicode.SimpleFold,
		"To": unicode.To, "ToLower": unicode.ToLower, "ToTitle": unicode.ToTitle, "ToUpper": unicode.ToUpper,
	})
}

func encodings() map[string]Function {
	return natives("unicode/utf8", map[string]any{
		"DecodeLastRuneInString": utf8.DecodeLastRuneInString, "DecodeRuneInString": utf8.DecodeRuneInString, "FullRuneInString": utf8.FullRuneInString,
		"RuneCountInString": utf8.RuneCountInString, "RuneLen": utf8.RuneLen, "ValidRune": utf8.ValidRune, "ValidString": utf8.ValidString,
	})
}
