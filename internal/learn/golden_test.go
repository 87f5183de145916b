package learn_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/internal/golden"
	"github.com/adtinfer/adtinfer/internal/learn"
	"github.com/adtinfer/adtinfer/reference"
)

func TestDebug(t *testing.T) {
	for _, typ := range golden.Types() {
		want := os.Getenv("TYPE")
		if want == "auto" && typ.Later != "automaton" || want == "rest" && typ.Later == "automaton" || want != "auto" && want != "rest" && !strings.Contains(" "+want+" ", " "+typ.Name+" ") {
			continue
		}
		pkg, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
		if err != nil {
			t.Log(typ.Name, err)
			continue
		}
		start := time.Now()
		o := learn.Options{}
		if os.Getenv("V") != "" {
			o.Progress = func(s string) { t.Log(s) }
		}
		if typ.Name == "bounded100" {
			o.Locations = 140
		}
		f, err := learn.Learn(t.Context(), pkg.Implementation, o)
		if err != nil {
			t.Error(typ.Name, err)
			continue
		}
		took := time.Since(start)
		if f.Automaton == nil {
			fmt.Println(typ.Name, typ.Later, "NONE", f.Why, f.Growth, f.Queries, took)
			continue
		}
		regs, trs := 0, 0
		for _, l := range f.Automaton.Locations {
			regs = max(regs, len(l.Registers))
			trs += len(l.Transitions)
		}
		fmt.Println(typ.Name, typ.Later, len(f.Automaton.Locations), "/", regs, trs, "transitions", f.Growth, f.Queries, took)
		if os.Getenv("D") != "" {
			fmt.Println(dump(f.Automaton))
		}
		pkg.Close()
	}
}

func dump(a *automata.Automaton) string {
	var b strings.Builder
	fmt.Fprintln(&b, "initial", a.Initial)
	for i, l := range a.Locations {
		fmt.Fprintln(&b, i, l.Name, l.Registers)
		term := func(x automata.Term) string {
			switch x.Kind {
			case automata.Register:
				return l.Registers[x.Index]
			case automata.Argument:
				return fmt.Sprint("x", x.Index)
			case automata.Constant:
				return fmt.Sprintf("%q", x.Value)
			}
			return fmt.Sprint(x)
		}
		terms := func(xs []automata.Term) (s []string) {
			for _, x := range xs {
				s = append(s, term(x))
			}
			return s
		}
		for _, tr := range l.Transitions {
			fmt.Fprint(&b, "   ", tr.Method, " ")
			for _, g := range tr.Guard {
				fmt.Fprint(&b, term(g.Left), []string{"=", "!="}[g.Op], term(g.Right), " ")
			}
			if tr.Blocks {
				fmt.Fprintln(&b, "waits")
				continue
			}
			fmt.Fprintln(&b, "=>", tr.Outcome, terms(tr.Rets), "->", a.Locations[tr.To].Name, terms(tr.Load))
		}
	}
	return b.String()
}
