//go:build go1.21

package driver

import "fmt"

// checkSkips refuses names to skip that no method has.
func (m *Machine) checkSkips(skip []string) error {
	known := nameSet{}
	names := append([]string(nil), m.skipped...)
	for _, s := range names {
		known[s], known[LowerCamel(s)] = true, true
	}
	for i := range m.Methods {
		names = append(names, m.Methods[i].GoName)
	}
	for _, s := range skip {
		if !known[s] {
			return fmt.Errorf("there is no method %s to skip%s", s, DidYouMean(s, names))
		}
	}
	return nil
}

// DidYouMean suggests the name nearest to a wrong one, if any is near.
func DidYouMean(wrong string, names []string) string {
	best, least := "", len(wrong)/2+1
	for _, n := range names {
		if d := distance(wrong, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// distance is the Levenshtein distance, in O(len(a) len(b)).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		diagonal := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
