package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/internal/driver"
)

// Options say how Load finds, builds and runs a package. The zero value is the
// usual choice.
type Options struct {
	Dir      string        // where the user stands: relative paths start here and messages use paths from here; default: the working directory
	Type     string        // type, constructor or Spec to use; the same as "#Name" after the path
	Skip     []string      // methods that are not operations, in either spelling
	New      string        // Go expression of the package that makes an object, such as NewRing(4); default: a constructor that needs no arguments
	TypeArg  string        // type argument of a generic type, several separated by commas; default: int, or the first basic type that the constraint admits
	Timeout  time.Duration // for one call; default: DefaultTimeout
	Warn     func(string)  // hears later what Package.Notes cannot say yet: a panic that looks like a mistake of the package; default: nobody
	Stderr   io.Writer     // gets what the package prints; default: nobody
	Whole    []string      // methods whose answers have in them what stands beside false or an error, besides those found by trying
	OneValue bool          // structs are one value each as results, and not one for each of their fields
	AnyError bool          // all errors of a method are one outcome, whichever they are
	Env      []string      // environment of the go command and of the child; default: os.Environ()
}

// Package is a user's package that was found and built and runs in a child
// process. Close it.
type Package struct {
	// Implementation answers for the package. This value (not the Package) is
	// an Acceptor if the package's Spec has Accept. Concurrent calls wait for
	// each other.
	Implementation

	Info       *Info    // of the package's Spec; nil if it has none
	Dir        string   // of the package, absolute and without symbolic links
	ImportPath string   // as the go command says it
	TypeName   string   // of the objects
	GoType     string   // the same as Go says it: *queue.Queue[int]
	Maker      string   // what makes them, as a Go function of the package: New[int]; "" for a Spec, or with Options.New
	New        string   // the expression that makes them; "" unless Options.New gave one
	Choice     string   // what was chosen: the type, constructor or Spec, as Options.Type names it
	Notes      []string // methods that were left out, and why; choices that were made
}

// LoadError says why a package cannot be used as a reference, before any call.
type LoadError struct {
	Ref    string // as the user wrote it
	Msg    string
	Output string // the go command's own text, with the user's paths
	Hint   string // what to do about it, if that is known
}

// Error is the message, then the go command's text, then the hint.
func (e *LoadError) Error() string {
	s := fmt.Sprintf("reference: %s: %s", e.Ref, e.Msg)
	if e.Output != "" {
		s += "\n" + e.Output
	}
	if e.Hint != "" {
		s += "\nhint: " + e.Hint
	}
	return s
}

// Load finds the reference that ref names, builds a program around it and
// starts that program as a child process. ref is a directory or an import path,
// perhaps followed by "#Name" of a type, a constructor or a Spec. Without a name
// the package's only exported Spec is taken, or else its only exported type with
// a constructor New..., or else its only exported type with methods, whose zero
// value must then be ready for use. A type whose constructors all have parameters
// is refused unless Options.New gives them.
//
// The error is a *LoadError, a *Fault of the package's initialization, or the
// context's. When ctx ends, the child and whatever it started end too.
func Load(ctx context.Context, ref string, opts Options) (*Package, error) {
	l, err := newLoader(ref, opts)
	if err != nil {
		return nil, err
	}
	pkg, err := l.load(ctx)
	if err != nil {
		l.remove()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return pkg, nil
}

// loader carries what the steps of Load share.
type loader struct {
	Options
	ref  string // as the user wrote it
	path string // without #Name
	temp string // directory of our own, removed in the end

	release func() // says that temp is ours no longer
	base    string // Options.Dir without symbolic links
}

func newLoader(ref string, opts Options) (*loader, error) {
	l := &loader{Options: opts, ref: ref}
	if l.Timeout <= 0 {
		l.Timeout = DefaultTimeout
	}
	if l.Stderr == nil {
		l.Stderr = io.Discard
	}
	if l.Env == nil {
		l.Env = os.Environ()
	}
	dir, err := filepath.Abs(opts.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, l.fail("%v", err)
	}
	l.base = dir
	l.splitName()
	if l.temp, l.release, err = ownDir(l.getenv("GOTMPDIR")); err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	return l, nil
}

// fail makes a LoadError.
func (l *loader) fail(format string, args ...any) *LoadError {
	return &LoadError{Ref: l.ref, Msg: fmt.Sprintf(format, args...)}
}

// getenv is the value of a variable in the loader's environment.
func (l *loader) getenv(key string) (value string) {
	for _, kv := range l.Env {
		if k, v, _ := strings.Cut(kv, "="); k == key {
			value = v
		}
	}
	return value
}

// remove removes our files. A compiler that was just killed may still be adding
// to them.
func (l *loader) remove() {
	defer l.release()
	for try := range 10 {
		if os.RemoveAll(l.temp) == nil {
			return
		}
		time.Sleep(time.Duration(try) * time.Millisecond)
	}
}

// load runs the steps.
func (l *loader) load(ctx context.Context) (*Package, error) {
	p, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	found, err := l.discover(ctx, p)
	if err != nil {
		return nil, err
	}
	exe, err := l.build(ctx, p, found)
	if err != nil {
		return nil, err
	}
	c := &child{loader: l, exe: exe, dir: p.Dir, config: driver.Config{
		Timeout: l.Timeout, Name: found.dataType(p), Skip: l.Skip, Timers: found.chance.Woken, Whole: l.Whole, AnyError: l.AnyError, OneValue: l.OneValue,
	}, chance: found.chance}
	hello, err := c.settled(ctx)
	if err != nil {
		return nil, err
	}
	pkg, err := l.introduce(hello, c, found.call())
	if err != nil {
		c.kill()
		return nil, err
	}
	notes, err := l.try(ctx, pkg, c)
	if err != nil {
		c.kill()
		return nil, err
	}
	c.closeAfter(ctx)
	pkg.Dir, pkg.ImportPath = p.Dir, p.ImportPath
	if found.made != nil {
		pkg.New = found.made.given
	} else if !found.isSpec {
		pkg.Maker = found.expression("")
	}
	pkg.Choice = l.choice(found)
	pkg.Notes = slices.Concat(found.notes, hello.Notes, notes)
	return pkg, nil
}

// choice is how Options.Type names a selection: as it did, or by the type.
func (l *loader) choice(found *selection) string {
	switch {
	case l.Type != "" || found.made != nil && found.typeName == "":
		return l.Type
	case found.typeName != "":
		return found.typeName
	}
	return found.name
}

// introduce makes a Package of the child's first frame.
func (l *loader) introduce(h *driver.Hello, c *child, called string) (*Package, error) {
	if h.Protocol != driver.Protocol {
		e := l.fail("the package uses adtinfer %s, which speaks protocol %d; this is %s with protocol %d",
			h.Version, h.Protocol, driver.Version, driver.Protocol)
		e.Hint = "use the same version of github.com/adtinfer/adtinfer in its go.mod and on the command line"
		return nil, e
	}
	if h.Error != "" {
		return nil, l.fail("%s", h.Error)
	}
	pkg := &Package{TypeName: h.TypeName, GoType: h.GoType}
	if h.Info != nil {
		pkg.Info = new(Info)
		if err := json.Unmarshal(h.Info, pkg.Info); err != nil {
			return nil, l.fail("its Spec cannot be read: %v", err)
		}
		pkg.Info.Name = h.Name
	}
	talk := newClient(h.Name, h.Methods, l.base, c)
	talk.called, talk.warn = called, l.Warn
	talk.because = func(f *driver.Fault) { l.because(c.chance, f) }
	pkg.Implementation = implementation(h.Acceptor, talk)
	return pkg, nil
}

// tempPrefix is how the names of our temporary directories begin.
const tempPrefix = "adtinfer-"

// ownerFile is locked, for as long as it lives, by the process that made the
// directory it lies in. However that ends, the lock does, too.
const ownerFile = "owner.lock"

// ownDir makes a temporary directory, and removes those of processes that were
// killed. release gives up the lock.
func ownDir(parent string) (dir string, release func(), err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	removeDead(parent)
	if dir, err = os.MkdirTemp(parent, tempPrefix); err != nil {
		return "", nil, err
	}
	release, err = own(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, release, nil
}

// own locks a file in the directory. It gets its name once it is locked, so that
// nobody finds it free in between.
func own(dir string) (release func(), err error) {
	f, err := os.CreateTemp(dir, ownerFile+"-")
	if err != nil {
		return nil, err
	}
	lock(f) // where that cannot be done, directories are not removed either
	if err := os.Rename(f.Name(), filepath.Join(dir, ownerFile)); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// removeDead removes the directories that are surely ours and whose owner is
// dead: they have the file that we lock, and it is not locked.
func removeDead(parent string) {
	owners, _ := filepath.Glob(filepath.Join(parent, tempPrefix+"*", ownerFile)) // none is fine
	for _, owner := range owners {
		f, err := os.OpenFile(owner, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if lock(f) {
			os.RemoveAll(filepath.Dir(owner))
		}
		f.Close()
	}
}
