package golden

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/states"
)

// TestKept opens the states of each type and compares how they are kept with the
// table.
func TestKept(t *testing.T) {
	each(t, func(t *testing.T, typ *Type) {
		space, err := load(t, typ).(states.Keeper).States(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer space.Close()
		if got := inWords(space.Kept()); got != typ.States && !*update {
			t.Errorf("its states are %s, want %s", got, typ.States)
		}
		typ.States = inWords(space.Kept())
	})
}

// inWords is how states are kept, in a cell of the table.
func inWords(k states.Kept) string {
	s := "replayed"
	if k.Copied {
		s = "copied"
	}
	if !k.Interned {
		s += ", not interned"
	}
	for i, why := range k.Why {
		why, _, _ = strings.Cut(why, ": ") // what comes then are calls, which chance found
		s += []string{": ", "; "}[min(i, 1)] + why
	}
	return s
}
