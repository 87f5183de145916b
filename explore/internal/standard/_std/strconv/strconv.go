// Package strconv is what strconv is to the explorer: what has no body is a native.
package strconv

import "errors"

const IntSize = 64

var (
	ErrRange  = errors.New("value out of range")
	ErrSyntax = errors.New("invalid syntax")
)

type NumError struct {
	Func string
	Num  string
	Err  error
}

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}

func (e *NumError) Unwrap() error { return e.Err }

func parseInt(s string, base, bitSize int) (int64, int)
func parseUint(s string, base, bitSize int) (uint64, int)
func parseFloat(s string, bitSize int) (float64, int)
func unquote(s string) (string, int)
func quotedPrefix(s string) (string, int)
func unquoteChar(s string, quote byte) (value rune, multibyte bool, tail string, failure int)

// fail is the error of a failure.
func fail(name, s string, base, bitSize, failure int) error {
	var err error
	switch failure {
	case 0:
		return nil
	case 1:
		err = ErrSyntax
	case 2:
		err = ErrRange
	case 3:
		err = errors.New("invalid base " + Itoa(base))
	default:
		err = errors.New("invalid bit size " + Itoa(bitSize))
	}
	return &NumError{name, s, err}
}

func ParseInt(s string, base int, bitSize int) (i int64, err error) {
	n, f := parseInt(s, base, bitSize)
	return n, fail("ParseInt", s, base, bitSize, f)
}

func ParseUint(s string, base int, bitSize int) (uint64, error) {
	n, f := parseUint(s, base, bitSize)
	return n, fail("ParseUint", s, base, bitSize, f)
}

func ParseFloat(s string, bitSize int) (float64, error) {
	x, f := parseFloat(s, bitSize)
	return x, fail("ParseFloat", s, 10, bitSize, f)
}

func Atoi(s string) (int, error) {
	n, f := parseInt(s, 10, 0)
	return int(n), fail("Atoi", s, 10, 0, f)
}

func ParseBool(str string) (bool, error) {
	switch str {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, fail("ParseBool", str, 0, 0, 1)
}

func ParseComplex(s string, bitSize int) (complex128, error)
func FormatComplex(c complex128, fmt byte, prec, bitSize int) string

func syntax(failure int) error {
	if failure != 0 {
		return ErrSyntax
	}
	return nil
}

func Unquote(s string) (string, error) {
	t, f := unquote(s)
	return t, syntax(f)
}

func QuotedPrefix(s string) (string, error) {
	t, f := quotedPrefix(s)
	return t, syntax(f)
}

func UnquoteChar(s string, quote byte) (value rune, multibyte bool, tail string, err error) {
	value, multibyte, tail, f := unquoteChar(s, quote)
	return value, multibyte, tail, syntax(f)
}

func Itoa(i int) string { return FormatInt(int64(i), 10) }

func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func FormatInt(i int64, base int) string
func FormatUint(i uint64, base int) string
func FormatFloat(f float64, fmt byte, prec, bitSize int) string
func Quote(s string) string
func QuoteToASCII(s string) string
func QuoteToGraphic(s string) string
func QuoteRune(r rune) string
func QuoteRuneToASCII(r rune) string
func QuoteRuneToGraphic(r rune) string
func CanBackquote(s string) bool
func IsPrint(r rune) bool
func IsGraphic(r rune) bool

func AppendBool(dst []byte, b bool) []byte             { return append(dst, FormatBool(b)...) }
func AppendInt(dst []byte, i int64, base int) []byte   { return append(dst, FormatInt(i, base)...) }
func AppendUint(dst []byte, i uint64, base int) []byte { return append(dst, FormatUint(i, base)...) }
func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte {
	return append(dst, FormatFloat(f, fmt, prec, bitSize)...)
}
func AppendQuote(dst []byte, s string) []byte          { return append(dst, Quote(s)...) }
func AppendQuoteToASCII(dst []byte, s string) []byte   { return append(dst, QuoteToASCII(s)...) }
func AppendQuoteToGraphic(dst []byte, s string) []byte { return append(dst, QuoteToGraphic(s)...) }
func AppendQuoteRune(dst []byte, r rune) []byte        { return append(dst, QuoteRune(r)...) }
func AppendQuoteRuneToASCII(dst []byte, r rune) []byte {
	return append(dst, QuoteRuneToASCII(r)...)
}
func AppendQuoteRuneToGraphic(dst []byte, r rune) []byte {
	return append(dst, QuoteRuneToGraphic(r)...)
}
