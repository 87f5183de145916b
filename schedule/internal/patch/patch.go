// Package patch changes a copy of Go's standard library so that a build of a
// test program runs its goroutines one at a time, in an order of our choice.
// Nothing of the installed Go is changed: the copies stand in a folder of the
// user's cache, and the go command finds them through -overlay.
package patch

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed files
var files embed.FS

// Missing says that this Go lacks what a change holds on to.
type Missing struct {
	File, Anchor string
}

func (m *Missing) Error() string {
	return fmt.Sprintf("this Go is not supported yet: %s has no %s", m.File, m.Anchor)
}

// Files returns the changed files of a standard library and the added ones, by their place below GOROOT/src.
func Files(goroot, arch string) (map[string]string, error) {
	s := &sources{root: filepath.Join(goroot, "src"), text: map[string]string{}}
	for name, file := range map[string]string{"runtime.go.txt": "runtime/adtinfer.go", "norace.go.txt": "runtime/adtinfer_norace.go", "testing.go.txt": "testing/adtinfer.go"} {
		text, err := files.ReadFile("files/" + name)
		if err != nil {
			return nil, err
		}
		s.text[file] = string(text)
	}
	if text, err := s.load("testing/testing.go"); err != nil {
		return nil, err
	} else if !strings.Contains(text, "modulePath") { // since Go 1.26
		s.text["testing/adtinfer.go"] = strings.Replace(s.text["testing/adtinfer.go"], "modulePath: t.modulePath, importPath: t.importPath,", "", 1)
	}
	all := slices.Concat(scheduling, views, chances, channels, tests)
	for _, e := range all {
		if err := s.apply(e); err != nil {
			return nil, err
		}
	}
	if err := s.syncs(); err != nil {
		return nil, err
	}
	return s.text, s.atomics(arch)
}

// tests: a test function runs under the schedules of a plan, and not beside others.
var tests = []edit{
	{file: "testing/testing.go", decl: "tRunner", at: replace, find: "\tfn(t)\n", text: "\tctlTest(t, fn)\n"},
	{file: "testing/testing.go", decl: "T.Parallel", at: top, text: "\tif ctlThe != nil && ctlThe.active {\n\t\treturn\n\t}\n"},
}

// sources are the files changed so far.
type sources struct {
	root string
	text map[string]string
}

func (s *sources) load(file string) (string, error) {
	if t, ok := s.text[file]; ok {
		return t, nil
	}
	b, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
	if os.IsNotExist(err) {
		return "", &Missing{File: "its standard library", Anchor: file}
	}
	return string(b), err
}

// span is where a declaration stands: from its first word; its braces, if it has some; and its end.
type span struct{ start, open, close, end int }

// find looks a declaration up: "f", "T.m", or the name of a type or a variable.
func find(file, text, name string) (span, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return span{}, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if nameOf(d) == name && d.Body != nil {
				return span{at(d.Pos()), at(d.Body.Lbrace), at(d.Body.Rbrace), at(d.End())}, nil
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch x := spec.(type) {
				case *ast.TypeSpec:
					if st, ok := x.Type.(*ast.StructType); ok && x.Name.Name == name {
						return span{at(d.Pos()), at(st.Fields.Opening), at(st.Fields.Closing), at(d.End())}, nil
					}
				case *ast.ValueSpec:
					if len(x.Values) == 1 && x.Names[0].Name == name {
						if lit, ok := x.Values[0].(*ast.CompositeLit); ok {
							return span{at(d.Pos()), at(lit.Lbrace), at(lit.Rbrace), at(d.End())}, nil
						}
					}
				}
			}
		}
	}
	return span{}, &Missing{File: file, Anchor: name}
}

// nameOf is a function's name, or T.m for a method of T or *T.
func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func (s *sources) apply(e edit) error {
	text, err := s.load(e.file)
	if err != nil {
		return err
	}
	w := span{0, 0, len(text), len(text)}
	if e.decl != "" {
		if w, err = find(e.file, text, e.decl); err != nil {
			if _, missing := err.(*Missing); missing && e.optional {
				return nil
			}
			return err
		}
	}
	inside := text[w.start:w.end]
	if e.find != "" {
		switch n := strings.Count(inside, e.find); {
		case n == 0 && e.optional:
			return nil
		case n == 0 || n > 1 && e.at != replace:
			return &Missing{File: e.file, Anchor: fmt.Sprintf("%q in %s", strings.TrimSpace(e.find), orElse(e.decl, "it"))}
		}
	}
	i := w.start + strings.Index(inside, e.find)
	switch e.at {
	case top:
		text = text[:w.open+1] + "\n" + e.text + text[w.open+1:]
	case bottom:
		text = text[:w.close] + e.text + text[w.close:]
	case before:
		text = text[:i] + e.text + text[i:]
	case after:
		text = text[:i+len(e.find)] + e.text + text[i+len(e.find):]
	case replace:
		text = text[:w.start] + strings.ReplaceAll(inside, e.find, e.text) + text[w.end:]
	}
	s.text[e.file] = text
	return nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// syncs adds the gates of package sync. The gate keeps the methods from being inlined, so that their caller is a frame.
func (s *sources) syncs() error {
	for _, x := range syncs {
		for m := range strings.FieldsSeq(x.methods) {
			name := strings.TrimSuffix(m, "?")
			text, err := s.load(x.file)
			if err != nil {
				return err
			}
			recv, err := receiver(x.file, text, x.object+"."+name)
			if err != nil {
				return err
			}
			gate := fmt.Sprintf("\tctlGateAt(%s, unsafe.Pointer(%s), %t)\n", x.kind, recv, name == m)
			if err := s.apply(edit{file: x.file, decl: x.object + "." + name, at: top, text: gate}); err != nil {
				return err
			}
		}
		s.text[x.file] = withUnsafe(s.text[x.file])
	}
	for _, file := range []string{"internal/sync/mutex.go", "sync/rwmutex.go", "sync/atomic/doc.go"} { // one a package
		text, err := s.load(file)
		if err != nil {
			return err
		}
		s.text[file] = withUnsafe(text) + gateAt
	}
	return nil
}

// receiver is the name of a method's receiver.
func receiver(file, text, name string) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == name && len(f.Recv.List[0].Names) == 1 {
			return f.Recv.List[0].Names[0].Name, nil
		}
	}
	return "", &Missing{File: file, Anchor: name}
}

var packageLine = regexp.MustCompile(`(?m)^package \w+.*\n`)

// withUnsafe imports unsafe if the file does not.
func withUnsafe(text string) string {
	if strings.Contains(text, `"unsafe"`) {
		return text
	}
	at := packageLine.FindStringIndex(text)
	return text[:at[1]] + "\nimport \"unsafe\"\n" + text[at[1]:]
}

var (
	atomicFunc  = regexp.MustCompile(`(?m)^(?://go:noescape\n)?(?://go:linknamestd \w+\n)?func (\w+)\((addr [^)]*)\)(.*)$`)
	atomicText  = regexp.MustCompile(`TEXT ·(\w+)\(SB\)`)
	atomicType  = regexp.MustCompile(`(?m)^func \(x \*(\w+)\) (\w+)\(.*\{`)
	raceName    = regexp.MustCompile(`sync∕atomic·(\w+)`)
	raceLink    = regexp.MustCompile(`(//go:linkname abigen_sync_atomic_\w+ sync/atomic\.)(\w+)`)
	uintptrLink = regexp.MustCompile(`(//go:linkname sync_atomic_\w+ sync/atomic\.)(\w+Uintptr)`)
)

// pointers: the three functions of sync/atomic that are Go functions of the runtime.
var pointers = []string{"StorePointer", "SwapPointer", "CompareAndSwapPointer"}

// atomics puts a gated Go function before each assembly function of sync/atomic, which gets the name rawX.
func (s *sources) atomics(arch string) error {
	for _, file := range []string{"sync/atomic/doc.go", "sync/atomic/doc_64.go"} {
		text, err := s.load(file)
		if err != nil {
			return err
		}
		if !atomicFunc.MatchString(text) {
			return &Missing{File: file, Anchor: "func LoadInt32(addr *int32)"}
		}
		s.text[file] = withUnsafe(atomicFunc.ReplaceAllStringFunc(text, gated))
	}
	for _, x := range []struct {
		file string
		what *regexp.Regexp
		to   func(string) string
	}{
		{"sync/atomic/type.go", atomicType, func(m string) string { // the calls inside are intrinsics
			return fmt.Sprintf("%s ctlGateAt(4, unsafe.Pointer(x), %t); ", m, !strings.Contains(m, ") Load("))
		}},
		{"sync/atomic/asm.s", atomicText, func(m string) string { return strings.Replace(m, "·", "·raw", 1) }},
		{"runtime/atomic_pointer.go", uintptrLink, func(m string) string { return raw(m, "sync/atomic.") }},
		{"runtime/race.go", raceLink, func(m string) string { return raw(m, "sync/atomic.") }},
		{"runtime/race_" + arch + ".s", raceName, func(m string) string { return raw(m, "sync∕atomic·") }},
	} {
		text, err := s.load(x.file)
		if _, missing := err.(*Missing); missing && strings.HasSuffix(x.file, arch+".s") {
			continue // no race detector there
		}
		if err != nil {
			return err
		}
		if !x.what.MatchString(text) {
			return &Missing{File: x.file, Anchor: x.what.String()}
		}
		s.text[x.file] = x.what.ReplaceAllStringFunc(text, x.to)
	}
	for _, name := range []string{"Store", "Swap", "CompareAndSwap"} {
		f := "sync_atomic_" + name + "Pointer"
		e := edit{file: "runtime/atomic_pointer.go", decl: f, at: top, text: "\tctlGate(ctlAtomic, uintptr(unsafe.Pointer(ptr)), true)\n"}
		if err := s.apply(e); err != nil {
			return err
		}
		// The gate may grow the stack.
		text := s.text[e.file]
		w, err := find(e.file, text, f)
		if err != nil {
			return err
		}
		const nosplit = "//go:nosplit\n"
		if i := strings.LastIndex(text[:w.start], nosplit); i >= 0 && !strings.Contains(text[i:w.start], "}") {
			s.text[e.file] = text[:i] + text[i+len(nosplit):]
		}
	}
	return nil
}

func raw(match, prefix string) string {
	head, name, _ := strings.Cut(match, prefix)
	if slices.Contains(pointers, name) {
		return match
	}
	return head + prefix + "raw" + name
}

// gated turns the declaration of an assembly function into a Go function with a gate.
func gated(decl string) string {
	m := atomicFunc.FindStringSubmatch(decl)
	name, params, results := m[1], m[2], m[3]
	if slices.Contains(pointers, name) {
		return decl
	}
	var args []string
	for p := range strings.SplitSeq(params, ",") {
		arg, _, _ := strings.Cut(strings.TrimSpace(p), " ")
		args = append(args, arg)
	}
	ret := ""
	if strings.TrimSpace(results) != "" {
		ret = "return "
	}
	return fmt.Sprintf("func %s(%s)%s {\n\tctlGateAt(4, unsafe.Pointer(addr), %t)\n\t%sraw%s(%s)\n}\n\n//go:noescape\n//go:linkname raw%s\nfunc raw%s(%s)%s",
		name, params, results, !strings.HasPrefix(name, "Load"), ret, name, strings.Join(args, ", "), name, name, params, results)
}
