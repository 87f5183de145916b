package binlog_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// A text log becomes a binary one, and text again.
func Example() {
	const log = "[1] call add(7)\n[1] return\n[2] call remove\n[2] return 7\n"
	var b bytes.Buffer
	if err := history.Copy(binlog.NewWriter(&b), history.NewReader(strings.NewReader(log), "x.log")); err != nil {
		fmt.Println(err)
	}
	if err := history.Copy(history.NewTextWriter(os.Stdout), binlog.NewReader(&b, "x.bin")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1] call add(7)
	// [1] return
	// [2] call remove
	// [2] return 7
}
