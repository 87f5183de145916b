package foreign

import (
	"math/big"
	"strconv"
	"strings"
)

// atom is the value of a token, a string or a character.
func atom(text string) value {
	switch c := text[0]; {
	case c == '"':
		return value{kind: scalar, text: unquote(text)}
	case c == ':':
		return value{kind: word, text: text[1:]}
	case c == '\\':
		name := text[1:]
		if c := characterOf(name); c != "" {
			name = c
		}
		return value{kind: scalar, text: name}
	case text == "nil":
		return value{kind: null, text: text}
	case text == "true", text == "false":
		return value{kind: boolean, text: text}
	case isInteger(text):
		return value{kind: scalar, text: plainInteger(text)}
	case radixInteger(text) != "":
		return value{kind: scalar, text: radixInteger(text)}
	case isNumber(text):
		return value{kind: scalar, text: text}
	}
	return value{kind: word, text: text}
}

// unquote is the text in a string.
func unquote(text string) string {
	text = text[1 : len(text)-1]
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			i++
			continue
		}
		n := escapeAt(text[i:])
		b.WriteString(escaped(text[i+1 : i+n]))
		i += n
	}
	return b.String()
}

func escaped(name string) string {
	switch name[0] {
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case 'n':
		return "\n"
	case 'b':
		return "\b"
	case 'f':
		return "\f"
	case 'u':
		return characterOf(name)
	}
	return name
}

// isInteger reports whether a token is an integer, which may have a sign and an N. With a 0 in front it is octal, as Clojure
// has it.
func isInteger(text string) bool {
	text = strings.TrimSuffix(unsigned(text), "N")
	if len(text) > 1 && text[0] == '0' && strings.ContainsAny(text, "89") {
		return false
	}
	return text != "" && digits(text) == len(text)
}

// plainInteger is an integer in decimal, without + and N.
func plainInteger(text string) string {
	text = strings.TrimPrefix(strings.TrimSuffix(text, "N"), "+")
	if text == "-0" {
		return "0"
	}
	if bare := unsigned(text); len(bare) > 1 && bare[0] == '0' {
		n, _ := new(big.Int).SetString(text, 8)
		return n.String()
	}
	return text
}

func integerOf(text string) (int64, bool) {
	if n := int64(0); len(text) < 19 && text[0] != '0' { // quickly
		for i := 0; text[i] >= '0' && text[i] <= '9'; {
			n = 10*n + int64(text[i]-'0')
			if i++; i == len(text) {
				return n, true
			}
		}
	}
	if !isInteger(text) {
		return 0, false
	}
	n, err := strconv.ParseInt(plainInteger(text), 10, 64)
	return n, err == nil
}

// radixInteger is an integer of Clojure in another base, such as 0x1F or 36rZ, in decimal; "" if it is none.
func radixInteger(text string) string {
	sign, digits := "", unsigned(text)
	if text != "" && text[0] == '-' {
		sign = "-"
	}
	base := 16
	if rest, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits = strings.TrimSuffix(rest, "n")
	} else if radix, rest, ok := strings.Cut(digits, "r"); ok {
		digits = rest
		var err error
		if base, err = strconv.Atoi(radix); err != nil || base < 2 || base > 36 {
			return ""
		}
	} else {
		return ""
	}
	n, ok := new(big.Int).SetString(sign+digits, base)
	if !ok || digits == "" || unsigned(digits) != digits || strings.Contains(digits, "_") {
		return ""
	}
	return n.String()
}

// isNumber reports whether a token is a number of EDN: an integer, also in another base, a ratio, or one with
// a fraction or exponent, which may end in M.
func isNumber(text string) bool {
	if isInteger(text) || radixInteger(text) != "" {
		return true
	}
	text = unsigned(text)
	n := digits(text)
	if n == 0 || n == len(text) {
		return false
	}
	rest := text[n:]
	if below, ratio := strings.CutPrefix(rest, "/"); ratio {
		return below != "" && digits(below) == len(below)
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = fraction[digits(fraction):]
	}
	if rest != "" && rest[0]|0x20 == 'e' {
		exponent := unsigned(rest[1:])
		n := digits(exponent)
		if n == 0 {
			return false
		}
		rest = exponent[n:]
	}
	return rest == "" || rest == "M"
}

func unsigned(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

// digits is how many digits a text begins with.
func digits(text string) int {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return i
		}
	}
	return len(text)
}

// isCanonical reports whether the text of a vector is surely canonical.
func isCanonical(text string) bool {
	if text[0] != '[' {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == 'x' || c == 'r', c >= '0' && c <= '9':
			if p := text[i-1]; c > '9' && p >= '0' && p <= '9' || p == '0' && c <= '9' {
				return false // perhaps a number in another base
			}
		case c >= 'a' && c <= 'z', c == ':', c == '_', c == '[':
		case c == '-':
			if text[i+1] == '0' {
				return false
			}
		case c == ' ':
			if p, n := text[i-1], text[i+1]; p == '[' || p == ' ' || n == ']' {
				return false
			}
		case c == ']':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != ']' {
				return false
			}
		default:
			return false
		}
		if i > 0 && text[i] == '[' && text[i-1] != ' ' && text[i-1] != '[' {
			return false
		}
	}
	return true
}
