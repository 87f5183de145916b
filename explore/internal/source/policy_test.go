package source

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// write writes a policy as the cases have it.
func (p *Policy) write(w io.Writer, pkg *Package) {
	fmt.Fprintf(w, "states %v, messages %v, guesses %v\n", p.States, p.Messages, p.Guesses)
	for _, r := range p.Rules {
		state := "any"
		if r.State >= 0 {
			state = p.States[r.State]
		}
		fmt.Fprintf(w, "rule of %s in %s, %s, after %v, line %d: %s\n", pkg.Ops[r.Op].Method, state, p.Messages[r.Message], r.After, pkg.Prog.Fset.Position(r.Pos).Line, r.If.Signature.Params())
		fmt.Fprintf(w, "\t%s\n", strings.Join(p.calls(r.Do), "; "))
	}
	for _, i := range p.Invariants {
		fmt.Fprintf(w, "invariant %s, line %d: %s\n", i.Text, pkg.Prog.Fset.Position(i.Pos).Line, i.Func.Signature.Params())
	}
	for _, x := range p.Lint {
		fmt.Fprintf(w, "lint: %s\n", x)
	}
}

// calls are the calls of ghosts in a function, block by block.
func (p *Policy) calls(fn *ssa.Function) (all []string) {
	Build(fn)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			callee := call.Call.StaticCallee()
			if o := callee.Origin(); o != nil {
				callee = o
			}
			if _, ok := p.Ghosts[callee]; ok {
				var args []string
				for _, x := range call.Call.Args {
					args = append(args, x.Name())
				}
				all = append(all, strings.TrimPrefix(callee.Name(), "adtinfer")+"("+strings.Join(args, ", ")+")")
			}
		}
	}
	return all
}

// policed are packages with policies.
var policed = []Options{
	{Dir: "../../../examples/verified/lazy"},
	{Dir: "../../../examples/treiber", Type: "Stack"},
	{Dir: "../../testdata/policies/generic"},
	{Dir: "../../testdata/policies/generic", Type: "Stack[string]"},
	{Dir: "../../testdata/policies/places"},
}

func loadWith(t *testing.T, o Options, policy bool) *Package {
	t.Helper()
	o.Policy = policy
	p, err := Load(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPositions compares all nodes of the changed files, but for our statements, with those of
// the files as they are.
func TestPositions(t *testing.T) {
	for _, o := range policed {
		l, err := open(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		ch, err := l.choose()
		if err != nil {
			t.Fatal(err)
		}
		w, err := l.wrap(ch)
		if err != nil {
			t.Fatal(err)
		}
		original := l.files
		g, err := l.policy(ch, w.file)
		if err != nil {
			t.Fatal(err)
		}
		changes := 0
		for i, f := range original {
			if l.files[i] != f {
				changes++
			}
			want, n := nodes(l, f, g.prefix)
			got, ours := nodes(l, l.files[i], g.prefix)
			if n > 0 || (ours == 0) != (l.files[i] == f) {
				t.Errorf("%s: %d statements are ours, %d after the change", o.Dir, n, ours)
			}
			for j := range want {
				if j >= len(got) || got[j] != want[j] {
					t.Fatalf("%s: %s became %s", o.Dir, want[j], got[min(j, len(got)-1)])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d nodes became %d", o.Dir, len(want), len(got))
			}
		}
		if changes == 0 {
			t.Error(o.Dir, "has no directives")
		}
	}
}

// nodes lists the nodes of a file with their positions, without statements that have our names, which are counted.
func nodes(l *loader, f *ast.File, prefix string) (all []string, ours int) {
	strip := func(list []ast.Stmt) []ast.Stmt {
		return slices.DeleteFunc(slices.Clone(list), func(s ast.Stmt) bool {
			var x ast.Node
			switch s := s.(type) {
			case *ast.EmptyStmt:
				return true
			case *ast.IfStmt:
				x = s.Cond
			case *ast.ExprStmt:
				x = s
			default:
				return false
			}
			is := false
			ast.Inspect(x, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				is = is || ok && strings.HasPrefix(id.Name, prefix)
				_, lit := n.(*ast.FuncLit)
				return !lit
			})
			if is {
				ours++
			}
			return is
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.BlockStmt:
			x.List = strip(x.List)
		case *ast.CaseClause:
			x.Body = strip(x.Body)
		case *ast.CommClause:
			x.Body = strip(x.Body)
		}
		s := fmt.Sprintf("%T %v %v", n, l.fset.Position(n.Pos()), l.fset.Position(n.End()))
		if id, ok := n.(*ast.Ident); ok {
			s += " " + id.Name
		}
		all = append(all, s)
		return true
	})
	return all, ours
}

// TestGatesOfPolicies puts gates before calls: the texts are the user's own, with and without a policy.
func TestGatesOfPolicies(t *testing.T) {
	for _, o := range policed {
		with, without := loadWith(t, o, true), loadWith(t, o, false)
		at := map[Problem]int{}
		for _, f := range without.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					p := without.fset.Position(call.Lparen)
					at[Problem{File: relative(without.Root, p.Filename), Line: p.Line, Col: p.Column}] = len(at)
				}
				return true
			})
		}
		got, want := with.Gate("gate", "deferred", at), without.Gate("gate", "deferred", at)
		if len(want.Files) == 0 {
			t.Errorf("%s: no gates", o.Dir)
		}
		for name, text := range want.Files {
			if got.Files[name] != text {
				t.Errorf("%s: with a policy\n%s", name, got.Files[name])
			}
		}
	}
}

// TestWithoutPolicy builds packages whose directives are comments, and with other comments in their place: the code is
// the same.
func TestWithoutPolicy(t *testing.T) {
	for _, o := range policed {
		p := loadWith(t, o, false)
		if p.Policy != nil {
			t.Error(o.Dir, "has a policy")
		}
		other := o
		other.Overlay = map[string][]byte{}
		files, err := filepath.Glob(filepath.Join(o.Dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			abs, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			other.Overlay[abs] = bytes.ReplaceAll(text, []byte("//lin:"), []byte("//nil:"))
		}
		got, want := code(p), code(loadWith(t, other, false))
		if got != want {
			t.Errorf("%s:\n%s\nwithout directives\n%s", o.Dir, got, want)
		}
	}
}

// code is the code of the package.
func code(p *Package) string {
	var b bytes.Buffer
	root := p.Packages[len(p.Packages)-1]
	var names []string
	for name := range root.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	done := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if done[fn] || fn.Pkg != root && fn.Origin() == nil {
			return
		}
		done[fn] = true
		Build(fn)
		ssa.WriteFunction(&b, fn)
		for _, block := range fn.Blocks {
			for _, in := range block.Instrs {
				for _, x := range in.Operands(nil) {
					if f, ok := (*x).(*ssa.Function); ok {
						visit(f)
					}
				}
			}
		}
	}
	for _, name := range names {
		if fn := root.Func(name); fn != nil {
			visit(fn)
		}
	}
	return b.String()
}

// TestGhosts looks at what the directives of package places become.
func TestGhosts(t *testing.T) {
	p := loadWith(t, Options{Dir: "../../testdata/policies/places"}, true)
	for fn := range p.Policy.Ghosts {
		for _, b := range fn.Blocks {
			if len(fn.Blocks) > 1 || len(b.Instrs) > 1 {
				t.Errorf("%s has a body", fn)
			}
		}
	}
	var b bytes.Buffer
	p.Policy.write(&b, p)
	root := p.Packages[len(p.Packages)-1]
	for _, name := range []string{"Add", "Get", "helped"} {
		fn := p.Prog.LookupMethod(p.New.Signature.Results().At(0).Type(), root.Pkg, name)
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(p.Policy.calls(fn), "; "))
		for _, anon := range fn.AnonFuncs {
			fmt.Fprintf(&b, "%s: %s\n", anon.Name(), strings.Join(p.Policy.calls(anon), "; "))
		}
	}
	const name = "testdata/ghosts.txt"
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || b.String() != string(want) {
		t.Errorf("%s\nwant\n%s%v", b.String(), want, err)
	}
}
