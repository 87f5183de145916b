package reference

import (
	"errors"
	"os"
	"path/filepath"
)

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
