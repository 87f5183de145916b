package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// listed is what go list says of a package.
type listed struct {
	Dir          string
	ImportPath   string
	Name         string
	Standard     bool
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       *struct {
		Path, Dir string
		Main      bool
	}
	Error *struct{ Err string }

	// host is the directory under which the driver is laid, hostPath its
	// import path.
	host, hostPath string
}

const listFields = "-json=Dir,ImportPath,Name,Standard,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module,Error"

// splitName takes "#Name" off the reference, unless there is a directory with
// such a name.
func (l *loader) splitName() {
	l.path = l.ref
	i := strings.LastIndexByte(l.ref, '#')
	if i < 0 || isDir(l.abs(l.ref)) {
		return
	}
	l.path = l.ref[:i]
	if l.Type == "" {
		l.Type = l.ref[i+1:]
	}
	if l.path == "" {
		l.path = "."
	}
}

// abs is a path as seen from where the user stands.
func (l *loader) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(l.base, path)
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// list finds the package: a directory if there is one of that name, otherwise
// an import path.
func (l *loader) list(ctx context.Context) (*listed, error) {
	if isDir(l.abs(l.path)) {
		return l.listDir(ctx)
	}
	if _, err := os.Stat(l.abs(l.path)); err == nil {
		return nil, l.fail("it is a file; name the directory of its package")
	}
	local := filepath.IsAbs(l.path) || l.path == "." || l.path == ".." ||
		strings.HasPrefix(l.path, "./") || strings.HasPrefix(l.path, "../") || strings.Contains(l.path, `\`)
	if local || l.path == "" {
		return nil, l.fail("no such directory")
	}
	return l.listPath(ctx)
}

func (l *loader) listDir(ctx context.Context) (*listed, error) {
	dir, err := filepath.EvalSymlinks(l.abs(l.path))
	if err != nil {
		return nil, l.fail("%v", err)
	}
	p, err := l.golist(ctx, dir, ".")
	if err != nil {
		return nil, err
	}
	if len(p.GoFiles)+len(p.CgoFiles) == 0 {
		return nil, l.noFiles(p)
	}
	p.host, p.hostPath = p.Dir, p.ImportPath
	return p, nil
}

// noFiles explains a package without files.
func (l *loader) noFiles(p *listed) error {
	if p.Error == nil || strings.Contains(p.Error.Err, "no Go files") {
		return l.fail("there are no Go files in it")
	}
	e := l.fail("it is not a package that can be built")
	e.Output = l.userPaths(p.Error.Err, p.Dir)
	return e
}

// listPath finds an import path: in the user's module, or in a temporary one
// that requires it.
func (l *loader) listPath(ctx context.Context) (*listed, error) {
	root, err := l.moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	path, version, versioned := strings.Cut(l.path, "@")
	if root != "" && !versioned {
		p, err := l.golist(ctx, l.base, path)
		if err == nil && p.Error == nil {
			return l.hosted(ctx, p, root)
		}
	}
	if !versioned {
		version = "latest"
	}
	root, err = l.temporaryModule(ctx, path, version)
	if err != nil {
		return nil, l.neither(err)
	}
	p, err := l.golist(ctx, root, path)
	if err != nil {
		return nil, err
	}
	if len(p.GoFiles)+len(p.CgoFiles) == 0 {
		return nil, l.neither(l.noFiles(p))
	}
	p.host, p.hostPath = root, temporaryPath
	return p, nil
}

// neither rewords the failure to find an import path that may have been meant as
// a directory.
func (l *loader) neither(err error) error {
	var e *LoadError
	if errors.As(err, &e) {
		e.Msg = "no such directory, and no such package"
	}
	return err
}

// hosted decides where the driver for a package found by import path goes:
// under the package if it is the user's, else under the user's module.
func (l *loader) hosted(ctx context.Context, p *listed, root string) (*listed, error) {
	if p.Module != nil && p.Module.Main {
		p.host, p.hostPath = p.Dir, p.ImportPath
		return p, nil
	}
	out, err := l.goCommand(ctx, root, "list", "-m", "-f", "{{if .Main}}{{.Path}}\t{{.Dir}}{{end}}")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && dir == root {
			p.host, p.hostPath = root, path
			return p, nil
		}
	}
	return nil, l.fail("the module in %s cannot be found", root)
}

// moduleRoot is the directory of the module the user stands in; "" if none.
func (l *loader) moduleRoot(ctx context.Context) (string, error) {
	out, err := l.goCommand(ctx, l.base, "env", "GOMOD")
	mod := strings.TrimSpace(out)
	if err != nil || mod == "" || mod == os.DevNull {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Dir(mod))
}

// temporaryPath is the import path of the temporary module.
const temporaryPath = "adtinfer.invalid/reference"

// temporaryModule makes a module that requires a package.
func (l *loader) temporaryModule(ctx context.Context, path, version string) (string, error) {
	dir, err := filepath.EvalSymlinks(l.temp)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "module")
	if err := writeFile(filepath.Join(dir, "go.mod"), "module "+temporaryPath+"\n"); err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return dir, nil // the standard library's, or nobody's
	}
	if _, err := l.goCommand(ctx, dir, "get", path+"@"+version); err != nil {
		return "", err
	}
	return dir, nil
}

func (l *loader) golist(ctx context.Context, dir, path string) (*listed, error) {
	out, err := l.goCommand(ctx, dir, "list", "-find", "-e", listFields, path)
	if err != nil {
		return nil, err
	}
	p := new(listed)
	if err := json.Unmarshal([]byte(out), p); err != nil {
		return nil, l.fail("go list: %v", err)
	}
	return p, nil
}

// goCommand runs the go command for this machine, whatever GOOS and GOARCH say:
// what it builds must run here. Its failure is a *LoadError with its text.
func (l *loader) goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(l.Env), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "PWD="+dir,
		"GOTMPDIR="+l.temp) // what an interrupted go command leaves is removed with it
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.String(), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	e := l.fail("go %s failed", args[0])
	if errors.Is(err, exec.ErrNotFound) {
		e = l.fail("the go command, which builds references, is not on the PATH")
		return "", e
	}
	text := strings.TrimSpace(stderr.String() + stdout.String())
	e.Output = l.userPaths(text, dir)
	if strings.Contains(text, "go.mod file not found") || strings.Contains(text, "cannot find main module") {
		e.Msg = "it is in no Go module"
		e.Hint = "run `go mod init example.com/name` in " + shortPath(l.base, dir)
	}
	return "", e
}

// sourcePath is a file that a line of the go command's output begins with.
var sourcePath = wording.Regexp(`(?m)^((?:vet: )?\s*)([^\s:][^:\n]*\.go)(:\d+)`)

// userPaths rewrites the paths in the go command's output, which are relative
// to dir, as the user sees them.
func (l *loader) userPaths(text, dir string) string {
	return sourcePath().ReplaceAllStringFunc(text, func(s string) string {
		m := sourcePath().FindStringSubmatch(s)
		path := m[2]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		return m[1] + shortPath(l.base, path) + m[3]
	})
}
