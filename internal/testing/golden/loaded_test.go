package golden

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/reference"
)

// TestLoaded loads the packages as users do, with their flags, and uses them. The
// table says whether that is possible, what the calls of an example answer, and how
// states are kept; what Checkers decide must be what trying all orders finds.
func TestLoaded(t *testing.T) {
	each(t, 4, func(t *testing.T, typ *Type) {
		pkg, err := reference.Load(t.Context(), typ.Dir(t), typ.Options())
		if err == nil {
			defer pkg.Close()
			err = trial(t, typ, pkg)
		}
		got := cmp.Or(inLine(err), "yes")
		if _, late, ok := strings.Cut(got, " answers differently at "); ok {
			got = "a call answers differently at " + late // which one is a matter of the clock
		}
		if got != typ.Loads && !*update {
			t.Fatalf("it loads: %s\nwant %s", got, typ.Loads)
		}
		if typ.Loads = got; got != "yes" {
			return
		}
		t.Run("example", func(t *testing.T) { example(t, typ, pkg.Implementation) })
		t.Run("states", func(t *testing.T) { kept(t, typ, pkg.Implementation) })
		t.Run("executions", func(t *testing.T) { checked(t, typ, withoutNames(t, typ, pkg).Implementation) })
	})
}

// withoutNames is a package all of whose errors are one: the variables that hold them are
// known to the package alone, and the same type is made in this process, too.
func withoutNames(t *testing.T, typ *Type, pkg *reference.Package) *reference.Package {
	if !slices.ContainsFunc(pkg.Implementation.Methods(), func(m reference.Method) bool {
		return slices.ContainsFunc(m.Outcomes, func(o reference.OutcomeArity) bool { return o.Error != "" })
	}) {
		return pkg
	}
	o := typ.Options()
	o.AnyError = true
	pkg, err := reference.Load(t.Context(), typ.Dir(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pkg.Close() })
	return pkg
}

// trial makes random calls. All methods must be operations.
func trial(t *testing.T, typ *Type, pkg *reference.Package) error {
	for _, n := range pkg.Notes {
		t.Log(n)
		if strings.Contains(n, "skipped") {
			return errors.New(n)
		}
	}
	r, err := Replay(t.Context(), pkg.Implementation, typ.MayFail()...)
	for seed := uint64(0); err == nil && seed < 20; seed++ {
		_, err = r.Execution(rand.New(rand.NewPCG(seed, 3)), false)
	}
	return err
}

// inLine is what an error says in its first line, without what chance found.
func inLine(err error) string {
	if err == nil {
		return ""
	}
	msg := err.Error()
	var load *reference.LoadError
	var fault *reference.Fault
	switch {
	case errors.As(err, &load):
		msg = load.Msg
	case errors.As(err, &fault):
		calls := strings.Split(fault.Sequence, "; ")
		msg = calls[len(calls)-1] + " " + fault.Reason
	}
	first, _, _ := strings.Cut(msg, "\n")
	return strings.ReplaceAll(first, "|", "/")
}

// kept opens the states of a type.
func kept(t *testing.T, typ *Type, impl reference.Implementation) {
	space, err := impl.(states.Keeper).States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	got := inWords(space.Kept())
	if got != typ.States && !*update {
		t.Errorf("its states are %s, want %s", got, typ.States)
	}
	typ.States = got
}

// inWords is how states are kept, in a cell of the table.
func inWords(k states.Kept) string {
	s := "replayed"
	if k.Copied {
		s = "copied"
	}
	if !k.Interned {
		s += ", not interned"
	}
	for i, why := range k.Why {
		why, _, _ = strings.Cut(why, ": ") // what comes then are calls, which chance found
		s += []string{": ", "; "}[min(i, 1)] + why
	}
	return s
}

// example makes the calls of an example.
func example(t *testing.T, typ *Type, impl reference.Implementation) {
	if _, ok := impl.(reference.Acceptor); ok {
		return // it has no answers of its own
	}
	r, err := Replay(t.Context(), impl)
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	var path []history.Label
	for _, text := range strings.Split(typ.Example, "; ") {
		l := call(t, impl, text)
		seq := append(path[:len(path):len(path)], l)
		if err := r.answer([][]history.Label{seq}); err != nil {
			t.Fatal(err)
		}
		if l = seq[len(path)]; l.Outcome != history.Pending { // it does not wait
			path = seq
		}
		done = append(done, l.String())
	}
	got := strings.Join(done, "; ")
	if got != typ.Example && !*update {
		t.Errorf("it does\n%s\nwant\n%s", got, typ.Example)
	}
	typ.Example = got
}

var calls = regexp.MustCompile(`^(\w+)(?:\((.*?)\))?(?: =>.*|\*)?$`)

// call reads the call of an example's step.
func call(t *testing.T, impl reference.Implementation, text string) (l history.Label) {
	m := calls.FindStringSubmatch(text)
	if m == nil || methodIndex(impl, m[1]) < 0 {
		t.Fatalf("no call of a method: %s", text)
	}
	l.Method = m[1]
	if m[2] != "" {
		for _, a := range strings.Split(m[2], ", ") {
			l.Args = append(l.Args, history.Value(a))
		}
	}
	return l
}
