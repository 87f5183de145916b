package values

import (
	"testing"
	"time"
)

// TestTimes: times are ordered as their numbers are, and among the first are some of one day and month, and of others.
func TestTimes(t *testing.T) {
	for k := 1; k < 100_000; k++ {
		if a, b := concreteTime(k), concreteTime(k+1); !a.Before(b) || b.Year() > 9999 {
			t.Fatalf("time %d is %v, and the next %v", k, a, b)
		}
	}
	for _, layout := range []string{"2006", "2006-01", time.DateOnly, "2006-01-02T15"} {
		same, others := 0, 0
		for k := range 3 {
			for j := range k {
				if concreteTime(k+1).Format(layout) == concreteTime(j+1).Format(layout) {
					same++
				} else {
					others++
				}
			}
		}
		if same == 0 || others == 0 {
			t.Errorf("%s: %d pairs of the first three times are alike, %d are not", layout, same, others)
		}
	}
	if text := (Basic{Kind: KindTime}).Numbered(3); text != timeText(concreteTime(3)) {
		t.Error(text)
	}
}
