package explore_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// kind is a type of results as Go writes it, with values; equal ones are written the same.
type kind struct {
	name   string
	values []string
}

var kinds = []kind{
	{"int", []string{"0", "1", "-7", "1 << 40"}},
	{"uint8", []string{"0", "1", "255"}},
	{"string", []string{`""`, `"a"`, `"nil"`, `"false"`, `"two words"`, `"&x"`, `"7"`, `"{}"`, `"_"`, `"-"`}},
	{"bool", []string{"false", "true"}},
	{"Level", []string{"Low", "High", "Level(7)"}},
	{"Pair", []string{`Pair{}`, `Pair{1, "a"}`, `Pair{1, "b"}`, `Pair{2, "nil"}`}},
	{"*Pair", []string{"nil", `&Pair{}`, `&Pair{1, "a"}`}},
	{"*int", []string{"nil", "number(0)", "number(3)"}},
	{"*string", []string{"nil", `text("")`, `text("a")`}},
	{"[]int", []string{"[]int{}", "[]int{1}", "[]int{1, 2}"}},
	{"[]string", []string{"[]string{}", `[]string{""}`, `[]string{"a b"}`, `[]string{"a", "b"}`}},
	{"[]byte", []string{`[]byte("")`, `[]byte("a")`, `[]byte("[97]")`, `[]byte{255}`}},
	{"[2]int", []string{"[2]int{}", "[2]int{1, 2}"}},
	{"map[string]int", []string{"map[string]int{}", `map[string]int{"a": 1}`, `map[string]int{"a": 2}`, `map[string]int{"b": 1}`}},
	{"any", []string{"nil", "1", `"a"`, "true", `Pair{1, "a"}`}},
	{"float64", []string{"0", "0.5", "-2", "1e300"}},
}

var errs = []string{"nil", "ErrShut", "ErrFull", `errors.New("closed")`, `fmt.Errorf("wrapped: %w", ErrShut)`}

// twoErrors: a reference has an error without saying which, so that one for another is not looked at.
func twoErrors(a, b string) bool { return a != "nil" && b != "nil" }

const recorder = `package recorder

import (
	"errors"
	"fmt"
)

var (
	ErrShut = errors.New("shut")
	ErrFull = errors.New("full")
	_       = fmt.Errorf
)

type Level int

const (
	Low Level = iota
	High
)

type Pair struct {
	N int
	S string
}

func number(n int) *int     { return &n }
func text(s string) *string { return &s }

// Recorder answers with what was recorded, one after the other.
type Recorder struct{ n int }

func New() *Recorder { return &Recorder{} }
`

// answersOf is what a method returns, call by call, as source.
type answersOf struct {
	types []string
	rows  [][]string
}

func (a answersOf) method(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc (r *Recorder) %s() (%s) {\n\tr.n++\n\tswitch r.n {\n", name, strings.Join(a.types, ", "))
	for i, row := range a.rows[:len(a.rows)-1] {
		fmt.Fprintf(&b, "\tcase %d:\n\t\treturn %s\n", i+1, strings.Join(row, ", "))
	}
	fmt.Fprintf(&b, "\t}\n\treturn %s\n}\n", strings.Join(a.rows[len(a.rows)-1], ", "))
	return b.String()
}

// anyAnswers are answers of random types; with, at the same place, another value or the same.
func anyAnswers(r *rand.Rand) (a answersOf, value func(i int) string) {
	var of []kind
	for range 1 + r.IntN(2) {
		of = append(of, kinds[r.IntN(len(kinds))])
	}
	for _, k := range []kind{{"bool", []string{"false", "true"}}, {"error", errs}} {
		if r.IntN(2) == 0 {
			of = append(of, k)
		}
	}
	value = func(i int) string { return of[i].values[r.IntN(len(of[i].values))] }
	for _, k := range of {
		a.types = append(a.types, k.name)
	}
	for range 4 {
		var row []string
		for i := range of {
			row = append(row, value(i))
		}
		a.rows = append(a.rows, row)
	}
	return a, value
}

// TestCodec: what a package answers when it is explored is what the driver has of it, whatever the types of its
// results are, and one other value at one place is another answer.
func TestCodec(t *testing.T) {
	same, other, refused := 0, 0, map[string]int{}
	for seed := range max(10, testsize.Samples(80)) {
		r := rand.New(rand.NewPCG(seed, 41))
		a, value := anyAnswers(r)
		b := answersOf{a.types, slices.Clone(a.rows)}
		row, i := r.IntN(len(a.rows)), r.IntN(len(a.types))
		b.rows[row] = slices.Clone(b.rows[row])
		for b.rows[row][i] == a.rows[row][i] {
			b.rows[row][i] = value(i)
		}
		reference, changed := writeRecorder(t, a.method("Get")), writeRecorder(t, b.method("Get"))
		for dir, want := range map[string]explore.Verdict{reference: explore.Holds, changed: explore.Violated} {
			if dir == changed && a.types[i] == "error" && twoErrors(a.rows[row][i], b.rows[row][i]) {
				continue
			}
			res, err := explore.Run(t.Context(), explore.Options{Dir: dir, Reference: reference, Bounds: bounds(1, len(a.rows), 1), Workers: 1})
			if err != nil {
				refused[strings.SplitN(err.Error(), "recorder", 2)[0]]++
				t.Log(a.types, err)
				continue
			}
			if res.Verdict == explore.Incomplete { // it says what was not compared
				refused["incomplete"]++
				continue
			}
			if res.Verdict != want {
				t.Fatalf("seed %d: %s, want %s, with %s for %s in row %d of%s\n%s", seed, res.Verdict, want, b.rows[row][i], a.rows[row][i], row+1, a.method("Get"), res.Text())
			}
			if want == explore.Holds {
				same++
			} else {
				other++
			}
		}
	}
	t.Log(same, "same,", other, "other; refused:", refused)
	if same == 0 || other == 0 {
		t.Error("nothing was compared")
	}
}

func writeRecorder(t *testing.T, methods string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.com/recorder\n\ngo 1.24.0\n")
	put(t, filepath.Join(dir, "recorder.go"), recorder+methods)
	return dir
}
