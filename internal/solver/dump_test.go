package solver_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-air/gini"
	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/solver"
)

func ExampleRecorder() {
	r := solver.NewRecorder(solver.New())
	r.Name = func(v int) string { return [...]string{"", "red", "green"}[v] }
	red, green := r.NewVar(), r.NewVar()
	r.Add(red, green)
	r.Add(-red)
	r.Solve(context.Background(), -green)
	var dimacs, smt bytes.Buffer
	r.WriteDIMACS(&dimacs)
	r.WriteSMTLIB(&smt)
	fmt.Print(dimacs.String(), smt.String())
	// Output:
	// c answer: unsat
	// c 1 = red
	// c 2 = green
	// c the last 1 clauses are assumptions
	// p cnf 2 3
	// 1 2 0
	// -1 0
	// -2 0
	// (set-option :produce-unsat-assumptions true)
	// (set-logic QF_UF)
	// (set-info :status unsat)
	// (declare-const x1 Bool) ; red
	// (declare-const x2 Bool) ; green
	// (assert (or x1 x2))
	// (assert (not x1))
	// (check-sat-assuming ((not x2)))
}

// recorded is a random query, solved.
func recorded(t *testing.T, seed uint64) (r *solver.Recorder, vars int, clauses [][]int, answer solver.Result) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 2))
	r = solver.NewRecorder(solver.New())
	for vars = range 1 + rnd.IntN(7) {
		r.NewVar()
	}
	vars++
	for range rnd.IntN(14) {
		c := randomClause(rnd, vars)
		clauses = append(clauses, c)
		r.Add(c...)
	}
	if rnd.IntN(20) == 0 {
		clauses = append(clauses, nil)
		r.Add()
	}
	var assume []int
	for range rnd.IntN(4) {
		assume = append(assume, randomClause(rnd, vars)[0])
	}
	answer, err := r.Solve(t.Context(), assume...)
	if err != nil {
		t.Fatal(err)
	}
	return r, vars, append(clauses, units(assume)...), answer
}

// TestDumpedQueriesReadBack parses what was dumped: the same clauses, and the
// same answer by truth table and, for DIMACS, by gini's own reader.
func TestDumpedQueriesReadBack(t *testing.T) {
	parsers := map[solver.Format]func(string) (int, [][]int, error){solver.DIMACS: parseDIMACS, solver.SMTLIB: parseSMTLIB}
	answers := map[solver.Result]int{}
	for seed := range uint64(2000) {
		r, vars, clauses, answer := recorded(t, seed)
		r.Name = func(v int) string { return fmt.Sprintf("p cnf\n(assert x%d)\n", v) }
		answers[answer]++
		for f, parse := range parsers {
			var text bytes.Buffer
			if err := r.Dump(&text, f); err != nil {
				t.Fatal(err)
			}
			n, got, err := parse(text.String())
			if err != nil {
				t.Fatalf("%v in\n%s", err, &text)
			}
			if d := cmp.Diff(normal(clauses), normal(got)); n != vars || d != "" {
				t.Fatalf("%s of %d variables (-dumped +read):\n%s", f, vars, d)
			}
			if satisfiable(n, got) != (answer == solver.Sat) || !strings.Contains(text.String(), " "+answer.String()) {
				t.Fatalf("answered %s:\n%s", answer, &text)
			}
			if f == solver.DIMACS {
				g, err := gini.NewDimacs(&text)
				if err != nil {
					t.Fatal(err)
				}
				if (g.Solve() == 1) != (answer == solver.Sat) {
					t.Fatalf("gini reads another query than %v", clauses)
				}
			}
		}
	}
	if min(answers[solver.Sat], answers[solver.Unsat]) < 300 {
		t.Errorf("too one-sided a sample: %v", answers)
	}
}

// normal makes empty and nil clauses alike.
func normal(clauses [][]int) [][]int {
	out := [][]int{}
	for _, c := range clauses {
		out = append(out, append([]int{}, c...))
	}
	return out
}

func parseDIMACS(text string) (vars int, clauses [][]int, err error) {
	count, clause := 0, []int{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "c") {
			continue
		}
		if strings.HasPrefix(line, "p") {
			if _, err := fmt.Sscanf(line, "p cnf %d %d", &vars, &count); err != nil {
				return 0, nil, err
			}
			continue
		}
		for _, word := range strings.Fields(line) {
			l, err := strconv.Atoi(word)
			if err != nil {
				return 0, nil, err
			}
			if clause = append(clause, l); l == 0 {
				clauses, clause = append(clauses, clause[:len(clause)-1]), []int{}
			}
		}
	}
	if len(clauses) != count || len(clause) != 0 {
		return 0, nil, fmt.Errorf("%d clauses, %d announced, %v left", len(clauses), count, clause)
	}
	return vars, clauses, nil
}

// parseSMTLIB reads the commands that a dump consists of, one a line.
func parseSMTLIB(text string) (vars int, clauses [][]int, err error) {
	checks := 0
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ;")
		line = strings.TrimPrefix(strings.TrimSuffix(line, ")"), "(")
		command, rest, _ := strings.Cut(line, " ")
		switch command {
		case "declare-const":
			if vars++; rest != fmt.Sprintf("x%d Bool", vars) {
				return 0, nil, fmt.Errorf("constant %s after %d others", rest, vars-1)
			}
		case "assert":
			if rest == "false" {
				rest = ""
			}
			if or, ok := strings.CutPrefix(rest, "(or "); ok {
				rest = strings.TrimSuffix(or, ")")
			}
			clauses = append(clauses, literals(rest))
		case "check-sat":
			checks++
		case "check-sat-assuming":
			checks++
			clauses = append(clauses, units(literals(rest[1:len(rest)-1]))...)
		case "set-logic", "set-option", "set-info":
		default:
			return 0, nil, fmt.Errorf("command %q", command)
		}
	}
	if checks != 1 {
		return 0, nil, fmt.Errorf("%d checks", checks)
	}
	return vars, clauses, nil
}

func literals(terms string) (lits []int) {
	sign := 1
	for _, word := range strings.Fields(terms) {
		if word == "(not" {
			sign = -1
			continue
		}
		v, err := strconv.Atoi(strings.Trim(word, "x)"))
		if err != nil {
			panic(err)
		}
		lits, sign = append(lits, sign*v), 1
	}
	return lits
}

// TestZ3ReadsDumps asks the z3 program, where there is one.
func TestZ3ReadsDumps(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("there is no z3 program")
	}
	for seed := range uint64(20) {
		r, _, clauses, answer := recorded(t, seed)
		for _, name := range []string{"query.smt2", "query.cnf"} {
			file := filepath.Join(t.TempDir(), name)
			f, _ := solver.FormatOf(file)
			var text bytes.Buffer
			if err := r.Dump(&text, f); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			args := map[solver.Format][]string{solver.SMTLIB: {file}, solver.DIMACS: {"-dimacs", file}}[f]
			out, _ := exec.Command(z3, args...).CombinedOutput()
			got, _, _ := strings.Cut(strings.TrimPrefix(string(out), "s "), "\n")
			verdict := map[string]string{"SATISFIABLE": "sat", "UNSATISFIABLE": "unsat"}
			if v := verdict[got]; v != "" {
				got = v
			}
			if got != answer.String() {
				t.Fatalf("%s of %v: z3 says %s, not %s", f, clauses, out, answer)
			}
		}
	}
}

func TestDumpIsDeterministic(t *testing.T) {
	for _, f := range []solver.Format{solver.DIMACS, solver.SMTLIB} {
		var texts []string
		for range 2 {
			r, _, _, _ := recorded(t, 7)
			var text bytes.Buffer
			if err := r.Dump(&text, f); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text.String())
		}
		if d := cmp.Diff(texts[0], texts[1]); d != "" {
			t.Errorf("%s: %s", f, d)
		}
	}
}

func TestDumpOfNothing(t *testing.T) {
	r := solver.NewRecorder(solver.New())
	for f, want := range map[solver.Format]string{
		solver.DIMACS: "p cnf 0 0\n",
		solver.SMTLIB: "(set-logic QF_UF)\n(check-sat)\n",
	} {
		var text bytes.Buffer
		if err := r.Dump(&text, f); err != nil || text.String() != want {
			t.Errorf("%s: %q, %v", f, &text, err)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestDumpReportsWriteErrors(t *testing.T) {
	r, _, _, _ := recorded(t, 7)
	for _, f := range []solver.Format{solver.DIMACS, solver.SMTLIB} {
		if err := r.Dump(brokenWriter{}, f); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for file, want := range map[string]solver.Format{
		"q.cnf": solver.DIMACS, "a/b.dimacs": solver.DIMACS, "q.SMT2": solver.SMTLIB, "q.smt2.cnf": solver.DIMACS,
		"q.smt": "", "cnf": "", "": "", "a.cnf/q": "",
	} {
		got, err := solver.FormatOf(file)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("FormatOf(%q) = %q, %v", file, got, err)
		}
	}
}

// TestRecorderIsTransparent runs queries with and without one in between.
func TestRecorderIsTransparent(t *testing.T) {
	for seed := range uint64(300) {
		r, vars, _, answer := recorded(t, seed)
		if answer == solver.Unsat {
			core := r.Core()
			if again, err := r.Solve(t.Context(), core...); again != solver.Unsat || err != nil {
				t.Fatalf("under its core %v: %v, %v", core, again, err)
			}
			continue
		}
		var model []int
		for v := 1; v <= vars; v++ {
			if r.True(v) {
				model = append(model, v)
			} else {
				model = append(model, -v)
			}
		}
		if again, err := r.Solve(t.Context(), model...); again != solver.Sat || err != nil {
			t.Fatalf("under its model %v: %v, %v", model, again, err)
		}
	}
}
