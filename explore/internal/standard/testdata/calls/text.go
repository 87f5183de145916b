// Package calls calls the standard library. Each method makes its calls from a seed, and
// answers what came out as a text.
package calls

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type Calls struct{ seed uint32 }

func New() *Calls { return &Calls{} }

// below is the next number below n.
func (c *Calls) below(n int) int {
	c.seed = c.seed*1664525 + 1013904223
	return int(c.seed>>8) % n
}

var pieces = []string{"", "a", "b", "ab", "Ab", " ", "é", "世", "\t", "x,y", "-7", "12", "0x1f", "true", "1e3", "%", "\xff", "zz"}

func (c *Calls) text() string {
	s := ""
	for range c.below(4) {
		s += pieces[c.below(len(pieces))]
	}
	return s
}

func (c *Calls) start(seed int) { c.seed = uint32(seed) }

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func (c *Calls) Strings(seed int) string {
	c.start(seed)
	s, t, u := c.text(), c.text(), c.text()
	out := []string{
		strings.ToUpper(s), strings.ToLower(s), strings.TrimSpace(s), strings.Trim(s, t), strings.Replace(s, t, u, c.below(3)), strings.Repeat(s, c.below(3)),
		strconv.Itoa(strings.Index(s, t)), strconv.Itoa(strings.Count(s, t)), strconv.Itoa(strings.LastIndex(s, t)), flag(strings.Contains(s, t)),
		flag(strings.EqualFold(s, t)), flag(strings.HasPrefix(s, t)), strconv.Itoa(strings.Compare(s, t)), strconv.Itoa(strings.IndexFunc(s, unicode.IsSpace)),
	}
	out = append(out, strings.Split(s, t)...)
	out = append(out, strings.SplitN(s, "", 2)...)
	out = append(out, strings.Fields(s+" "+t+" "+u)...)
	before, after, found := strings.Cut(s, t)
	out = append(out, before, after, flag(found), strings.Map(unicode.ToUpper, s))
	var b strings.Builder
	b.WriteString(s)
	b.WriteByte('-')
	b.WriteRune('世')
	fmt.Fprintf(&b, "%d", b.Len())
	r := strings.NewReader(t)
	for {
		x, n, err := r.ReadRune()
		if err != nil {
			break
		}
		out = append(out, strconv.Itoa(int(x)+n))
	}
	out = append(out, b.String(), strings.NewReplacer("a", "b", "b", "a").Replace(s))
	return strings.Join(out, "|")
}

func (c *Calls) Bytes(seed int) string {
	c.start(seed)
	s, t := []byte(c.text()), []byte(c.text())
	var b bytes.Buffer
	b.Write(s)
	b.WriteString("<>")
	b.Write(t)
	line, err := b.ReadString('<')
	out := append([]byte(line+flag(err != nil)), b.Bytes()...)
	out = append(out, bytes.ToUpper(s)...)
	out = append(out, bytes.TrimSpace(s)...)
	out = append(out, bytes.Join([][]byte{s, t, s}, []byte(","))...)
	out = strconv.AppendInt(out, int64(bytes.Index(s, t)), 10)
	out = strconv.AppendInt(out, int64(bytes.Compare(s, t)), 10)
	out = strconv.AppendInt(out, int64(bytes.Count(s, []byte("a"))), 10)
	out = utf8.AppendRune(out, '世')
	r, n := utf8.DecodeRune(s)
	out = strconv.AppendInt(out, int64(r)+int64(n)+int64(utf8.RuneCount(t)), 16)
	return string(out) + flag(bytes.Equal(s, t)) + flag(bytes.Contains(s, t)) + flag(utf8.Valid(s))
}

func (c *Calls) Conversions(seed int) string {
	c.start(seed)
	s := c.text()
	out := strconv.Quote(s)
	if n, err := strconv.Atoi(s); err != nil {
		out += err.Error() + flag(errors.Is(err, strconv.ErrSyntax))
	} else {
		out += strconv.FormatInt(int64(n), 2+c.below(30))
	}
	n, err := strconv.ParseInt(s, 0, 8)
	out += strconv.Itoa(int(n)) + flag(err == nil)
	if err != nil {
		out += err.Error() + flag(errors.Is(err, strconv.ErrRange))
	}
	f, err := strconv.ParseFloat(s, 64)
	out += strconv.FormatFloat(f, 'g', -1, 64) + flag(err == nil)
	b, err := strconv.ParseBool(s)
	u, err2 := strconv.Unquote(`"` + s + `"`)
	return out + flag(b) + flag(err == nil) + u + flag(err2 == nil)
}

type point struct{ x, y int }

func (p point) String() string { return "(" + strconv.Itoa(p.x) + ";" + strconv.Itoa(p.y) + ")" }

type level int8

var missing, extra = "%d %s", "%d"

var errBase = errors.New("base")

type failure struct{ code int }

func (f *failure) Error() string { return fmt.Sprintf("failure %d", f.code) }

type asCode int

func (c asCode) Error() string { return "code" }
func (c asCode) Code() int     { return int(c) }

func (c *Calls) Formats(seed int) string {
	c.start(seed)
	s, n := c.text(), c.below(1000)-500
	err := fmt.Errorf("at %q: %w", s, errBase)
	if n%2 == 0 {
		err = fmt.Errorf("two: %w, %w", errBase, &failure{n})
	}
	var f *failure
	var coded interface{ Code() int }
	found := fmt.Sprint(errors.As(err, &f), errors.As(err, &coded), errors.As(errors.Join(errBase, asCode(n)), &coded), errors.As(nil, &f))
	if f != nil {
		found += fmt.Sprint(f.code, coded.Code())
	}
	found += fmt.Sprintf("%T %T %T %T", level(1), &point{}, f, []level{})
	type pair struct {
		K     string
		p     point
		P     point
		inner []level
		any   any
	}
	found += fmt.Sprintf("%v %+v %v %d %s %v", pair{s, point{n, 1}, point{n, 2}, []level{3}, n}, pair{}, [2]point{}, [2]level{1, 2}, [2]byte{65, 66}, map[string]int{s + "k": 1, "x": n, "": 3})
	found += fmt.Sprint(map[point]bool{{1, 2}: true}, []error{errBase, nil}, (*int)(nil), []point(nil), map[int]int(nil))
	return found + fmt.Sprintf("%d|%5d|%-4d|%x|%s|%q|%v|%t|%c|%+d|%08.3f|%T|%v|%%|%U", n, n, n, n, s, s, n, n > 0, 'a'+n%20&15, n, float64(n)/8, s, level(n), 'é') +
		fmt.Sprint(n, s, n, n, point{n, 1}, err) + fmt.Sprintln(s, n, nil) + fmt.Sprintf(missing, n) + fmt.Sprintf(extra, n, s) +
		flag(errors.Is(err, errBase)) + flag(errors.Is(err, errors.ErrUnsupported)) + errors.Join(err, nil, errBase).Error() +
		fmt.Sprintf("%v %d %s %q %x", []int{n, 1}, []int{2}, []byte(s), []string{s, "x"}, []byte(s)) + fmt.Sprint([]any{n, s}, []byte("ab"))
}

func (c *Calls) Numbers(seed int) string {
	c.start(seed)
	n, m := uint64(c.below(1<<24))<<uint(c.below(40)), uint64(c.below(1<<20))+1
	hi, lo := bits.Mul64(n, m<<30)
	q, r := bits.Div64(hi%m, lo, m)
	sum, carry := bits.Add64(n<<20, ^m, 1)
	x := float64(n) / float64(m)
	frac, exp := math.Frexp(x)
	return fmt.Sprint(bits.Len64(n), bits.TrailingZeros32(uint32(m)), bits.OnesCount64(n), bits.LeadingZeros8(uint8(n)), bits.Reverse16(uint16(m)), bits.RotateLeft32(uint32(n), 5),
		hi, lo, q, r, sum, carry, math.Sqrt(x), math.Floor(x), math.Pow(x, 0.5), math.Abs(-x), frac, exp, math.Float64bits(x), math.MaxInt64, math.IsNaN(x), math.Inf(1),
		math.Max(x, 3), float32(x), math.Float32bits(float32(x)))
}
