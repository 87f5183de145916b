package some

import (
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

type table struct{ rows int }

func (t table) few() int { return many }

var many = int(testsize.Samples(100))

func TestOne(t *testing.T)     { testsize.NeedsLong(t) }
func TestByValue(t *testing.T) { t.Log(table{}.few()) }
func TestNot(t *testing.T)     { t.Log(table{}.rows) }
func TestAlways(t *testing.T)  { testsize.Check(t, 1, nil) }
func TestInner(t *testing.T)   { t.Run("one", inner) }

func inner(t *testing.T) { TestOne(t) }
