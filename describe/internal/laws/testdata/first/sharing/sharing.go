package sharing

import "errors"

// Level is what a person may do with a document.
type Level int

// Levels, each including the ones before it.
const (
	None Level = iota
	View
	Comment
	Edit
	Owner
)

var (
	ErrDenied = errors.New("sharing: permission denied")
	ErrLevel  = errors.New("sharing: level cannot be given")
	ErrOwner  = errors.New("sharing: the owner's access cannot be changed")
)

// Access is the access list of a document with exactly one owner.
type Access struct {
	owner  string
	levels map[string]Level
	public Level
}

// New returns the access list of a private document.
func New(owner string) *Access {
	return &Access{owner: owner, levels: map[string]Level{}}
}

// LevelOf returns the level of a person, at least that of the public.
func (a *Access) LevelOf(person string) Level {
	if person == a.owner {
		return Owner
	}
	return max(a.levels[person], a.public)
}

// Share sets the level of a person. Editors may share, too, but nobody can be
// given ownership this way. None takes the personal access away.
func (a *Access) Share(by, person string, level Level) error {
	if a.LevelOf(by) < Edit {
		return ErrDenied
	}
	if level < None || level > Edit {
		return ErrLevel
	}
	if person == a.owner {
		return ErrOwner
	}
	if level == None {
		delete(a.levels, person)
	} else {
		a.levels[person] = level
	}
	return nil
}

// Publish sets the level that everybody has. Only the owner may do so, and the
// public never gets more than Comment.
func (a *Access) Publish(by string, level Level) error {
	if by != a.owner {
		return ErrDenied
	}
	if level < None || level > Comment {
		return ErrLevel
	}
	a.public = level
	return nil
}

// Transfer makes another person the owner; the old owner stays an editor.
func (a *Access) Transfer(by, to string) error {
	if by != a.owner {
		return ErrDenied
	}
	if to == by {
		return nil
	}
	delete(a.levels, to)
	a.levels[by] = Edit
	a.owner = to
	return nil
}
