package monitor

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// sentence says how a rule is broken. found is the operation that found nothing, or
// another that is to blame.
func sentence(r rule, values []history.Value, found string) string {
	v := func(i int) string { return string(values[i]) }
	switch r {
	case neverAdded:
		return v(0) + " was found or taken out and never put in"
	case beforeAdd:
		return v(0) + " was found or taken out before it was put in"
	case twice:
		return v(0) + " was taken out twice"
	case outOfOrder:
		return v(0) + " was put in before " + v(1) + ", which was taken out first"
	case covered:
		return found + " while " + oneOf(values) + " was in at every moment"
	case hull:
		return "none of " + several(values) + " can have been put in first and taken out last, as one of them must"
	case lifetime:
		return "there are no moments to put in and take out " + v(0) + " that fit what was seen of it"
	case lower:
		return v(0) + " was found or taken out while " + oneOf(values[1:]) + ", which comes first, was in at every moment"
	case front:
		return several(values) + " were found at the front at times that fit no order in which they can have come"
	case clash:
		return v(0) + " and " + v(1) + " cannot have come and gone in any order that is allowed"
	}
	if len(values) == 1 {
		return found + " while " + v(0) + " was in"
	}
	return several(values) + " were in at the same time"
}

// sidesOf says of the first few values why they were not below all others: others
// were surely in before they were put in, or after they were taken out.
func sidesOf(values []history.Value, sides []side) string {
	var parts []string
	for i, v := range values[:min(len(values), 5)] {
		switch x := sides[i]; {
		case x.addedLate && x.removedEarly:
			parts = append(parts, string(v)+" came too late and left too early")
		case x.addedLate:
			parts = append(parts, string(v)+" came too late")
		case x.removedEarly:
			parts = append(parts, string(v)+" left too early")
		default:
			parts = append(parts, string(v)+" was seen while others were above it")
		}
	}
	return strings.Join(parts, ", ")
}

func oneOf(values []history.Value) string {
	if len(values) == 1 {
		return string(values[0])
	}
	return "one of " + several(values)
}

// several lists values, the first few of them if there are many.
func several(values []history.Value) string {
	var parts []string
	for _, v := range values[:min(len(values), 5)] {
		parts = append(parts, string(v))
	}
	if more := len(values) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// ruleTexts lists the patterns of the shapes that a rule is about.
var ruleTexts = [...][]string{
	neverAdded: {"RX", "PX"},
	beforeAdd:  {"R1 A1", "P1 A1", "P1 A1 R1"},
	twice:      {"A1 R1 R1"},
	outOfOrder: {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	covered:    {"A1 E2", "A1 E2 R1"},
	lower:      {},
	front:      {"A1 A2 R2", "A1 A2 R2 R1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2"},
	hull:       {"A1 A2 R1", "A1 A2 R1 R2", "A1 A2 P1", "A1 A2 P1 R2", "A1 A2 P1 R2 R1"},
	lifetime:   {"R1 A1", "A1 R1 P1", "P1 A1 R1", "A1 N1", "A1 N1 R1"},
	clash:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1"},
	zones:      {"A1 A2", "A1 A2 R1", "A1 A2 R2", "A1 A2 R1 R2", "A1 A2 R2 R1", "A1 A2 P1", "A1 A2 P2", "A1 A2 P2 R1", "A1 A2 P2 R1 R2", "A1 E2", "A1 E2 R1"},
}
