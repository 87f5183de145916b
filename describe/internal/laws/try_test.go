package laws

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	if s == nil || os.Getenv("QUIET") != "" && !f.Closed {
		return ""
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
		all++
		if err != nil {
			fmt.Printf("== %s: ERROR %v (%v)\n", name, err, took)
			continue
		}
		if f.Closed {
			closed++
		}
		if f.Closed {
			same(t, f)
			n, wrong, first := again(t, pkg.Implementation, f.Set, 10)
			fmt.Println("   replayed", n, "wrong", wrong, first)
		}
		pkg.Close()
		fmt.Printf("== %s: closed %v %s (%v)\n%s", name, f.Closed, f.Why, took.Round(time.Millisecond), show(f))
	}
	fmt.Println("closed", closed, "of", all)
}

// again replays runs of the reference from closed laws.
func again(t *testing.T, impl reference.Implementation, s *eq.Set, samples int) (answers, wrong int, first string) {
	w, err := newWorld(t.Context(), impl)
	if err != nil {
		t.Fatal(err)
	}
	defer w.space.Close()
	w.store = s.Store
	for k := range samples {
		p := proving
		p.seed, p.calls, p.runs = 50_000+uint64(k), 100, 100
		runs, err := w.sample(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			m := eq.NewMachine(s)
			st := m.Start()
			for i := range r.path {
				x := &r.path[i]
				got, err := m.Answer(st, x.method, x.args)
				answers++
				if err != nil || !slices.Equal(got, x.answer) {
					wrong++
					if first == "" {
						for j := 0; j <= i; j++ {
							y := &r.path[j]
							first += w.methods[y.method].Name + "("
							for _, a := range y.args {
								first += s.Store.Text(a) + " "
							}
							first += ")="
							for _, a := range y.answer {
								first += s.Store.Text(a) + " "
							}
							first += "; "
						}
						first += " but"
						for _, a := range got {
							first += " " + s.Store.Text(a)
						}
					}
					break
				}
				st = m.After(st, x.method, x.args, x.answer)
			}
		}
	}
	return answers, wrong, first
}

func same(t *testing.T, f *Found) {
	s := f.Set.Only(f.Set.Needed())
	d := s.Document()
	again, err := eq.Parse(d)
	if err != nil {
		t.Error(err)
		return
	}
	if e := again.Document(); !reflect.DeepEqual(d, e) {
		t.Errorf("%+v\n%+v", d, e)
	}
}
