// Package anyof picks any of its members.
package anyof

// Group is a set of members.
type Group struct {
	members map[string]bool
}

// New makes an empty group.
func New() *Group {
	return &Group{members: map[string]bool{}}
}

// Join adds a member.
func (g *Group) Join(member string) {
	g.members[member] = true
}

// Leave removes a member.
func (g *Group) Leave(member string) {
	delete(g.members, member)
}

// Any returns some member.
func (g *Group) Any() (string, bool) {
	for member := range g.members {
		return member, true
	}
	return "", false
}
