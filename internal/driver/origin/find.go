package origin

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Lost is the error of a Model whose reference is not to be had as it was.
type Lost struct {
	Model   *Model
	Msg     string
	Changed bool // it is there, but no longer what it was
}

func (l *Lost) Error() string { return fmt.Sprintf("reference %s: %s", l.Model.Package, l.Msg) }

// Find is the source of the package that a model names, in the module of the first
// of the directories that has it. It looks nowhere else, and downloads nothing. The
// error is a *Lost if there is no such package, or it has changed; or the go
// command's.
func Find(ctx context.Context, m *Model, dirs ...string) (*Source, error) {
	var modules []string // that were looked in, as messages name them
	gone := false        // one of them would have the package
	for _, dir := range dirs {
		paths, err := modulesOf(ctx, dir)
		if err != nil {
			return nil, err
		}
		inside := func(path string) bool { return m.Package == path || strings.HasPrefix(m.Package, path+"/") }
		for _, path := range paths {
			if !slices.Contains(modules, path) {
				modules = append(modules, path)
			}
			gone = gone || inside(path)
		}
		if !slices.ContainsFunc(paths, inside) {
			continue
		}
		switch s, err := packages(ctx, dir, m.Package, false); {
		case err == errNone || err == nil && s.Module == "":
		case err != nil:
			return nil, err
		case s.Hash != m.Source:
			return nil, &Lost{Changed: true, Model: m, Msg: fmt.Sprintf("its source in %s has changed since the theory was inferred; infer the theory again (adtinfer infer --ref %s), or check against what the package is now (--ref %s)", s.Dir, m.Package, s.Dir)}
		default:
			return s, nil
		}
	}
	switch in := strings.Join(modules, ", "); {
	case gone:
		return nil, &Lost{Model: m, Msg: fmt.Sprintf("there is no such package any more in module %s; name the directory of another one with --ref, or infer the theory again", in)}
	case in == "":
		return nil, &Lost{Model: m, Msg: "it is looked for in the module around the working directory or the theory file, and there is none; go there, or name the package's directory with --ref"}
	default:
		return nil, &Lost{Model: m, Msg: fmt.Sprintf("it belongs to another module than %s, and is not fetched from elsewhere; go into its module, or name the package's directory with --ref", in)}
	}
}

// modulesOf lists the paths of the modules in which a directory is: one, several in
// a workspace, or none.
func modulesOf(ctx context.Context, dir string) ([]string, error) {
	mod, err := goCommand(ctx, dir, "env", "GOMOD", "GOWORK")
	if err != nil {
		return nil, err
	}
	if file, work, _ := strings.Cut(mod, "\n"); strings.TrimSpace(work) == "" && (file == "" || !strings.HasSuffix(file, "go.mod")) {
		return nil, nil
	}
	paths, err := goCommand(ctx, dir, "list", "-m", "-f", "{{.Path}}")
	return strings.Fields(paths), err
}
