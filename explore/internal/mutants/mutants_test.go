package mutants

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// program has an object of a mutex and a number, and one operation with the given code: its
// first register is the object, the last one its result.
func program(registers int, code ...ir.Instr) *ir.Program {
	p := &ir.Program{Strings: ir.NewStrings(), Types: []*ir.Type{{Name: "nil"}}, Positions: []ir.Position{{}},
		Layouts: []*ir.Layout{{Name: "counter", Words: []ir.Kind{ir.Data, ir.Data}, Fields: []string{"mu", "n"}}},
		Consts:  []ir.Word{1, 0, 5}}
	kinds := make([]ir.Kind, registers)
	kinds[0], kinds[1] = ir.Ptr, ir.Ptr
	for i := range code {
		p.Positions = append(p.Positions, ir.Position{File: "counter.go", Line: i + 1, Col: 1})
		code[i].Pos = int32(i + 1)
	}
	p.Funcs = []*ir.Func{
		{Name: "init", Defers: -1, Recovers: -1, Code: []ir.Instr{{Op: ir.Return}}},
		{Name: "New", Defers: -1, Recovers: -1, Results: 1, Kinds: []ir.Kind{ir.Ptr},
			Code: []ir.Instr{{Op: ir.Alloc, Dst: 0, To: 0, N: 1}, {Op: ir.Return, Args: []ir.Arg{{At: 0, N: 1}}}}},
		{Name: "Add", Defers: -1, Recovers: -1, Params: 1, Results: 1, Kinds: kinds, Code: code},
	}
	for _, f := range p.Funcs {
		f.Finish()
	}
	p.New = 1
	p.Ops = []ir.Operation{{Method: "add", GoName: "Add", Func: 2, Results: []ir.Form{{Kind: ir.I64}}}}
	return p
}

const (
	one  = int32(-1)
	zero = int32(-2)
	five = int32(-3)
)

// locked adds 1 under the mutex; swapped does so by compare-and-swap until that works.
func locked() *ir.Program {
	return program(3,
		ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: 1},
		ir.Instr{Op: ir.Lock, A: 0},
		ir.Instr{Op: ir.Load, Dst: 2, A: 1, N: 1},
		ir.Instr{Op: ir.Add, Dst: 2, A: 2, B: one},
		ir.Instr{Op: ir.Store, A: 1, B: 2, N: 1},
		ir.Instr{Op: ir.Unlock, A: 0},
		ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: 2, N: 1}}})
}

func swapped() *ir.Program {
	return program(5,
		ir.Instr{Op: ir.FieldAddr, Dst: 1, A: 0, N: 1},
		ir.Instr{Op: ir.AtomicLoad, Dst: 3, A: 1, N: 1},
		ir.Instr{Op: ir.Add, Dst: 2, A: 3, B: one},
		ir.Instr{Op: ir.AtomicCAS, Dst: 4, A: 1, B: 3, C: 2, N: 1},
		ir.Instr{Op: ir.If, A: 4, To: 5, M: 1},
		ir.Instr{Op: ir.Return, Args: []ir.Arg{{At: 2, N: 1}}})
}

// run explores two goroutines with one operation each: the answers of whole runs, or the
// kind of fault.
func run(t *testing.T, p *ir.Program) (answers []string) {
	t.Helper()
	s, err := machine.New(context.Background(), p, machine.Bounds{Threads: 2, Ops: 1, Calls: []machine.Call{{Op: 0}}}, machine.Options{NoSymmetry: true, MostSteps: 1000})
	if err != nil {
		t.Fatal(err)
	}
again:
	type node struct{ form, said string }
	m, seen, ends := s.Machine(), map[node]bool{}, map[string]bool{}
	queue := []node{{form: string(s.Start())}}
	for len(queue) > 0 {
		if len(seen) > 1000 {
			return []string{"no end"}
		}
		at := queue[0]
		queue = queue[1:]
		steps := 0
		err := m.Expand([]byte(at.form), func(st *machine.Step) error {
			steps++
			if st.Fault != nil {
				ends[st.Fault.Kind.String()] = true
				return nil
			}
			next := node{string(st.Next), at.said}
			if st.Answer >= 0 {
				next.said += s.Result(st.Answer).Values[0]
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
			return nil
		})
		if err == machine.ErrAgain {
			s.Again()
			goto again
		}
		if err != nil {
			t.Fatal(err)
		}
		if steps == 0 {
			ends[at.said] = true
		}
	}
	for e := range ends {
		answers = append(answers, e)
	}
	slices.Sort(answers)
	return answers
}

func everything(ir.Position) bool { return true }

// TestMutants says what each mutant does.
func TestMutants(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program *ir.Program
		right   []string
		want    map[string][]string
	}{
		{"locked", locked(), []string{"12"}, map[string][]string{
			"lock dropped":         {"12", "data race"},
			"constant 1 becomes 2": {"24"},
			"store dropped":        {"11"},
		}},
		{"swapped", swapped(), []string{"12"}, map[string][]string{
			"constant 1 becomes 2":                        {"24"},
			"condition always true":                       {"11", "12"},
			"condition never true":                        {"no end"},
			"compare-and-swap without the comparison":     {"11", "12"},
			"compare-and-swap that failed counts as done": {"11", "12"},
		}},
	} {
		if got := run(t, tt.program); !slices.Equal(got, tt.right) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.right)
		}
		before := *tt.program
		all := Of(tt.program, everything)
		if len(all) != len(tt.want) {
			t.Errorf("%s: %d mutants, want %d", tt.name, len(all), len(tt.want))
		}
		for _, m := range all {
			if got := run(t, m.Program(tt.program)); !slices.Equal(got, tt.want[m.What]) {
				t.Errorf("%s: %s: %q, want %q", tt.name, m.What, got, tt.want[m.What])
			}
		}
		if !reflect.DeepEqual(before, *tt.program) || !slices.Equal(run(t, tt.program), tt.right) {
			t.Errorf("%s: the program itself has changed", tt.name)
		}
	}
}
