package roles

import (
	"maps"
	"slices"
)

type set map[string]struct{}

// Registry answers who may do what. Users have roles and roles grant
// permissions.
type Registry struct {
	grants  map[string]set // role -> permissions
	members map[string]set // user -> roles
}

// NewRegistry returns a registry that allows nothing.
func NewRegistry() *Registry {
	return &Registry{grants: map[string]set{}, members: map[string]set{}}
}

// Grant adds a permission to a role, creating the role if necessary.
func (r *Registry) Grant(role, permission string) {
	if r.grants[role] == nil {
		r.grants[role] = set{}
	}
	r.grants[role][permission] = struct{}{}
}

// Assign gives a user a role. It returns false if the role does not exist.
func (r *Registry) Assign(user, role string) bool {
	if _, ok := r.grants[role]; !ok {
		return false
	}
	if r.members[user] == nil {
		r.members[user] = set{}
	}
	r.members[user][role] = struct{}{}
	return true
}

// DropRole deletes a role and returns how many users lost it.
func (r *Registry) DropRole(role string) int {
	delete(r.grants, role)
	n := 0
	for _, roles := range r.members {
		if _, ok := roles[role]; ok {
			delete(roles, role)
			n++
		}
	}
	return n
}

// Can reports whether any of the user's roles grants the permission.
func (r *Registry) Can(user, permission string) bool {
	for role := range r.members[user] {
		if _, ok := r.grants[role][permission]; ok {
			return true
		}
	}
	return false
}

// Permissions lists everything the user may do, sorted.
func (r *Registry) Permissions(user string) []string {
	all := set{}
	for role := range r.members[user] {
		maps.Copy(all, r.grants[role])
	}
	return slices.Sorted(maps.Keys(all))
}
