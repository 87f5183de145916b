package slices

// overlaps compares the addresses of elements.
func overlaps[E any](a, b []E) bool {
	return contains(a, b) || contains(b, a)
}

// contains reports whether the first element of b is one of a.
func contains[E any](a, b []E) bool {
	if len(b) > 0 {
		for i := range a {
			if &a[i] == &b[0] {
				return true
			}
		}
	}
	return false
}
