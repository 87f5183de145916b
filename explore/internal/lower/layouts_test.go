package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// TestLayouts looks at the words of types, the forms of parameters, and what operations
// say of themselves.
func TestLayouts(t *testing.T) {
	p, refusals := Compile(loadText(t, `package p

import (
	"sync"
	"sync/atomic"
)

type key struct {
	lo, hi int8
	_      [7]byte
}

type node struct {
	mu   sync.Mutex
	key  key
	next atomic.Pointer[node]
	vals [2]any
	list []float32
	done atomic.Bool
	text string
}

func New() *node { return &node{} }

// Put puts.
func Put(n *node, k key, m map[string]key, l []int, f func(), c chan bool) (ok bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.key = k
	n.next.Store(&node{text: "x"})
	n.vals[l[0]] = m
	return n.done.Load(), nil
}
`))
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	i := slices.IndexFunc(p.Layouts, func(l *ir.Layout) bool { return l.Name == "node" })
	if i < 0 {
		t.Fatal("no layout of node")
	}
	l := p.Layouts[i]
	var words []string
	for i, k := range l.Words {
		words = append(words, fmt.Sprint(l.Fields[i], " ", [...]string{"data", "ptr", "iface", "dynamic"}[k], " ", l.Nums[i]))
	}
	want := `mu data u64, key.lo data i8, key.hi data i8, next ptr opaque, vals[0] iface opaque, vals[0] dynamic opaque, vals[1] iface opaque, vals[1] dynamic opaque, list ptr opaque, list.len data i64, list.cap data i64, done data bool, text data str`
	if got := strings.Join(words, ", "); got != want {
		t.Errorf("node is\n%s\nwant\n%s", got, want)
	}
	op := p.Ops[0]
	var forms []string
	for _, f := range append(op.Params, op.Results...) {
		forms = append(forms, formText(p, f))
	}
	want = "*node{mu:Mutex key:key{lo:i8 hi:i8} next:Pointer vals:[2]iface list:[]f32 done:Bool text:str}, key{lo:i8 hi:i8}, map(str key{lo:i8 hi:i8}), []i64, func, chan, bool, error"
	if got := strings.Join(forms, ", "); got != want {
		t.Errorf("forms are\n%s\nwant\n%s", got, want)
	}
	if op.Doc != "Put puts." {
		t.Errorf("the comment is %q", op.Doc)
	}
	for _, f := range p.Funcs {
		for i := range f.Code {
			if pos := p.Positions[f.Code[i].Pos]; f.Name == "Put" && pos.File != "p.go" {
				t.Errorf("instruction %d of Put is at %v", i, pos)
			}
		}
	}
}

// formText draws a form; of types of packages it has the name alone.
func formText(p *ir.Program, f ir.Form) string {
	if strings.Contains(f.Name, ".") {
		name, _, _ := strings.Cut(f.Name[strings.LastIndex(f.Name, ".")+1:], "[")
		if i := strings.Index(f.Name, "["); i > 0 {
			name = f.Name[strings.LastIndex(f.Name[:i], ".")+1 : i]
		}
		return name
	}
	var parts []string
	for i, part := range f.Parts {
		text := formText(p, part)
		if f.Of == ir.StructOf {
			text = f.Names[i] + ":" + text
		}
		parts = append(parts, text)
	}
	all := strings.Join(parts, " ")
	switch f.Of {
	case ir.Basic:
		return f.Kind.String()
	case ir.StructOf:
		return f.Name + "{" + all + "}"
	case ir.ArrayOf:
		return fmt.Sprintf("[%d]%s", f.Length, all)
	case ir.SliceOf:
		return "[]" + all
	case ir.MapOf:
		return "map(" + all + ")"
	case ir.PointerTo:
		if l := p.Layouts[f.Layout].Name; l != f.Parts[0].Name {
			return "layout of " + l
		}
		return "*" + all
	case ir.InterfaceOf:
		if f.Name != "" {
			return f.Name
		}
		return "iface"
	case ir.FuncOf:
		return "func"
	}
	return "chan"
}

// TestDraw draws a small program.
func TestDraw(t *testing.T) {
	p, _ := Compile(loadText(t, `package p

func New() *int { return new(int) }

func Sum(l []int) (n int) {
	for _, v := range l {
		if v > 3 {
			n += v
		}
	}
	return
}

var total = 5
func Total() int { return total }
`))
	text := p.String()
	for _, line := range []string{"global 1 total: int", "func 1 Sum(3) 1,", "lt 3 r", "= load r", "store 4294967296 5"} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is missing in\n%s", line, text)
		}
	}
}
