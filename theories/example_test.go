package theories_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/theories"
)

// A queue that makes up a value.
func ExampleLoad() {
	t, err := theories.Load("queue")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := check.New(t, check.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	log := "[1] call add(7)\n[2] call remove\n[1] return\n[2] return 8\n"
	r, err := c.CheckLog(context.Background(), strings.NewReader(log), "run.log")
	fmt.Println(r.Verdict, r.Prefix, err)
	// Output: violation 4 <nil>
}
