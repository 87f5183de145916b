package configurations

import (
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// Keys follows an execution event by event, the keys of a product each on their own. A
// key in which nothing runs, and that can be in one state only, costs that state, or
// nothing if it is the first one. After an error, or a violation, Keys are of no use.
type Keys struct {
	products []*theory.Product // outermost first; all operations of each belong to one key
	machine  semantics.Machine
	start    semantics.State
	parts    map[string]*keyed
	free     []*busy // to be used again
	held     int     // operations that run, and configurations
	work     int     // configurations that were looked at
}

// keyed is what is known of a key.
type keyed struct {
	state semantics.State // the only one that is possible, before what runs
	now   *busy           // nil if nothing runs
}

// busy is what runs in a key: a single operation that found the key in one state, which
// needs no configurations, or a Set.
type busy struct {
	id    string
	label history.Label
	set   *Set
}

func (b *busy) live() int {
	if b.set == nil {
		return 2
	}
	return b.set.Live()
}

// NewKeys is before the first event of an execution of a theory. The error is Of's.
func NewKeys(s *theory.Spec) (*Keys, error) {
	k := &Keys{parts: map[string]*keyed{}}
	part := s
	for part.Product != nil && part.IsLocal() {
		k.products = append(k.products, part.Product)
		part = &part.Product.Part
	}
	var err error
	if k.machine, err = Of(part); err != nil {
		k.products = nil
		k.machine, err = Of(s)
	}
	if err != nil {
		return nil, err
	}
	k.start = k.machine.Init()
	return k, nil
}

// Call says that an operation is called. If its label has an answer it is known what it
// will be. Texts of it are copied.
func (k *Keys) Call(id string, l *history.Label) {
	label, key := k.project(l)
	p := k.parts[key]
	if p == nil {
		p = &keyed{state: k.start}
		k.parts[strings.Clone(key)] = p
	}
	if p.now == nil {
		p.now = k.busy()
		p.now.id = own(id, &label)
		p.now.label = label
	} else {
		k.held -= p.now.live()
		p.now.together(k.machine, p.state)
		id = own(id, &label)
		p.now.set.Call(id, &label)
	}
	k.held += p.now.live()
}

// Return says that a running operation, whose label has its answer now, returned, and
// reports whether that can be.
func (k *Keys) Return(id string, l *history.Label) (bool, error) {
	label, key := k.project(l)
	p := k.parts[key]
	k.held -= p.now.live()
	ok, settled := false, true
	label.Args = nil
	own("", &label)
	if set := p.now.set; set == nil {
		label.Args = p.now.label.Args
		if p.state, ok = k.machine.Step(p.state, &label); failure(k.machine) != nil {
			return false, failure(k.machine)
		}
	} else {
		var err error
		k.work -= set.work
		ok, err = set.Return(id, label.Outcome, label.Rets...)
		if k.work += set.work; err != nil {
			return false, err
		}
		var state semantics.State
		if state, settled = set.Settled(); settled {
			p.state = state
		}
	}
	switch {
	case !ok:
	case !settled:
		k.held += p.now.live()
	default:
		k.free = append(k.free, p.now)
		if p.now = nil; p.state.Equal(k.start) {
			delete(k.parts, key)
		}
	}
	return ok, nil
}

// Work counts the configurations that were looked at, of operations that overlap in a
// key: what following has cost beside a step for each event.
func (k *Keys) Work() int { return k.work }

// Live counts the operations that run, and what is possible in each key.
func (k *Keys) Live() int { return k.held + len(k.parts) }

// project is the key of an operation, and its label there.
func (k *Keys) project(l *history.Label) (label history.Label, key string) {
	label = *l
	for i, p := range k.products {
		part, own, _ := p.Of(label.Method).Project(label)
		if label = part; i == 0 {
			key = string(own)
		} else {
			key = strconv.Itoa(len(key)) + ":" + key + string(own)
		}
	}
	return label, key
}

// busy is for a key in which nothing runs.
func (k *Keys) busy() *busy {
	last := len(k.free) - 1
	if last < 0 {
		return new(busy)
	}
	b := k.free[last]
	k.free = k.free[:last]
	*b = busy{}
	return b
}

// together makes a Set of what runs in a state.
func (b *busy) together(m semantics.Machine, s semantics.State) {
	if b.set == nil {
		b.set = From(m, s)
		b.set.Call(b.id, &b.label)
	}
}

// Exact reports whether no answer is known in advance in the key of an operation whose
// return cannot be: if so, what happened before it could.
func (k *Keys) Exact(l *history.Label) bool {
	_, key := k.project(l)
	p := k.parts[key]
	return p == nil || p.now == nil || p.now.set == nil || !p.now.set.knows()
}

// own copies an identifier and the values of a label, which may be parts of much text.
func own(id string, l *history.Label) string {
	size := len(id)
	for _, values := range [...][]history.Value{l.Args, l.Rets} {
		for _, v := range values {
			size += len(v)
		}
	}
	var all strings.Builder
	all.Grow(size) // so that it stays where it is
	all.WriteString(id)
	copied := make([]history.Value, 0, len(l.Args)+len(l.Rets))
	for _, values := range [...]*[]history.Value{&l.Args, &l.Rets} {
		from := len(copied)
		for _, v := range *values {
			all.WriteString(string(v))
			copied = append(copied, history.Value(all.String()[all.Len()-len(v):]))
		}
		*values = copied[from:len(copied):len(copied)]
	}
	return all.String()[:len(id)]
}
