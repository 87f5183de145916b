package table

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// moment is a time as a table has it, exactly: whole + part / 10^18, in the unit of the table or, of a date, in seconds.
type moment struct {
	whole int64
	part  int64
	date  bool
}

// mostPlaces is how many decimal places a time may have.
const mostPlaces = 18

func (m moment) compare(n moment) int {
	return cmp.Or(cmp.Compare(m.whole, n.whole), cmp.Compare(m.part, n.part))
}

// momentOf reads a time: 12, -12.5 or 2006-01-02T15:04:05.999999999Z.
func momentOf(text string) (moment, error) {
	if len(text) > 10 && text[4] == '-' && text[7] == '-' {
		t, err := time.Parse(time.RFC3339Nano, text[:10]+"T"+text[11:])
		if err != nil || text[10] != 'T' && text[10] != 't' && text[10] != ' ' {
			return moment{}, fmt.Errorf("%s is no time as in RFC 3339, such as 2006-01-02T15:04:05.25Z", shorten(text))
		}
		return moment{t.Unix(), int64(t.Nanosecond()) * 1e9, true}, nil
	}
	digits, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if digits == "" || !isDigits(digits) || point && (fraction == "" || !isDigits(fraction)) {
		return moment{}, fmt.Errorf("%s is no time; want a number, such as 12 or 12.5, or one as in RFC 3339", shorten(text))
	}
	fraction = strings.TrimRight(fraction, "0")
	whole, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(fraction) > mostPlaces {
		return moment{}, fmt.Errorf("%s is too large for a time, or has more than %d decimal places", shorten(text), mostPlaces)
	}
	part, _ := strconv.ParseInt(fraction+strings.Repeat("0", mostPlaces-len(fraction)), 10, 64)
	if text[0] == '-' {
		if whole = -whole; part > 0 {
			whole, part = whole-1, 1e18-part
		}
	}
	return moment{whole, part, false}, nil
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// shorten is a text for a message.
func shorten(text string) string {
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "..."
	}
	return strconv.Quote(text)
}

// nanoseconds is a time in nanoseconds, rounded down, of which a unit has so many; false if it has more than 64 bits.
func (m moment) nanoseconds(unit int64) (int64, bool) {
	n := new(big.Int).Mul(big.NewInt(m.whole), big.NewInt(unit))
	part := new(big.Int).Mul(big.NewInt(m.part), big.NewInt(unit))
	n.Add(n, part.Div(part, big.NewInt(1e18)))
	return n.Int64(), n.IsInt64()
}

// units are those of times, in nanoseconds.
var units = map[string]int64{"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
