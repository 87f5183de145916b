package wording

// This file finds the name a person probably meant.
//
//	Nearest("remvoe", []string{"add", "remove"}) // "remove"

import "strings"

// Nearest returns the candidate that word is most likely a misspelling of: the
// one at the smallest edit distance (insertions, deletions, substitutions and
// swaps of neighbours, letter case ignored), the earliest of several. It
// returns "" when no candidate is near: at most a third of the longer word's
// letters may differ, and one always may. O(len(word) × total candidate length).
func Nearest(word string, candidates []string) string {
	best, bestCost := "", -1
	a := []rune(strings.ToLower(word))
	for _, c := range candidates {
		b := []rune(strings.ToLower(c))
		longest := max(len(a), len(b))
		if longest-min(len(a), len(b)) > max(1, longest/3) {
			continue // so many letters are missing at least
		}
		cost := distance(a, b)
		if cost > max(1, longest/3) || cost >= longest {
			continue
		}
		if bestCost < 0 || cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// Hint is the end of an error message about an unknown word: `; did you mean
// "remove"?`, or "" when no candidate is near.
func Hint(word string, candidates []string) string {
	if c := Nearest(word, candidates); c != "" {
		return `; did you mean "` + c + `"?`
	}
	return ""
}

// distance is the optimal string alignment distance, row by row.
func distance(a, b []rune) int {
	var before []int // the row above the row above
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(above[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// HintOrAll is Hint, or a list of the candidates where none is near:
// "; its methods are add, remove" for methods.
func HintOrAll(word string, candidates []string, what string) string {
	if h := Hint(word, candidates); h != "" {
		return h
	}
	return "; its " + what + " are " + strings.Join(candidates, ", ")
}
