package record

import (
	"fmt"
	"sync"

	"github.com/adtinfer/adtinfer/history"
)

// Method is a method's name, as Recorder.Method numbers it.
type Method uint16

// Outcome is an outcome class. The classes that have no constant here come
// from Recorder.Outcome.
type Outcome uint16

// The predeclared outcomes, in the order of history's: what theories and logs
// call none, value, nil, true, false and error.
const (
	None Outcome = iota
	Some         // "value", with the values that are returned
	Nil
	True
	False
	Error
)

// Variable is the name of a variable or an array of them, or of a lock or an
// array of them, as Recorder.Variable numbers it.
type Variable uint16

// names numbers the names and texts of a recorder. Names are few and have 16
// bits; texts are values.
type names struct {
	mu    sync.RWMutex
	ids   map[string]uint16
	names []string
	texts map[string]uint64
	list  []string // the texts
	err   error    // more names than numbers
}

func newNames() *names {
	n := &names{ids: map[string]uint16{}, texts: map[string]uint64{}}
	for _, o := range []history.Outcome{history.None, history.Some, history.Nil, history.True, history.False, history.Error} {
		n.id(string(o))
	}
	return n
}

// id numbers a name.
func (n *names) id(name string) uint16 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.ids[name]; ok {
		return id
	}
	if len(n.names) > 0xffff {
		n.err = fmt.Errorf("record: %q is one name too many: methods, outcomes and variables have 65536 names together; number the cells of an array by index", name)
		return 0
	}
	id := uint16(len(n.names))
	n.ids[name], n.names = id, append(n.names, name)
	return id
}

// full is an error if there were more names than numbers, so that some are mixed up.
func (n *names) full() error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.err
}

func (n *names) name(id uint16) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if int(id) >= len(n.names) {
		return fmt.Sprintf("#%d", id)
	}
	return n.names[id]
}

// textID numbers a text.
func (n *names) textID(s string) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.texts[s]; ok {
		return id
	}
	id := uint64(len(n.list))
	n.texts[s], n.list = id, append(n.list, s)
	return id
}

func (n *names) text(id uint64) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if id >= uint64(len(n.list)) {
		return fmt.Sprintf("#%d", id)
	}
	return n.list[id]
}
