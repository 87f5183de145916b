package schedule

import (
	"fmt"
	"strings"
	"testing"
)

// TestSteps: what is behind a gate is drawn where it happened, which is after the turns of others.
func TestSteps(t *testing.T) {
	kind := map[string]int{}
	for i, k := range kinds {
		kind[k] = i
	}
	at := func(id int, what string, line int) event {
		return event{kind: kind[what], id: id, file: "a.go", line: line}
	}
	for _, tt := range []struct {
		name   string
		events []event
		want   string
	}{
		{"a load, and the turn of another goroutine before the add", []event{at(1, "atomic", 1), at(1, "atomic", 2), at(2, "atomic", 1), at(2, "atomic", 2), at(2, "ends", 0), at(1, "ends", 0)},
			"1:1 2:1 2:2 2:0 1:2 1:0"},
		{"both stand at a gate first", []event{at(1, "atomic", 1), at(2, "atomic", 1), at(1, "atomic", 2), at(1, "ends", 0), at(2, "atomic", 2), at(2, "ends", 0)},
			"1:1 1:2 1:0 2:1 2:2 2:0"},
		{"a lock that is not free", []event{at(1, "lock", 1), at(1, "waits", 0), at(2, "lock", 9), at(2, "ends", 0), at(1, "ends", 0)},
			"1:1 1:0 2:9 2:0 1:0"},
		{"one that does not go on", []event{at(1, "atomic", 1), at(2, "atomic", 5), at(2, "ends", 0)}, "2:5 2:0"},
	} {
		var got []string
		for _, s := range steps(tt.events) {
			got = append(got, fmt.Sprintf("%d:%d", s.Goroutine, s.Line))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}
