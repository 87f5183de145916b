package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type numeric interface{ integer | float32 | float64 }

// compiled is what compiled Go says about a type of numbers.
type compiled struct {
	num    ir.Num
	random func(r *rand.Rand) ir.Word
	binary func(op ir.Op, a, b ir.Word) (ir.Word, string)
	shift  func(op ir.Op, a ir.Word, n int64) (ir.Word, string)
	unary  func(op ir.Op, a ir.Word) ir.Word
	to     map[ir.Num]func(a ir.Word) ir.Word
}

func word[T numeric](x T) ir.Word {
	switch x := any(x).(type) {
	case float64:
		return math.Float64bits(x)
	case float32:
		return ir.Word(math.Float32bits(x))
	}
	return ir.Word(int64(x))
}

func value[T numeric](w ir.Word) (x T) {
	switch p := any(&x).(type) {
	case *float64:
		*p = math.Float64frombits(w)
	case *float32:
		*p = math.Float32frombits(uint32(w))
	default:
		x = T(w)
	}
	return x
}

// panicking is what f panics with, or "".
func panicking(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func compare[T numeric](op ir.Op, a, b T) (ir.Word, bool) {
	switch op {
	case ir.Eq:
		return truth(a == b), true
	case ir.Ne:
		return truth(a != b), true
	case ir.Lt:
		return truth(a < b), true
	case ir.Le:
		return truth(a <= b), true
	}
	return 0, false
}

func arithmetic[T numeric](op ir.Op, a, b T) T {
	switch op {
	case ir.Add:
		return a + b
	case ir.Sub:
		return a - b
	case ir.Mul:
		return a * b
	}
	return a / b
}

func bitwise[T integer](op ir.Op, a, b T) T {
	switch op {
	case ir.Rem:
		return a % b
	case ir.And:
		return a & b
	case ir.Or:
		return a | b
	case ir.Xor:
		return a ^ b
	case ir.AndNot:
		return a &^ b
	}
	return arithmetic(op, a, b)
}

func conversions[T numeric]() map[ir.Num]func(ir.Word) ir.Word {
	return map[ir.Num]func(ir.Word) ir.Word{
		ir.I8:  func(a ir.Word) ir.Word { return word(int8(value[T](a))) },
		ir.I16: func(a ir.Word) ir.Word { return word(int16(value[T](a))) },
		ir.I32: func(a ir.Word) ir.Word { return word(int32(value[T](a))) },
		ir.I64: func(a ir.Word) ir.Word { return word(int64(value[T](a))) },
		ir.U8:  func(a ir.Word) ir.Word { return word(uint8(value[T](a))) },
		ir.U16: func(a ir.Word) ir.Word { return word(uint16(value[T](a))) },
		ir.U32: func(a ir.Word) ir.Word { return word(uint32(value[T](a))) },
		ir.U64: func(a ir.Word) ir.Word { return word(uint64(value[T](a))) },
		ir.F32: func(a ir.Word) ir.Word { return word(float32(value[T](a))) },
		ir.F64: func(a ir.Word) ir.Word { return word(float64(value[T](a))) },
	}
}

// compiledInteger also tells how random numbers are made: small, near the ends, or any.
func compiledInteger[T integer](num ir.Num) compiled {
	return compiled{num: num,
		random: func(r *rand.Rand) ir.Word {
			switch r.IntN(3) {
			case 0:
				return word(T(r.IntN(7) - 3))
			case 1:
				return word(T(uint64(1)<<r.IntN(65)) + T(r.IntN(5)) - 2)
			}
			return word(T(r.Uint64()))
		},
		binary: func(op ir.Op, a, b ir.Word) (w ir.Word, text string) {
			x, y := value[T](a), value[T](b)
			if w, ok := compare(op, x, y); ok {
				return w, ""
			}
			text = panicking(func() { w = word(bitwise(op, x, y)) })
			return w, text
		},
		shift: func(op ir.Op, a ir.Word, n int64) (w ir.Word, text string) {
			text = panicking(func() {
				if op == ir.Shl {
					w = word(value[T](a) << n)
				} else {
					w = word(value[T](a) >> n)
				}
			})
			return w, text
		},
		unary: func(op ir.Op, a ir.Word) ir.Word {
			if op == ir.Com {
				return word(^value[T](a))
			}
			return word(-value[T](a))
		},
		to: conversions[T](),
	}
}

func compiledFloat[T float32 | float64](num ir.Num) compiled {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1 << 24, 1<<24 + 1, math.MaxFloat32, math.SmallestNonzeroFloat32, 255, 256, 1 << 63}
	return compiled{num: num,
		random: func(r *rand.Rand) ir.Word {
			switch r.IntN(4) {
			case 0:
				return word(T(special[r.IntN(len(special))]))
			case 1:
				return word(T(r.IntN(9)-4) / 2)
			case 2:
				return word(T(r.NormFloat64() * math.Exp2(float64(r.IntN(130)-20))))
			}
			return word(T(math.Float64frombits(r.Uint64())))
		},
		binary: func(op ir.Op, a, b ir.Word) (ir.Word, string) {
			x, y := value[T](a), value[T](b)
			if w, ok := compare(op, x, y); ok {
				return w, ""
			}
			return word(arithmetic(op, x, y)), ""
		},
		unary: func(_ ir.Op, a ir.Word) ir.Word { return word(-value[T](a)) },
		to:    conversions[T](),
	}
}

func compiledNumbers() []compiled {
	return []compiled{
		compiledInteger[int8](ir.I8), compiledInteger[int16](ir.I16), compiledInteger[int32](ir.I32), compiledInteger[int64](ir.I64),
		compiledInteger[uint8](ir.U8), compiledInteger[uint16](ir.U16), compiledInteger[uint32](ir.U32), compiledInteger[uint64](ir.U64),
		compiledFloat[float32](ir.F32), compiledFloat[float64](ir.F64),
	}
}

func sameNumber(num ir.Num, a, b ir.Word) bool { // any NaN is as good as another
	nan := func(w ir.Word) bool {
		return num == ir.F64 && math.IsNaN(math.Float64frombits(w)) || num == ir.F32 && w>>32 == 0 && math.Float32frombits(uint32(w)) != math.Float32frombits(uint32(w))
	}
	return a == b || nan(a) && nan(b)
}

func TestNumbersAreGos(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	ops := []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Rem, ir.And, ir.Or, ir.Xor, ir.AndNot}
	texts := map[string]int{}
	for _, c := range compiledNumbers() {
		ops := ops
		if c.shift == nil {
			ops = ops[:8]
		}
		for range testsize.Samples(5_000) {
			a, b := c.random(r), c.random(r)
			for _, op := range ops {
				got, text := Binary(op, c.num, a, b)
				want, wantText := c.binary(op, a, b)
				texts[text]++
				result := c.num
				if op >= ir.Eq {
					result = ir.Bool
				}
				if text != wantText || text == "" && !sameNumber(result, got, want) {
					t.Fatalf("seed %d: operation %d of type %d, %x and %x: %x %q, compiled %x %q", seed, op, c.num, a, b, got, text, want, wantText)
				}
			}
			if got, want := Unary(ir.Neg, c.num, a), c.unary(ir.Neg, a); !sameNumber(c.num, got, want) {
				t.Fatalf("seed %d: negative %x of type %d: %x, compiled %x", seed, a, c.num, got, want)
			}
			for to, f := range c.to {
				if got, want := Convert(nil, to, c.num, a), f(a); !sameNumber(to, got, want) {
					t.Fatalf("seed %d: %x of type %d as %d: %x, compiled %x", seed, a, c.num, to, got, want)
				}
			}
		}
	}
	if texts[divideByZero] == 0 {
		t.Errorf("no division by zero among %v", texts)
	}
}

func TestShiftsAreGos(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	panics := 0
	for _, c := range compiledNumbers() {
		if c.shift == nil {
			continue
		}
		for range testsize.Samples(5_000) {
			a, n := c.random(r), int64(r.IntN(80)-3)
			if r.IntN(10) == 0 {
				n = int64(r.Uint64())
			}
			for _, op := range []ir.Op{ir.Shl, ir.Shr} {
				got, text := Shift(op, c.num, ir.I64, a, ir.Word(n))
				want, wantText := c.shift(op, a, n)
				if text != wantText || got != want {
					t.Fatalf("seed %d: operation %d of type %d, %x by %d: %x %q, compiled %x %q", seed, op, c.num, a, n, got, text, want, wantText)
				}
				if text != "" {
					panics++
					if got, text := Shift(op, c.num, ir.U64, a, ir.Word(n)); text != "" || op == ir.Shl && got != 0 {
						t.Fatalf("seed %d: by %d, unsigned: %x %q", seed, uint64(n), got, text)
					}
				}
			}
			if got, want := Unary(ir.Com, c.num, a), c.unary(ir.Com, a); got != want {
				t.Fatalf("seed %d: complement of %x of type %d: %x, compiled %x", seed, a, c.num, got, want)
			}
		}
	}
	if panics == 0 {
		t.Error("no shift by a negative number")
	}
}

func TestNotAndRunes(t *testing.T) {
	if Unary(ir.Not, ir.Bool, 0) != 1 || Unary(ir.Not, ir.Bool, 1) != 0 {
		t.Error("not")
	}
	strings := ir.NewStrings()
	for _, x := range []int64{'a', 'ä', 0x1F600, 0xD800, 0x10FFFF, 0x110000, -1, math.MaxInt64, math.MinInt64, 1 << 32, 1<<32 + 'a'} {
		want := "\uFFFD"
		if x == int64(rune(x)) {
			want = string(rune(x))
		}
		if got := strings.Text(Convert(strings, ir.Str, ir.I64, ir.Word(x))); got != want {
			t.Errorf("%d: %q, compiled %q", x, got, want)
		}
	}
}
