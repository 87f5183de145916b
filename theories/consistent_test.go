package theories_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// TestConsistent: every theory admits something; ATOMIC as printed lets none.
func TestConsistent(t *testing.T) {
	consistent := func(t *testing.T, th *theory.Theory, length int) bool {
		t.Helper()
		e, err := check.Consistent(t.Context(), th, length)
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			t.Logf("%s admits %v", th.Name, e)
		}
		return e != nil
	}
	for _, name := range theories.Names() {
		if !consistent(t, load(t, name), 1) {
			t.Errorf("%s admits nothing of length 1", name)
		}
	}
	if atomic := printed(t, "atomic"); consistent(t, atomic, 3) {
		t.Errorf("ATOMIC as printed admits something")
	} else {
		repair(t, atomic, map[string]string{"ATOMIC": "forall x1:Op, x2:Op. x1 != x2 -> !(before(x1, x2) <-> before(x2, x1))"})
		if !consistent(t, atomic, 1) {
			t.Errorf("ATOMIC as repaired admits nothing")
		}
	}
}
