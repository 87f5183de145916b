package source

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

// TestCases loads the packages of testdata. A file "= DIR OPTIONS" is what comes out, or
// the error.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range testsize.Some(archives, 8) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { cases(t, name) })
	}
}

func cases(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "= ") {
			path := filepath.Join(dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, f := range a.Files {
		args, ok := strings.CutPrefix(f.Name, "= ")
		if !ok {
			continue
		}
		got := strings.ReplaceAll(outcome(t, dir, args), dir, "DIR")
		if *update {
			a.Files[i].Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s:\n%s, want\n%s", args, got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome loads a package as a command line says, with _ for spaces in options.
func outcome(t *testing.T, dir, args string) string {
	words := strings.Fields(args)
	o := Options{Dir: filepath.Join(dir, words[0]), Env: []string{"GOFLAGS=-mod=readonly", "GOPROXY=off"}}
	for _, path := range []string{"testdata/", "github.com/", "container/", "sync#", "go/"} {
		if strings.HasPrefix(words[0], path) {
			o.Dir = words[0]
		}
	}
	for i := 1; i < len(words); i += 2 {
		value := strings.ReplaceAll(words[i+1], "_", " ")
		switch words[i] {
		case "--type":
			o.Type = value
		case "--new":
			o.New = value
		case "--skip":
			o.Skip = strings.Split(value, ",")
		case "--tags":
			o.Tags = strings.Split(value, ",")
		case "--policy":
			o.Policy = true
		case "--env":
			o.Env = append(o.Env, value)
		default:
			t.Fatal("unknown option", words[i])
		}
	}
	p, err := Load(context.Background(), o)
	if err != nil {
		if _, ok := err.(*Error); !ok {
			t.Errorf("%s: error of type %T", args, err)
		}
		return err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type %s\n", p.Type)
	for _, op := range p.Ops {
		fmt.Fprintf(&b, "%s %s", op.Method, op.GoName)
		for _, list := range []any{op.Params, op.Results} {
			fmt.Fprintf(&b, " %v", list)
		}
		b.WriteString("\n")
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if p.Policy != nil {
		p.Policy.write(&b, p)
	}
	if p.New.Blocks == nil || p.New.Signature.Results().Len() != 1 {
		t.Errorf("%s: New is %s", args, p.New)
	}
	for _, op := range p.Ops {
		if op.Func.Blocks == nil {
			t.Errorf("%s: %s has no code", args, op.Func)
		}
	}
	return b.String()
}
