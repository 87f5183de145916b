package check_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

func TestEnumerateAgrees(t *testing.T) {
	agreeAll(t, 120, check.Enumerate{})
}
