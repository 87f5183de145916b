package laws

import (
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Document is what was found, as theories have it: the observers that answers follow from,
// and of laws that are not closed those that say something. Nil: there are none.
func (f *Found) Document() *eq.Document {
	keep := f.Set.Needed()
	d := f.Set.Only(keep).Document()
	d.Closed, d.States, d.Calls, d.Replayed = f.Closed, f.States, f.Calls, f.Replayed
	if d.Closed {
		return d
	}
	some := false
	for i := range d.Observers {
		o := &d.Observers[i]
		some = some || o.Is != "" || o.Start != "?" || len(o.After) > 0
	}
	if !some {
		return nil
	}
	return d
}
