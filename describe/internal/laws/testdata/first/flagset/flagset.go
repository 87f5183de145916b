package flagset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrUndefined is wrapped by errors about flags that were never defined.
var ErrUndefined = errors.New("flag not defined")

type flag struct {
	on        bool
	overrides map[string]bool
}

// Flags is a set of feature flags. Each has a general setting and may be
// overridden for single users.
type Flags struct {
	flags   map[string]*flag
	version int
}

// New returns an empty set.
func New() *Flags { return &Flags{flags: map[string]*flag{}} }

func (f *Flags) get(name string) (*flag, error) {
	fl, ok := f.flags[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrUndefined)
	}
	return fl, nil
}

// Define adds a flag with its general setting, or changes the setting.
func (f *Flags) Define(name string, on bool) {
	fl, ok := f.flags[name]
	if ok && fl.on == on {
		return
	}
	if !ok {
		fl = &flag{overrides: map[string]bool{}}
		f.flags[name] = fl
	}
	fl.on = on
	f.version++
}

// Override sets a flag for one user only.
func (f *Flags) Override(name, user string, on bool) error {
	fl, err := f.get(name)
	if err != nil {
		return err
	}
	if old, ok := fl.overrides[user]; !ok || old != on {
		fl.overrides[user] = on
		f.version++
	}
	return nil
}

// Enabled reports whether the flag is on for a user.
func (f *Flags) Enabled(name, user string) (bool, error) {
	fl, err := f.get(name)
	if err != nil {
		return false, err
	}
	if on, ok := fl.overrides[user]; ok {
		return on, nil
	}
	return fl.on, nil
}

// ActiveFor returns the names of the flags that are on for a user, sorted.
func (f *Flags) ActiveFor(user string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f.flags)) {
		if on, _ := f.Enabled(name, user); on {
			out = append(out, name)
		}
	}
	return out
}

// Version grows by one with every real change.
func (f *Flags) Version() int { return f.version }
