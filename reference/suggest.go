package reference

import (
	"fmt"

	"github.com/adtinfer/adtinfer/reference/driver"
)

// checkSkips refuses names to skip that no method has.
func checkSkips(skip []string, methods []driver.Method, skipped []string) error {
	known := map[string]bool{}
	var names []string
	for _, s := range skipped {
		known[s], known[driver.LowerCamel(s)] = true, true
		names = append(names, s)
	}
	for _, m := range methods {
		names = append(names, m.GoName)
	}
	for _, s := range skip {
		if !known[s] {
			return fmt.Errorf("there is no method %s to skip%s", s, didYouMean(s, names))
		}
	}
	return nil
}

// didYouMean suggests the name nearest to a wrong one, if any is near.
func didYouMean(wrong string, names []string) string {
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
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
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
