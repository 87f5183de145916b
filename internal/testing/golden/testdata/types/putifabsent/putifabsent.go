// Package putifabsent is a registry in which the first entry of a name stays.
package putifabsent

// Registry maps names to addresses.
type Registry struct {
	addresses map[string]string
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{addresses: make(map[string]string)}
}

// PutIfAbsent registers a name. If it is registered already, the address that
// it has is returned, else nil.
func (r *Registry) PutIfAbsent(name, address string) *string {
	if a, ok := r.addresses[name]; ok {
		return &a
	}
	r.addresses[name] = address
	return nil
}

// Lookup returns the address of a name, nil if it has none.
func (r *Registry) Lookup(name string) *string {
	if a, ok := r.addresses[name]; ok {
		return &a
	}
	return nil
}
