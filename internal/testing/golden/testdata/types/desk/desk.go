package desk

// Desk serves one customer, and lets one wait.
type Desk struct{ owner, next string }

func (d *Desk) Ask(who string) string {
	switch {
	case d.owner == "":
		d.owner = who
		return "yours"
	case d.next == "" && d.owner != who:
		d.next = who
		return "wait"
	}
	return "no"
}
func (d *Desk) Leave(who string) bool {
	if d.owner != who || who == "" {
		return false
	}
	d.owner, d.next = d.next, ""
	return true
}
func (d *Desk) Owner() (string, bool) { return d.owner, d.owner != "" }
