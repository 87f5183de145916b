package check_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// TestOptions: every option has a field of its own.
func TestOptions(t *testing.T) {
	fields := map[any]string{}
	var o check.Options
	for _, f := range check.Flags() {
		if f.Field == nil {
			continue
		}
		field := f.Field(&o)
		if other := fields[field]; other != "" {
			t.Errorf("--%s and --%s are one field", f.Name, other)
		}
		fields[field] = f.Name
	}
}
