package tape

import (
	"fmt"
	"sync"
)

// Names numbers the names and texts of a recording. Names are few and have 16
// bits; texts are values. The zero Names is empty.
type Names struct {
	mu    sync.RWMutex
	ids   map[string]uint16
	names []string
	texts map[string]uint64
	list  []string // the texts
	err   error    // more names than numbers
}

// ID numbers a name.
func (n *Names) ID(name string) uint16 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.ids[name]; ok {
		return id
	}
	if len(n.names) > 0xffff {
		n.err = fmt.Errorf("record: %q is one name too many: methods, outcomes and variables have 65536 names together; number the cells of an array by index", name)
		return 0
	}
	if n.ids == nil {
		n.ids = map[string]uint16{}
	}
	id := uint16(len(n.names))
	n.ids[name], n.names = id, append(n.names, name)
	return id
}

// Full is an error if there were more names than numbers, so that some are mixed up.
func (n *Names) Full() error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.err
}

// Name is the name with a number.
func (n *Names) Name(id uint16) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if int(id) >= len(n.names) {
		return fmt.Sprintf("#%d", id)
	}
	return n.names[id]
}

// Find is the number of a name, if it has one.
func (n *Names) Find(name string) (id uint16, ok bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	id, ok = n.ids[name]
	return id, ok
}

// TextID numbers a text.
func (n *Names) TextID(s string) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if id, ok := n.texts[s]; ok {
		return id
	}
	if n.texts == nil {
		n.texts = map[string]uint64{}
	}
	id := uint64(len(n.list))
	n.texts[s], n.list = id, append(n.list, s)
	return id
}

func (n *Names) text(id uint64) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if id >= uint64(len(n.list)) {
		return fmt.Sprintf("#%d", id)
	}
	return n.list[id]
}

// Since lists the names and texts behind so many of each.
func (n *Names) Since(names, texts int) (newNames, newTexts []string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.names[names:], n.list[texts:]
}
