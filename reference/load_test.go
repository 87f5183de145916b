package reference_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestMain keeps built drivers out of the user's cache; Go's own stays.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		dir, err2 := os.MkdirTemp("", "reference-test-")
		if err != nil || err2 != nil {
			panic(errors.Join(err, err2))
		}
		defer os.RemoveAll(dir)
		os.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
		os.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
		os.Setenv("TMPDIR", dir)
		shared = dir
		os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w")) // links faster
		return m.Run()
	}())
}

// shared is a directory for what is extracted: what one test has built there
// the next one need not build again.
var (
	shared    string
	extracted sync.Map // of archives
)

// extract writes an archive of testdata, once, into a directory whose path has a
// space.
func extract(t testing.TB, archive string) string {
	t.Helper()
	dir := filepath.Join(shared, archive, "a module")
	once, _ := extracted.LoadOrStore(archive, new(sync.Once))
	once.(*sync.Once).Do(func() { unpack(t, archive, dir) })
	return dir
}

func unpack(t testing.TB, archive, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n-- ")[1:] {
		name, data, ok := strings.Cut(part, " --\n")
		if !ok {
			t.Fatalf("%s: %q", archive, part)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		data = strings.ReplaceAll(data, "REPLACE", root) + "\n"
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// load loads a reference of a module and closes it with the test.
func load(t testing.TB, dir, ref string, opts reference.Options) (*reference.Package, error) {
	opts.Dir = dir
	p, err := reference.Load(context.Background(), ref, opts)
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

// program reads "add 1; get" as calls.
func program(t testing.TB, impl reference.Implementation, text string) (calls []reference.Call) {
	t.Helper()
	for part := range strings.SplitSeq(text, "; ") {
		words := strings.Fields(part)
		var args []int
		for _, w := range words[1:] {
			args = append(args, int(w[0]-'0'))
		}
		calls = append(calls, call(t, impl, words[0], args...))
	}
	return calls
}

// TestLoad loads what can be loaded.
func TestLoad(t *testing.T) {
	t.Parallel()
	module, layouts := extract(t, "module.txtar"), extract(t, "layouts.txtar")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(module, "queue"), link); err != nil {
		t.Skip(err)
	}
	foreign := append(os.Environ(), "GOOS=plan9", "GOARCH=arm")
	type want struct {
		name, typeName string
		calls, answers string
		notes          []string
	}
	cases := []struct {
		name, dir, ref string
		opts           reference.Options
		long           bool
		want
	}{
		{"constructor", module, "./queue", reference.Options{}, false, want{"queue", "Queue",
			"remove; add 1; add 2; remove", "nil; none; none; value 1",
			[]string{"method AddAll takes any number of int, which are one argument here: a list"}}},
		{"skip", module, "queue", reference.Options{Skip: []string{"remove"}}, true, want{"queue", "Queue", "add 1", "none",
			[]string{"method AddAll takes any number of int, which are one argument here: a list", "method Remove is skipped: as asked"}}},
		{"symbolic link", module, link, reference.Options{}, true, want{"queue", "Queue", "add 1", "none",
			[]string{"method AddAll takes any number of int, which are one argument here: a list"}}},
		{"other system", module, "zero", reference.Options{Env: foreign}, true, want{"zero", "Register",
			"read; write 3; read", "errEmpty; none; value 3", nil}},
		{"import path", module, "example.com/m/zero", reference.Options{}, true, want{"zero", "Register", "read", "errEmpty", nil}},
		{"standard library", module, "container/ring#Ring", reference.Options{New: "new(ring.Ring)"}, true, want{"ring", "Ring", "len", "value (1)",
			[]string{
				"method Do is skipped: parameter 1 is a function (func(interface {})), which a log cannot name",
				"method Link is skipped: parameter 1 is another Ring, which a log cannot name",
				"method Move answers with a *ring.Ring, which is not looked at",
				"method Next answers with a *ring.Ring, which is not looked at",
				"method Prev answers with a *ring.Ring, which is not looked at",
				"method Unlink answers with a *ring.Ring, which is not looked at",
				"objects are made by new(ring.Ring)",
			}}},
		{"generic", module, "generic", reference.Options{}, false, want{"generic", "Stack[int]",
			"push 1; push 2; pop", "none; none; value 2", nil}},
		{"type argument", module, "generic", reference.Options{TypeArg: "Item"}, true, want{"generic", "Stack[example.com/m/generic.Item]",
			"push 1; push 2; pop", "none; none; value 2", nil}},
		{"constraint", module, "generic#small", reference.Options{}, true, want{"generic", "small[uint16]", "set 4; get", "none; value 4", nil}},
		{"one of several", module, "several#Stack", reference.Options{}, true, want{"several", "Stack", "push 1", "none", nil}},
		{"constructor of an unexported type", module, "ctor", reference.Options{}, true, want{"ctor", "queue", "add 1", "value 1", nil}},
		{"by constructor", module, "two#NewLarge", reference.Options{}, true, want{"two", "Queue", "add 1; add 1; add 1", "true; true; false", nil}},
		{"zero value asked for", module, "ctors", reference.Options{Type: "Bounded", New: "&Bounded{}"}, true, want{"ctors", "Bounded", "add 1", "false",
			[]string{"objects are made by &Bounded{}"}}},
		{"interface and error", module, "making", reference.Options{New: "New(2)"}, true, want{"making", "Queue", "add 1; add 1; add 1", "true; true; false",
			[]string{"objects are made by New(2)"}}},
		{"its own name, context, another package", module, "making", reference.Options{New: ` making.NewWith(ctx, making.Options{Size: 1}, time.Second, "x") // 2`}, true,
			want{"making", "Queue", "add 1; add 1; add 1", "true; true; false",
				[]string{`objects are made by making.NewWith(ctx, making.Options{Size: 1}, time.Second, "x")`}}},
		{"type arguments", module, "making#Of", reference.Options{New: `NewOf[string]("x", 0.5)`}, true, want{"making", "Of[string]", "swap 2; swap 1", `value ("x"); value 2`,
			[]string{`objects are made by NewOf[string]("x", 0.5)`}}},
		{"unexported", module, "making", reference.Options{New: "small()"}, true, want{"making", "queue", "add 1; add 1", "true; false",
			[]string{"objects are made by small()"}}},
		{"options", module, "options", reference.Options{}, true, want{"options", "Ring", "add 1; add 1", "true; false", nil}},
		{"unexported", module, "hidden#queue", reference.Options{}, true, want{"hidden", "queue", "add 1; get", "none; value 1", nil}},
		{"main", module, "prog", reference.Options{}, true, want{"cell", "Cell", "set 1; get", "none; value 1", nil}},
		{"internal, embed", module, "internal/deep", reference.Options{}, true, want{"deep", "Deep", "word", `value ("hello\n")`, nil}},
		{"prints", module, "prints", reference.Options{}, true, want{"prints", "Cell", "set 1; get; set 2; get", "none; value 1; none; value 2", nil}},
		{"workspace", layouts, "work/app/q", reference.Options{}, true, want{"q", "Cell", "set 1; get", "none; value 1", nil}},
		{"import path in a workspace", filepath.Join(layouts, "work", "app"), "example.com/lib/store", reference.Options{}, true,
			want{"store", "Store", "put 1", "none", nil}},
		{"vendored", layouts, "vendored", reference.Options{}, true, want{"vendored", "Pair", "set 1; get", "none; value 1", nil}},
		{"import path of a vendored module", filepath.Join(layouts, "vendored"), "example.com/dep/cell", reference.Options{}, true,
			want{"cell", "Cell", "set 1; get", "none; value 1", nil}},
		{"old language, name taken", layouts, "old language", reference.Options{}, true, want{"old", "Cell", "set 1; get", "none; value 1", nil}},
	}
	before := tree(t, module) + tree(t, layouts)
	t.Run("all", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				if c.long {
					testsize.NeedsLong(t)
				}
				t.Parallel()
				p, err := load(t, c.dir, c.ref, c.opts)
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(p.Notes)
				got := want{p.Name(), p.TypeName, c.calls, strings.Join(show(t, p, program(t, p, c.calls)...), "; "), p.Notes}
				if d := cmp.Diff(c.want, got, cmp.AllowUnexported(want{})); d != "" {
					t.Error(d)
				}
				if p.Info != nil {
					t.Errorf("info %v without a Spec", p.Info)
				}
			})
		}
	})
	if after := tree(t, module) + tree(t, layouts); after != before {
		t.Errorf("the user's files changed:\n%s", cmp.Diff(before, after))
	}
}

// tree lists a directory with sizes and times.
func tree(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		b.WriteString(path + " " + fi.ModTime().String() + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLoadRefuses has what cannot be loaded, with the whole message.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	module, layouts := extract(t, "module.txtar"), extract(t, "layouts.txtar")
	cases := []struct {
		name, dir, ref string
		opts           reference.Options
		want           string
	}{
		{"no directory", module, "./nosuch", reference.Options{}, "reference: ./nosuch: no such directory"},
		{"a file", module, "queue/queue.go", reference.Options{}, "reference: queue/queue.go: it is a file; name the directory of its package"},
		{"no package", module, "nosuch", reference.Options{}, "reference: nosuch: no such directory, and no such package\npackage nosuch is not in std"},
		{"no Go files", module, "empty", reference.Options{}, "reference: empty: there are no Go files in it"},
		{"only tests", module, "onlytests", reference.Options{}, "reference: onlytests: there are no Go files in it"},
		{"no module", layouts, "nomodule", reference.Options{}, "reference: nomodule: it is in no Go module\n" +
			"go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n" +
			"hint: run `go mod init example.com/name` in nomodule"},
		{"type error", module, "wrong", reference.Options{}, "reference: wrong: it does not compile\n" +
			"# example.com/m/wrong\nwrong/wrong.go:5:27: declared and not used: unused"},
		{"seen from below", filepath.Join(module, "queue"), "../wrong", reference.Options{}, "reference: ../wrong: it does not compile\n" +
			"# example.com/m/wrong\n../wrong/wrong.go:5:27: declared and not used: unused"},
		{"syntax error", module, "syntax", reference.Options{}, "reference: syntax: it does not compile\n" +
			"# example.com/m/syntax\nsyntax/syntax.go:5:27: syntax error: unexpected }, expected expression"},
		{"no type", module, "none", reference.Options{}, "reference: none: no exported type with methods, and no Spec\n" +
			"hint: a reference is a data type: a type with methods, and a function that makes one, as in ./queue; name a package that has one, or write a Spec"},
		{"no data type of ours", module, "fmt", reference.Options{}, "reference: fmt: no exported type with methods, and no Spec\n" +
			"hint: a reference is a data type: a type with methods, and a function that makes one, as in ./queue; name a package that has one, or write a Spec"},
		{"unexported type", module, "hidden", reference.Options{}, "reference: hidden: no exported type with methods, and no Spec\n" +
			"hint: name one after the path: #queue"},
		{"several types", module, "several", reference.Options{}, "reference: several: several could be meant: Queue, Stack\n" +
			"hint: name one after the path: #Queue, #Stack"},
		{"several constructors", module, "two", reference.Options{}, "reference: two: type Queue has several constructors: NewSmall, NewLarge\n" +
			"hint: name one after the path: #NewSmall, #NewLarge"},
		{"constructor with parameters", module, "ctors", reference.Options{}, "reference: ctors: the constructor of Bounded takes parameters: func NewBounded(n int) *Bounded\n" +
			"hint: give --new 'NewBounded(4)'"},
		{"named", module, "ctors#NewBounded", reference.Options{}, "reference: ctors#NewBounded: its constructor takes parameters: func NewBounded(n int) *Bounded\n" +
			"hint: give --new 'NewBounded(4)'"},
		{"several with parameters", module, "making#Queue", reference.Options{}, "reference: making#Queue: all constructors of Queue take parameters: func New(n int) (Queue, error), " +
			"func NewWith(ctx context.Context, o Options, wait time.Duration, name string, more ...int) Queue\n" +
			"hint: give --new 'New(4)' or --new 'NewWith(ctx, Options{}, time.Second, \"a\", 4)'"},
		{"several types with parameters", module, "making", reference.Options{}, "reference: making: several could be meant: Queue, Of\nhint: name one after the path: #Queue, #Of"},
		{"makers", module, "made#Pool", reference.Options{}, "reference: made#Pool: the constructor of Pool takes parameters: func Make(capacity int, name string) *Pool\n" +
			"hint: give --new 'Make(4, \"a\")'; --new 'new(Pool)' is its zero value"},
		{"makers of a value", module, "made#List", reference.Options{}, "reference: made#List: the constructor of List takes parameters: func Open(size int) (List, error)\n" +
			"hint: give --new 'Open(4)'; --new 'new(List)' is its zero value"},
		{"fails", module, "making", reference.Options{New: "New(-1)"}, "reference: making: New(-1) fails: the size is negative"},
		{"panics", module, "making", reference.Options{New: "New(0)"}, "reference: making: New(0) panics: no size"},
		{"nil", module, "making", reference.Options{New: "New(9)"}, "reference: making: New(9) fails: the constructor returned nil"},
		{"wrong argument", module, "making", reference.Options{New: ` New("x")`}, `reference: making: --new  New("x") does not compile: column 6: cannot use "x" (untyped string constant) as int value in argument to New` +
			"\nhint: its declaration is func New(n int) (Queue, error)"},
		{"no object", module, "making", reference.Options{New: "New"}, "reference: making: --new New makes no object: give a call of a constructor, a composite literal, or & of one\n" +
			"hint: for example, --new 'New(4)' or --new 'NewWith(ctx, Options{}, time.Second, \"a\", 4)' or --new 'NewOf[int](4, 0.5)'"},
		{"two statements", module, "making", reference.Options{New: "New(1); New(2)"}, "reference: making: --new New(1); New(2) is no Go expression: column 7: expected 'EOF', found ';'"},
		{"a statement inside", module, "making", reference.Options{New: "New(1)) }; func init() { (0"}, "reference: making: --new New(1)) }; func init() { (0 is no Go expression: column 7:"},
		{"unknown", module, "making", reference.Options{New: "NewWit(1)"}, "reference: making: --new NewWit(1) uses nothing that the package declares (did you mean NewWith?)"},
		{"two lines", module, "making", reference.Options{New: "New(1,\n)"}, "reference: making: --new New(1,\n) takes more than one line;"},
		{"no result", module, "making", reference.Options{New: "new(Queue).Hidden()"}, "reference: making: --new new(Queue).Hidden() does not compile: column 12: new(Queue).Hidden undefined"},
		{"another type", module, "making#Of", reference.Options{New: "New(1)"}, "reference: making#Of: --new New(1) makes Queue, not Of"},
		{"with type argument", module, "making", reference.Options{New: "New(1)", TypeArg: "int"}, "reference: making: --type-arg does not go with --new"},
		{"typo", module, "several#Stak", reference.Options{}, "reference: several#Stak: the package has no type, constructor or Spec Stak (did you mean Stack?)\n" +
			"hint: name one after the path: #Queue, #Stack"},
		{"skip typo", module, "zero", reference.Options{Skip: []string{"Red"}}, "reference: zero: there is no method Red to skip (did you mean Read?)"},
		{"type argument", module, "generic#small", reference.Options{TypeArg: "string"}, "reference: generic#small: small cannot be instantiated with string: string does not satisfy number (string missing in ~uint8 | ~uint16)\n" +
			"hint: choose another type argument"},
		{"not generic", module, "zero", reference.Options{TypeArg: "int"}, "reference: zero: Register has no type parameters"},
		{"no operations", module, "unsupported", reference.Options{}, "reference: unsupported: type Q has no method that can serve as an operation\n" +
			"\tmethod Add is skipped: parameter 1 is a channel (chan int), which a log cannot name\n"},
	}
	for _, c := range testsize.Some(cases, 4) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, c.dir, c.ref, c.opts)
			var e *reference.LoadError
			if !errors.As(err, &e) {
				t.Fatalf("got %T: %v", err, err)
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", err, c.want)
			}
		})
	}
}

// TestLoadMakers: a zero value is used where nothing makes objects of arguments alone, or
// something does of none; or if it was asked for.
func TestLoadMakers(t *testing.T) {
	t.Parallel()
	module := extract(t, "module.txtar")
	for _, c := range testsize.Some([]struct {
		ref  string
		opts reference.Options
	}{
		{"made#Set", reference.Options{}},
		{"made#Flag", reference.Options{}},
		{"made#Pool", reference.Options{New: "new(Pool)"}},
		{"made#Pool", reference.Options{New: `Make(3, "x")`}},
	}, 2) {
		if _, err := load(t, module, c.ref, c.opts); err != nil {
			t.Errorf("%s %s: %v", c.ref, c.opts.New, err)
		}
	}
}

func TestLoadSpec(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	dir := extract(t, "spec.txtar")
	t.Run("info", func(t *testing.T) {
		p, err := load(t, dir, "queue", reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := &reference.Info{
			Name:       "blocking-queue",
			Language:   []reference.Rule{{Name: "put-once", Formula: "true", Reading: "nothing"}},
			Predicates: []reference.Predicate{{Name: "same", Params: []string{"x", "y"}, Formula: "arg(x) = arg(y)"}},
			Target:     []string{"method(y) = put & arg(y) = ret(x)"},
			ReadOnly:   "false",
			Aliases:    map[string][]string{"put": {"add"}},
		}
		if d := cmp.Diff(want, p.Info); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"none", "value 1", "blocked"}, show(t, p, program(t, p, "put 1; take; take; put 2")...)); d != "" {
			t.Error(d)
		}
	})
	t.Run("errors", func(t *testing.T) {
		p, err := load(t, dir, "slot", reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"none", "ErrFull", "errNotMine", "ErrEOF"}, show(t, p, program(t, p, "put; put; take; take")...)); d != "" {
			t.Error(d)
		}
		if p, err = load(t, dir, "slot", reference.Options{AnyError: true}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"none", "error", "error", "error"}, show(t, p, program(t, p, "put; put; take; take")...)); d != "" {
			t.Error(d)
		}
	})
	t.Run("acceptor", func(t *testing.T) {
		p, err := load(t, dir, "bag", reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Name() != "bag" || p.Info.Name != "bag" {
			t.Errorf("the name is not the package's: %s, %s", p.Name(), p.Info.Name)
		}
		a := p.Implementation.(reference.Acceptor)
		n, err := a.Accepts(context.Background(), [][]history.Label{{add("1"), take("1"), take("1")}})
		if err != nil || n[0] != 2 {
			t.Error(n, err)
		}
	})
	t.Run("main", func(t *testing.T) {
		testsize.NeedsLong(t)
		p, err := load(t, dir, "prog", reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"none", "value 1"}, show(t, p, program(t, p, "set 1; get")...)); d != "" {
			t.Error(d)
		}
	})
	for ref, want := range map[string]string{
		"bad":       "reference: bad: operation add: parameter 1 is a function (func(int)), which a log cannot name",
		"badaccept": "reference: badaccept: field Accept must be func(T, reference.Claim) bool, not func(string) bool",
	} {
		t.Run(ref, func(t *testing.T) {
			_, err := load(t, dir, ref, reference.Options{})
			var e *reference.LoadError
			if !errors.As(err, &e) || err.Error() != want {
				t.Errorf("got %T: %v", err, err)
			}
		})
	}
}

// TestLoadLeavesNothing ends a child in every way and looks for leftovers.
func TestLoadLeavesNothing(t *testing.T) {
	testsize.NeedsLong(t)
	module, temp := extract(t, "module.txtar"), t.TempDir()
	t.Setenv("TMPDIR", temp)
	leftovers := func(when string) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for {
			files, err := os.ReadDir(temp)
			if err != nil {
				t.Fatal(err)
			}
			if len(files) == 0 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: %v", when, files)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	p, err := reference.Load(context.Background(), "loops", reference.Options{Dir: module, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = p.Replay(ctx, [][]reference.Call{program(t, p, "add 1; wait")})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	p.Close()
	leftovers("close")
	if _, err := p.Replay(context.Background(), [][]reference.Call{program(t, p, "add 1")}); err == nil {
		t.Error("a closed reference answered")
	}

	for _, d := range []time.Duration{10, 40, 80, 160} {
		interrupted, cancel := context.WithTimeout(context.Background(), d*time.Millisecond)
		p, err := reference.Load(interrupted, "zero", reference.Options{Dir: module})
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("interrupted after %d ms: %v", d, err)
		}
		cancel()
		leftovers("an interruption")
		if err == nil {
			p.Close()
		}
	}

	loading, stop := context.WithCancel(context.Background())
	if _, err = reference.Load(loading, "loops", reference.Options{Dir: module}); err != nil {
		t.Fatal(err)
	}
	stop()
	leftovers("the context's end")
	if _, err = reference.Load(loading, "loops", reference.Options{Dir: module}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leftovers("a context that had ended")
	if _, err = reference.Load(context.Background(), "wrong", reference.Options{Dir: module}); err == nil {
		t.Error("no error")
	}
	leftovers("a compile error")
}

// TestChildAnswersAsInProcess replays all short sequences both ways.
func TestChildAnswersAsInProcess(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	p, err := load(t, extract(t, "module.txtar"), "queue", reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	local := must(t)(reference.New(reference.Spec{New: newQueue, Skip: []string{"Len"}}))
	got, err := p.Replay(context.Background(), sequences(t, p, 1<<12, 12))
	if err != nil {
		t.Fatal(err)
	}
	want, err := local.Replay(context.Background(), sequences(t, local, 1<<12, 12))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
