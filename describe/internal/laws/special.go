package laws

import (
	"errors"

	"github.com/adtinfer/adtinfer/reference"
)

// special is the first of the stages that have observers of a kind of their own. Those are tried last, and only if a
// reference has such observers.
const special = indexed

// errDied ends the special stages: a large argument may take the reference too long, or too much.
var errDied = errors.New("the reference died of what its users would not do")

// specially tries the special stages for a reference that the others left open; nil: they give no closed laws.
func (l *learner) specially() (*Found, error) {
	was := *l
	for s := special; s < stages; s++ {
		f, err := l.offered(s)
		switch {
		case errors.As(err, new(*reference.Fault)):
			return nil, errDied
		case err != nil || f != nil:
			return f, err
		}
		l.w.apartBy, l.w.places = nil, false
		was.spent = l.spent
		*l = was
	}
	return nil, nil
}

// offered tries a special stage; nil: it gave no closed laws.
func (l *learner) offered(s stage) (*Found, error) {
	if err := l.offer(s); err != nil || len(l.listed) == 0 && (s != firsts || !l.more()) {
		return nil, err
	}
	for {
		f, err := l.stage(s, true)
		if err != nil || f.Closed {
			return f, err
		}
		if s != firsts || !l.more() {
			return nil, nil
		}
	}
}

// offer lists the observers of a special stage.
func (l *learner) offer(s stage) (err error) {
	switch s {
	case indexed:
		l.listed, err = l.byIndex()
	case renewed:
		l.listed, err = l.toNews()
	case untils:
		return l.timed()
	case firsts:
		return l.split()
	}
	l.w.places = len(l.listed) > 0
	return err
}
