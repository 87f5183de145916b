package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adtinfer/adtinfer/cmd/internal/skeleton"
	"github.com/adtinfer/adtinfer/internal/host/files"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// initOptions are the flags of init.
type initOptions struct {
	load          reference.Options
	template, out string
	print, force  bool
}

func newInit(st streams) *cobra.Command {
	o := &initOptions{}
	c := &cobra.Command{
		Use:   "init [DIR|PACKAGE]",
		Short: "Write a Spec for a package, or a reference to start from",
		Long: `init writes a commented reference.Spec into a package (default: the one in this
directory). It says which methods are operations, which are not and why, and
what else can be declared. The file, ` + skeleton.FileName + `, compiles, and infer then
accepts the package as it is. With --template, init writes a plain reference
instead, into a new or an existing directory.

init builds the package to look at its types, but calls none of its methods. It
overwrites a file only with --force.`,
		Example: `  adtinfer init
  adtinfer init ./ring --new 'New(4)'
  adtinfer init ./queue#Queue --print
  adtinfer init --template bounded-queue ./reference`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("init takes one directory or package, but got %d", len(args))
			}
			ref := "."
			if len(args) == 1 {
				ref = args[0]
			}
			return runInit(c.Context(), st, o, ref)
		},
	}
	f := c.Flags()
	f.StringVar(&o.template, "template", "", "write a plain reference of this kind: "+strings.Join(skeleton.Templates(), ", "))
	f.StringVar(&o.load.Type, "type", "", "the type to describe, if the package has several")
	newFlag(f, &o.load.New, &o.load.AnyError)
	f.StringVar(&o.load.TypeArg, "type-arg", "", "type argument for a generic type (default int)")
	f.StringSliceVar(&o.load.Skip, "skip", nil, "methods to leave out")
	f.StringVarP(&o.out, "out", "o", "", "the file to write (default: "+skeleton.FileName+" in the package)")
	f.BoolVar(&o.print, "print", false, "write to standard output only")
	f.BoolVar(&o.force, "force", false, "overwrite an existing file")
	choices(c, "template", skeleton.Templates()...)
	fileNames(c, "go", "out")
	return c
}

func runInit(ctx context.Context, st streams, o *initOptions, ref string) error {
	path, text, err := o.write(ctx, ref)
	if err != nil {
		return err
	}
	if o.print {
		_, err = st.out.Write(text)
		return err
	}
	if o.out != "" {
		path = o.out
	}
	if _, err := os.Lstat(path); err == nil && !o.force {
		return usagef("%s already exists; --force overwrites it, --print writes to standard output", path)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usagef("cannot write into %s: %w", dir, files.Cause(err))
	}
	if err := files.WriteAll(ctx, dir, []files.File{{Name: filepath.Base(path), Data: text}}); err != nil {
		return err
	}
	fmt.Fprintf(st.err, "wrote %s\n", path)
	switch mod := goMod(dir); {
	case mod == "":
		fmt.Fprintln(st.err, "note: the file is not in a Go module: run `go mod init example.com/name` and `go get github.com/adtinfer/adtinfer` there first")
	case !requiresUs(mod):
		fmt.Fprintf(st.err, "note: %s does not require adtinfer: run `go get github.com/adtinfer/adtinfer` first\n", mod)
	}
	fmt.Fprintf(st.err, "next: adtinfer infer --ref %s\n", here(dir))
	return nil
}

// write makes the file, and says where it belongs.
func (o *initOptions) write(ctx context.Context, ref string) (path string, text []byte, err error) {
	if o.template != "" {
		return o.fromTemplate(ref)
	}
	pkg, err := loadReference(ctx, ref, o.load)
	if err != nil {
		return "", nil, err
	}
	defer pkg.Close()
	path = filepath.Join(short(pkg.Dir), skeleton.FileName)
	if own := goMod("."); o.out == "" && !o.print && goMod(pkg.Dir) != own && !isDir(ref) {
		return "", nil, usagef("%s belongs to another module, so its Spec must go into a package of yours: start from what --print shows", ref)
	}
	text, err = skeleton.Spec(pkg)
	if err != nil {
		return "", nil, usagef("%s: %w; adtinfer infer --ref %s uses it; to replace it, name the type after the path, #%s, and give --force", ref, err, ref, pkg.TypeName)
	}
	return path, text, nil
}

func (o *initOptions) fromTemplate(dir string) (path string, text []byte, err error) {
	for _, given := range []string{o.load.Type, o.load.New, o.load.TypeArg, strings.Join(o.load.Skip, ",")} {
		if given != "" {
			return "", nil, usagef("--template writes a new reference, so it cannot be used with --type, --new, --type-arg or --skip")
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, usageError{err}
	}
	name := packageName(filepath.Base(abs), o.template)
	text, err = skeleton.FromTemplate(o.template, name)
	if err != nil {
		return "", nil, usagef("%w%s; use one of %s", err, wording.Hint(o.template, skeleton.Templates()), strings.Join(skeleton.Templates(), ", "))
	}
	path = filepath.Join(dir, name+".go")
	others, _ := filepath.Glob(filepath.Join(dir, "*.go")) // a pattern without mistakes
	if len(others) > 0 && others[0] != filepath.Clean(path) && o.out == "" && !o.print {
		return "", nil, usagef("%s already has Go files, such as %s; name a new directory", dir, filepath.Base(others[0]))
	}
	return path, text, nil
}

// packageName makes a package's name of a directory's, or else of a template's.
func packageName(dir, template string) string {
	for _, name := range []string{dir, template} {
		name = regexp.MustCompile(`[^a-z0-9]`).ReplaceAllString(strings.ToLower(name), "")
		if token.IsIdentifier(name) && name != "main" {
			return name
		}
	}
	return "reference"
}

func isDir(path string) bool {
	path, _, _ = strings.Cut(path, "#")
	return path == "" || files.IsDir(path)
}

// goMod is the go.mod file that a directory belongs to, or "".
func goMod(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		path := filepath.Join(dir, "go.mod")
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return short(path)
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// requiresUs reports whether a module can import package reference.
func requiresUs(mod string) bool {
	data, err := os.ReadFile(mod)
	return err == nil && strings.Contains(string(data), "github.com/adtinfer/adtinfer")
}

// short is a path from here, where that is shorter.
func short(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	wd, _ = filepath.EvalSymlinks(wd) // as packages say where they are
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// here is a directory as --ref takes it.
func here(dir string) string {
	if filepath.IsAbs(dir) || dir == "." || strings.HasPrefix(dir, "..") {
		return dir
	}
	return "./" + filepath.ToSlash(filepath.Clean(dir))
}
