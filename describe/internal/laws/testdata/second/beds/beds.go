// Package beds assigns the beds of a hospital ward.
package beds

// Ward has beds numbered from 0. A bed that a patient has left must be
// cleaned before it is used again.
type Ward struct {
	patient []string
	dirty   []bool
}

// NewWard returns a ward of n clean, empty beds.
func NewWard(n int) *Ward {
	return &Ward{patient: make([]string, n), dirty: make([]bool, n)}
}

// Assign puts a patient in the first clean empty bed. It returns -1 when
// there is none, when the name is empty or when the patient has a bed.
func (w *Ward) Assign(name string) int {
	if name == "" || w.Find(name) >= 0 {
		return -1
	}
	for i, p := range w.patient {
		if p == "" && !w.dirty[i] {
			w.patient[i] = name
			return i
		}
	}
	return -1
}

// Find returns the bed of a patient, or -1.
func (w *Ward) Find(name string) int {
	if name == "" {
		return -1
	}
	for i, p := range w.patient {
		if p == name {
			return i
		}
	}
	return -1
}

// Discharge sends a patient home and leaves the bed dirty.
func (w *Ward) Discharge(name string) bool {
	i := w.Find(name)
	if i < 0 {
		return false
	}
	w.patient[i] = ""
	w.dirty[i] = true
	return true
}

// Clean makes all dirty beds usable and returns how many there were.
func (w *Ward) Clean() int {
	n := 0
	for i := range w.dirty {
		if w.dirty[i] {
			w.dirty[i] = false
			n++
		}
	}
	return n
}

// Census returns how many beds are occupied, dirty and available.
func (w *Ward) Census() (occupied, dirty, available int) {
	for i, p := range w.patient {
		switch {
		case p != "":
			occupied++
		case w.dirty[i]:
			dirty++
		default:
			available++
		}
	}
	return
}
