package trace

import (
	"fmt"
	"strings"
	"testing"
)

// TestFold folds runs of lines: goroutine, event, function, library.
func TestFold(t *testing.T) {
	for lines, want := range map[string]string{
		"1 read f, 1 read f":                               "1 read f: a; 1 read f: a",
		"1 read f, 1 read f, 1 read f":                     "1 read f: 3 reads",
		"1 read f, 1 read f, 2 read f, 1 read f":           "1 read f: a; 1 read f: a; 2 read f: a; 1 read f: a",
		"1 read f, 1 read g, 1 read f":                     "1 read f: a; 1 read g: a; 1 read f: a",
		"1 read f, 1 write f, 1 read f":                    "1 read f: a; 1 write f: a; 1 read f: a",
		"1 read f l, 1 write f l, 1 read g m, 1 write g m": "1 read f: 2 reads and 2 writes in l, m",
		"1 write f l, 1 write f l, 1 write f l":            "1 write f: 3 writes in l",
		"1 read f l, 1 sync f l, 1 read f l":               "1 read f: a; 1 sync f: a; 1 read f: a",
		"1 read f, 1 read f, 1 read f, 1 read f l":         "1 read f: 3 reads; 1 read f: a",
		"1 read f, 1 read f !, 1 read f":                   "1 read f: a; 1 read f: a <- here; 1 read f: a",
	} {
		var all []Line
		for _, text := range strings.Split(lines, ", ") {
			l := Line{Text: "a"}
			words := strings.Fields(text)
			fmt.Sscan(words[0], &l.Goroutine)
			l.Event, l.Function = words[1], words[2]
			if len(words) > 3 && words[3] == "!" {
				l.Text += " <- here"
			} else if len(words) > 3 {
				l.Library = words[3]
			}
			all = append(all, l)
		}
		var got []string
		for _, l := range Fold(all) {
			got = append(got, fmt.Sprintf("%d %s %s: %s", l.Goroutine, l.Event, l.Function, l.Text))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %s, want %s", lines, strings.Join(got, "; "), want)
		}
	}
}
