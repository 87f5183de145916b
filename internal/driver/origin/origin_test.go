package origin

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shop is a module with a reference that imports a package of its module and one of
// another module beside it.
var shop = map[string]string{
	"shop/go.mod":             "module example.com/shop\n\ngo 1.21\n\nrequire example.com/beside v0.0.0\n\nreplace example.com/beside => ../beside\n",
	"shop/cart/cart.go":       "package cart\n\nimport (\n\t_ \"embed\"\n\n\t_ \"example.com/beside\"\n\t_ \"example.com/shop/price\"\n)\n\n//go:embed cart.txt\nvar text string\n",
	"shop/cart/cart.txt":      "cart\n",
	"shop/cart/cart_plan9.go": "package cart\n",
	"shop/cart/cart_test.go":  "package cart\n",
	"shop/price/price.go":     "package price\n",
	"shop/other/other.go":     "package other\n",
	"beside/go.mod":           "module example.com/beside\n\ngo 1.21\n",
	"beside/beside.go":        "package beside\n",
}

func edited(edits ...string) map[string]string {
	files := maps.Clone(shop)
	for i := 0; i < len(edits); i += 2 {
		if files[edits[i]] = edits[i+1]; edits[i+1] == "" {
			delete(files, edits[i])
		}
	}
	return files
}

func sourceOf(t *testing.T, files map[string]string, dir string) *Source {
	t.Helper()
	s, err := Of(t.Context(), filepath.Join(tree(t, files), dir))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The hash is that of all files that the package is built of, here or elsewhere, and
// of no others; it does not depend on where they are.
func TestHash(t *testing.T) {
	testsize.NeedsLong(t)
	was := sourceOf(t, shop, "shop/cart")
	if was.Package != "example.com/shop/cart" || was.Module != "example.com/shop" || !strings.HasSuffix(was.ModFile, "go.mod") || !strings.HasPrefix(was.Go, "go1.") {
		t.Errorf("%+v", was)
	}
	for name, tt := range map[string]struct {
		edits []string
		same  bool
	}{
		"elsewhere":              {nil, true},
		"a test":                 {[]string{"shop/cart/cart_test.go", "package cart\n// x\n"}, true},
		"a new test":             {[]string{"shop/cart/more_test.go", "package cart_test\n"}, true},
		"another package":        {[]string{"shop/other/other.go", "package other // x\n"}, true},
		"a file of no kind":      {[]string{"shop/cart/README", "x"}, true},
		"ends of lines":          {[]string{"shop/price/price.go", "package price\r\n"}, true},
		"the package":            {[]string{"shop/cart/cart.go", shop["shop/cart/cart.go"] + "// x\n"}, false},
		"a new file":             {[]string{"shop/cart/more.go", "package cart\n"}, false},
		"a file less":            {[]string{"shop/cart/cart_plan9.go", ""}, false},
		"a name":                 {[]string{"shop/cart/cart_plan9.go", "", "shop/cart/cart_wasip1.go", "package cart\n"}, false},
		"another platform":       {[]string{"shop/cart/cart_plan9.go", "package cart // x\n"}, false},
		"an import":              {[]string{"shop/price/price.go", "package price // x\n"}, false},
		"what is embedded":       {[]string{"shop/cart/cart.txt", "cart\r\n"}, false},
		"a module in its place":  {[]string{"beside/beside.go", "package beside // x\n"}, false},
		"a blank between two":    {[]string{"shop/cart/cart.txt", "car", "shop/cart/cart_plan9.go", "t\npackage cart\n"}, false},
		"an import that is gone": {[]string{"shop/price/price.go", ""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if now := sourceOf(t, edited(tt.edits...), "shop/cart"); (now.Hash == was.Hash) != tt.same {
				t.Errorf("%s, was %s", now.Hash, was.Hash)
			}
		})
	}
}

func TestNoSource(t *testing.T) {
	for _, files := range []map[string]string{{"go.mod": "module m\n"}, {"go.mod": "module m\n", "a_test.go": "package a\n"}, {"x": ""}} {
		if s, err := Of(t.Context(), tree(t, files)); err == nil {
			t.Errorf("%v: %+v", files, s)
		}
	}
	if s := sourceOf(t, map[string]string{"go.mod": "module m\n", "a.go": "package a broken {\n"}, "."); s.Hash == "" {
		t.Error("a package that does not parse has no hash")
	}
}

func TestFind(t *testing.T) {
	root := tree(t, edited("elsewhere/go.mod", "module example.com/elsewhere\n", "empty/x", "", "empty/y", "y"))
	at := func(dir string) string { return filepath.Join(root, dir) }
	was, err := Of(t.Context(), at("shop/cart"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		pkg, hash string
		dirs      []string
		want      string // of the error; "": none
	}{
		"here":           {"cart", was.Hash, []string{"shop/cart"}, ""},
		"in the module":  {"cart", was.Hash, []string{"shop/other"}, ""},
		"by the theory":  {"cart", was.Hash, []string{"elsewhere", "shop"}, ""},
		"changed":        {"cart", "sha256:0", []string{"shop"}, "has changed since the theory was inferred"},
		"gone":           {"basket", was.Hash, []string{"shop", "elsewhere"}, "there is no such package any more in module example.com/shop"},
		"another module": {"cart", was.Hash, []string{"elsewhere", "elsewhere"}, "belongs to another module than example.com/elsewhere,"},
		"no module":      {"cart", was.Hash, []string{"empty"}, "and there is none; go there"},
	} {
		t.Run(name, func(t *testing.T) {
			dirs := make([]string, len(tt.dirs))
			for i, d := range tt.dirs {
				dirs[i] = at(d)
			}
			s, err := Find(t.Context(), &Model{Package: "example.com/shop/" + tt.pkg, Source: tt.hash}, dirs...)
			switch {
			case tt.want == "" && (err != nil || s.Dir != was.Dir || s.Hash != was.Hash):
				t.Errorf("%+v, %v", s, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, new(*Lost))):
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if _, err := Find(t.Context(), &Model{Package: "fmt"}, at("shop")); err == nil || !strings.Contains(err.Error(), "another module") {
		t.Errorf("fmt: %v", err)
	}
}

// Whatever the environment says, nothing is fetched.
func TestOffline(t *testing.T) {
	asked := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++; http.NotFound(w, nil) }))
	defer proxy.Close()
	for key, value := range map[string]string{"GOPROXY": proxy.URL, "GOFLAGS": "-mod=mod -modcacherw", "GONOSUMDB": "*", "GOSUMDB": "off", "GOMODCACHE": t.TempDir()} {
		t.Setenv(key, value)
	}
	root := tree(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n\nrequire example.com/far v1.2.3\n",
		"a/a.go": "package a\n\nimport (\n\t_ \"example.com/far\"\n\t_ \"example.com/farther\"\n)\n",
	})
	mod, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	s, err := Of(t.Context(), filepath.Join(root, "a"))
	if err == nil {
		_, err = Find(t.Context(), &Model{Package: "example.com/m/a", Source: s.Hash}, root)
	}
	if err == nil {
		_, err = Find(t.Context(), &Model{Package: "example.com/m/gone", Source: s.Hash}, root)
		if errors.As(err, new(*Lost)) {
			err = nil
		}
	}
	if err != nil {
		t.Error(err)
	}
	if _, err := Find(t.Context(), &Model{Package: "example.com/far", Source: s.Hash}, root); err == nil {
		t.Error("a package of another module is found")
	}
	if now, _ := os.ReadFile(filepath.Join(root, "go.mod")); string(now) != string(mod) || asked > 0 {
		t.Errorf("the proxy was asked %d times; go.mod is\n%s", asked, now)
	}
}

func TestNoPatterns(t *testing.T) {
	m := &Model{Package: "example.com/shop/cart"}
	const want = "theory cart is the reference example.com/shop/cart itself and has no patterns, without which an engine knows nothing of it; run it"
	if err := m.NoPatterns("cart", "an engine", "run it"); err.Error() != want {
		t.Errorf("%v", err)
	}
}

// TestBeyond: a file may say what to make objects with, by constants, and nothing else.
func TestBeyond(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.21\n",
		"sizes/s.go":   "package sizes\n\nconst Large = 100\n\nvar Small = 3\n",
		"ring/ring.go": "package ring\n\nimport (\n\t\"context\"\n\tclock \"time\"\n\t\"os\"\n\n\t\"example.com/m/sizes\"\n)\n\nconst Most, least = sizes.Large, 1\n\nvar size = 3\n\ntype (\n\tRing struct{}\n\tOptions struct{ Size int; Every clock.Duration }\n\tList[T any] []T\n)\n\nfunc New(...any) *Ring { _ = os.Exit; _ = context.TODO; return nil }\n\nfunc three() int { return 3 }\n",
	})
	for expression, want := range map[string]string{
		"": "", "New()": "", "New(4)": "", `New[int](-1, "a b", true, 1.5, 'x')`: "", "ring.New(4)": "", "New(^1, +2, !true)": "", "New(nil, ctx)": "",
		"New(clock.Second)": "", "New(5 * clock.Second)": "", "New(2*(Most-least)<<1, ring.Most)": "", "New(sizes.Large)": "", "New(context.Background(), 3)": "",
		"New(clock.Duration(5), int64(3), []byte(\"x\"))": "", "New(Options{Size: 3, Every: clock.Minute})": "", "New(&Options{3, 5}, []int{1, 2}, map[string]int{\"a\": 1})": "",
		"&Ring{}": "", "Ring{}": "", "ring.Options{Size: Most}": "", "New[Ring, int]()": "", "New(List[int]{1}, [...]int{1}, [2]int{})": "",

		"New(three())": "three()", "New(size)": "size", "New(x)": "x", "os.Exit(1)": "os.Exit", "New(os.Exit)": "os.Exit", "New(os.Args)": "os.Args", "New(sizes.Small)": "sizes.Small",
		"func() *T { return nil }()": "func() *T { return nil }", "New(func() {})": "func() {}", "New(4); f()": "a Go expression that can be read", "New(": "a Go expression that can be read",
		"New(clock.Now())": "clock.Now()", "New(clock.Now)": "clock.Now", "New(Options{Size: three()})": "three()", "New(<-ch)": "<-ch", "New(nowhere.Large)": "nowhere.Large",
		"New(time.Second)": "time.Second", "New(3 + three())": "three()", "&New()": "&New()", "New": "New", "New(struct{ X int }{3})": "struct{ X int }{3}", "New().Sub()": "New().Sub", "New(size.(int))": "size.(int)",
	} {
		if got, err := Beyond(t.Context(), filepath.Join(dir, "ring"), expression); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", expression, got, err, want)
		}
	}
}

// TestUnchanged: a source is the one that it was until one of its files, or of those that
// it imports, is another, or there is one more.
func TestUnchanged(t *testing.T) {
	dir := tree(t, shop)
	s, err := Of(t.Context(), filepath.Join(dir, "shop", "cart"))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Unchanged() || !strings.Contains(s.Build, "\n") {
		t.Fatalf("it changed at once: %+v", s)
	}
	for name, tt := range map[string]struct {
		text string
		same bool
	}{
		"shop/other/other.go": {"package other // x\n", true},
		"shop/cart/cart.go":   {shop["shop/cart/cart.go"], true},
		"shop/cart/cart.txt":  {"tarc\n", false},
		"shop/price/price.go": {"package price // x\n", false},
		"beside/beside.go":    {"package beside // x\n", false},
		"shop/price/more.go":  {"package price\n", false},
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if s.Unchanged() != tt.same {
			t.Errorf("%s: unchanged is %v", name, !tt.same)
		}
		if text, ok := shop[name]; ok {
			err = os.WriteFile(path, []byte(text), 0o666)
		} else if err = os.Remove(path); err == nil {
			s, err = Of(t.Context(), s.Dir)
		}
		if err != nil || !s.Unchanged() {
			t.Fatalf("%s was put back, and that is a change: %v", name, err)
		}
	}
}

// TestBuild: versions of modules and the flags of the go command count.
func TestBuild(t *testing.T) {
	dir := filepath.Join(tree(t, shop), "shop", "cart")
	build := func() string {
		s, err := Of(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return s.Build
	}
	was := build()
	if build() != was {
		t.Error("it is another one the second time")
	}
	t.Setenv("GOFLAGS", "-tags=other")
	if build() == was {
		t.Error("flags do not count")
	}
	all := []listed{{Module: &module{Path: "a", Version: "v1.0.0"}}, {Module: &module{Path: "b"}},
		{Module: &module{Path: "c", Version: "v1.0.0", Replace: &module{Path: "d", Version: "v2.0.0"}}}, {Module: &module{Path: "a", Version: "v1.0.0"}}}
	if got := strings.Join(versions(all), ", "); got != "a v1.0.0, c v1.0.0, d v2.0.0" {
		t.Error(got)
	}
}
