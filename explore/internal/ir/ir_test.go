package ir

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestNames wants a name for each operation, and one for each type of numbers.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for o := range numOps {
		if name := o.String(); name == "" || seen[name] {
			t.Errorf("operation %d is called %q", o, name)
		} else {
			seen[name] = true
		}
	}
	for n := I64; n <= Opaque; n++ {
		if n.String() == "" {
			t.Errorf("type of numbers %d has no name", n)
		}
	}
	if got := numOps.String(); got != fmt.Sprintf("op%d", numOps) {
		t.Error(got)
	}
}

// TestClasses wants each operation after the local ones to touch memory or to
// synchronize, but for those that make something new.
func TestClasses(t *testing.T) {
	for o := range numOps {
		want := Local
		switch {
		case o == MakeMap || o == MakeChan || o == Ghost:
		case o >= AtomicLoad:
			want = Sync
		case o >= Load:
			want = Plain
		}
		if o.Class() != want {
			t.Errorf("%s is of class %d, want %d", o, o.Class(), want)
		}
	}
}

// randomFunc is a function of random instructions, some of which jump.
func randomFunc(r *rand.Rand) *Func {
	f := &Func{Name: "f", Kinds: make([]Kind, 70), Defers: -1, Recovers: -1}
	n := 3 + r.IntN(12)
	reg := func(words int32) int32 {
		if r.IntN(6) == 0 {
			return -1 - r.Int32N(4)
		}
		return r.Int32N(int32(len(f.Kinds)) - words)
	}
	for range n {
		in := Instr{Op: Op(r.IntN(int(numOps))), Dst: r.Int32N(60), A: reg(8), B: reg(8), C: r.Int32N(60), N: r.Int32N(3), M: r.Int32N(2)}
		switch in.Op {
		case Jump, If:
			in.To, in.M = r.Int32N(int32(n)), r.Int32N(int32(n))
		case Call, CallClosure, CallMethod:
			in.Mode = Mode(r.IntN(3))
		case Index:
			in.M = 2 * in.N
		}
		for range 3 * r.IntN(2) {
			in.Args = append(in.Args, Arg{At: reg(3), N: r.Int32N(3)})
		}
		f.Code = append(f.Code, in)
	}
	f.Code = append(f.Code, Instr{Op: Return, Args: []Arg{{At: reg(2), N: 2}}})
	if r.IntN(3) == 0 {
		f.Recovers, f.Defers = r.Int32N(int32(len(f.Code))), 5
	}
	return f
}

// reads reports whether a value in a register matters at instruction i: whether
// control may go from there to one that reads it, by way of none that writes it.
func reads(f *Func, i int, register int32, been map[int]bool) bool {
	if been[i] {
		return false
	}
	been[i] = true
	in := &f.Code[i]
	hit := register == f.Defers
	in.Uses(func(reg, n int32) { hit = hit || reg <= register && register < reg+n })
	if hit {
		return true
	}
	if f.Recovers >= 0 && !slices.Contains([]Op{Jump, If, Return}, in.Op) && reads(f, int(f.Recovers), register, been) {
		return true
	}
	written := false
	in.Defs(func(reg, n int32) { written = written || reg <= register && register < reg+n })
	if written {
		return false
	}
	for _, j := range f.Next(i) {
		if reads(f, j, register, been) {
			return true
		}
	}
	return false
}

// TestLive compares Finish with a search for each register.
func TestLive(t *testing.T) {
	for seed := range uint64(testsize.Samples(500)) {
		f := randomFunc(rand.New(rand.NewPCG(seed, 7)))
		f.Finish()
		for i := range f.Code {
			var want []int32
			for r := range int32(len(f.Kinds)) {
				if reads(f, i, r, map[int]bool{}) {
					want = append(want, r)
				}
			}
			if !slices.Equal(f.Live[i], want) {
				t.Fatalf("seed %d, instruction %d: %v are live, want %v\n%+v", seed, i, f.Live[i], want, f.Code)
			}
		}
	}
}

// TestDynamic keeps an interface's type where its data is live.
func TestDynamic(t *testing.T) {
	f := &Func{Kinds: []Kind{Iface, Dynamic}, Defers: -1, Recovers: -1, Code: []Instr{{Op: Return, Args: []Arg{{At: 1, N: 1}}}}}
	f.Finish()
	if !slices.Equal(f.Live[0], []int32{0, 1}) {
		t.Error(f.Live[0])
	}
}

func TestStrings(t *testing.T) {
	s := NewStrings()
	a, b := s.Number("a"), s.NumberOf([]byte("b"))
	if s.Number("") != 0 || s.Number("a") != a || a == b || s.Text(b) != "b" {
		t.Error(a, b, s.Texts())
	}
	c := s.Clone()
	if c.Number("c"); c.Number("a") != a || len(s.Texts()) != len(c.Texts())-1 {
		t.Error(s.Texts(), c.Texts())
	}
	other := NewStrings()
	if err := other.Add(s.Texts()); err != nil || other.Number("b") != b {
		t.Error(err, other.Texts())
	}
}

// TestDraw draws a program.
func TestDraw(t *testing.T) {
	p := &Program{Strings: NewStrings(), Consts: []Word{7, 8}, Layouts: []*Layout{{Name: "node", Words: []Kind{Data}}}, Positions: make([]Position, 1),
		Globals: []Global{{Name: "g", Layout: 0, Count: 2, Init: []Word{1, 2}}},
		Funcs: []*Func{{Name: "f", Params: 1, Results: 1, Kinds: make([]Kind, 3), Defers: -1, Recovers: -1,
			Code: []Instr{{Op: Add, Dst: 1, A: 0, B: -1}, {Op: If, A: 1, To: 0, M: 2}, {Op: Return, Args: []Arg{{At: 1, N: 1}}}}}}}
	text := p.String()
	for _, want := range []string{"global 1 g: node x2 = [1 2]", "f", "add", "if", "return"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if a, b := Pointer(3, 4), Pointer(0, 0); Object(a) != 3 || Slot(a) != 4 || b != 0 {
		t.Error(a, b)
	}
}
