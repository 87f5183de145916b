package laws

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
	"github.com/adtinfer/adtinfer/reference"
)

func show(f *Found) string {
	var b strings.Builder
	s := f.Set
	if s == nil {
		return "no laws: " + f.Why
	}
	need := s.Needed()
	for n := range s.Observers {
		o := &s.Observers[n]
		if !need[n] {
			continue
		}
		if len(o.Is.Rules) > 0 {
			fmt.Fprintf(&b, "  %s = %s\n", eq.Head(o.Name, o.Params), o.Is.String())
			continue
		}
		fmt.Fprintf(&b, "  %s: at first %s\n", eq.Head(o.Name, o.Params), o.Start.String())
		for m := range s.Methods {
			if !s.Methods[m].Pure {
				fmt.Fprintf(&b, "    after %s: %s\n", eq.Head(s.Methods[m].Name, s.Methods[m].Scope(o)[:len(s.Methods[m].Params)]), o.After[m].String())
			}
		}
	}
	return b.String()
}

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY")
	if dir == "" {
		t.Skip()
	}
	ctors := map[string]string{}
	if f, err := os.Open(filepath.Join(dir, "constructors.txt")); err == nil {
		sc := bufio.NewScanner(f)
		for sc.Scan() {
			if name, e, ok := strings.Cut(sc.Text(), " "); ok {
				ctors[name] = e
			}
		}
	}
	only := os.Getenv("ONLY")
	ds, _ := filepath.Glob(filepath.Join(dir, "*/*.go"))
	sort.Strings(ds)
	closed, all := 0, 0
	for _, d := range ds {
		name := filepath.Base(filepath.Dir(d))
		if only != "" && !strings.Contains(","+only+",", ","+name+",") || strings.HasSuffix(d, "_test.go") {
			continue
		}
		pkg, err := reference.Load(t.Context(), filepath.Dir(d), reference.Options{New: ctors[name]})
		if err != nil {
			fmt.Printf("== %s: %v\n", name, err)
			continue
		}
		start := time.Now()
		f, err := Learn(t.Context(), pkg.Implementation, Options{})
		took := time.Since(start)
		pkg.Close()
		all++
		if err != nil {
			fmt.Printf("== %s: ERROR %v (%v)\n", name, err, took)
			continue
		}
		if f.Closed {
			closed++
		}
		fmt.Printf("== %s: closed %v %s (%v)\n%s", name, f.Closed, f.Why, took.Round(time.Millisecond), show(f))
	}
	fmt.Println("closed", closed, "of", all)
}
