package solver

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// Format is a file format for queries.
type Format string

const (
	DIMACS Format = "dimacs" // .cnf, .dimacs: read by SAT solvers
	SMTLIB Format = "smtlib" // .smt2: read by SMT solvers
)

// FormatOf returns the format that a file name's extension stands for.
func FormatOf(file string) (Format, error) {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".cnf", ".dimacs":
		return DIMACS, nil
	case ".smt2":
		return SMTLIB, nil
	default:
		return "", fmt.Errorf("solver: %s: unknown extension %q: .cnf and .dimacs stand for DIMACS, .smt2 for SMT-LIB 2", file, ext)
	}
}

// Dump writes all clauses and the last query in a format. The same calls give
// the same bytes.
func (r *Recorder) Dump(w io.Writer, f Format) error {
	switch f {
	case DIMACS:
		return r.WriteDIMACS(w)
	case SMTLIB:
		return r.WriteSMTLIB(w)
	}
	return fmt.Errorf("solver: unknown format %q", f)
}

// WriteDIMACS writes the clauses and, as clauses of one literal after a comment,
// the assumptions of the last query.
func (r *Recorder) WriteDIMACS(w io.Writer) error {
	b := bufio.NewWriter(w)
	if r.result != Unknown {
		fmt.Fprintf(b, "c answer: %s\n", r.result)
	}
	for v := 1; v <= r.vars; v++ {
		if name := r.name(v); name != "" {
			fmt.Fprintf(b, "c %d = %s\n", v, name)
		}
	}
	if n := len(r.assumptions); n > 0 {
		fmt.Fprintf(b, "c the last %d clauses are assumptions\n", n)
	}
	fmt.Fprintf(b, "p cnf %d %d\n", r.vars, r.count+len(r.assumptions))
	line := func(clause []int) {
		for _, l := range clause {
			b.WriteString(strconv.Itoa(l))
			b.WriteByte(' ')
		}
		b.WriteString("0\n")
	}
	r.each(line)
	for i := range r.assumptions {
		line(r.assumptions[i : i+1])
	}
	return b.Flush()
}

// WriteSMTLIB writes the clauses as assertions and the last query as one
// check-sat, or check-sat-assuming if it has assumptions.
func (r *Recorder) WriteSMTLIB(w io.Writer) error {
	b := bufio.NewWriter(w)
	if len(r.assumptions) > 0 {
		b.WriteString("(set-option :produce-unsat-assumptions true)\n")
	}
	b.WriteString("(set-logic QF_UF)\n")
	if r.result != Unknown {
		fmt.Fprintf(b, "(set-info :status %s)\n", r.result)
	}
	for v := 1; v <= r.vars; v++ {
		fmt.Fprintf(b, "(declare-const x%d Bool)", v)
		if name := r.name(v); name != "" {
			b.WriteString(" ; " + name)
		}
		b.WriteByte('\n')
	}
	r.each(func(clause []int) { fmt.Fprintf(b, "(assert %s)\n", disjunction(clause)) })
	if len(r.assumptions) == 0 {
		b.WriteString("(check-sat)\n")
	} else {
		fmt.Fprintf(b, "(check-sat-assuming (%s))\n", terms(r.assumptions))
	}
	return b.Flush()
}

func disjunction(clause []int) string {
	switch len(clause) {
	case 0:
		return "false"
	case 1:
		return terms(clause)
	}
	return "(or " + terms(clause) + ")"
}

// terms writes literals in SMT-LIB, separated by spaces.
func terms(lits []int) string {
	var s strings.Builder
	for i, l := range lits {
		if i > 0 {
			s.WriteByte(' ')
		}
		if l < 0 {
			fmt.Fprintf(&s, "(not x%d)", -l)
		} else {
			fmt.Fprintf(&s, "x%d", l)
		}
	}
	return s.String()
}

// name is what a variable stands for, on one line; empty if nobody knows.
func (r *Recorder) name(v int) string {
	if r.Name == nil {
		return ""
	}
	return strings.Join(strings.Fields(r.Name(v)), " ")
}
