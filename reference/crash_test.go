package reference

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the Go runtime prints, with the package in /home/u/q.
func TestReadCrash(t *testing.T) {
	const calling = "created by example.com/m/adtinferdriver/driver.(*Machine).run in goroutine 1\n\t/tmp/x/run.go:71 +0x1\n"
	for _, c := range []struct {
		name, printed string
		want          crash
	}{
		{"nothing", "hello\n", crash{}},
		{"only a message", "panic: early\n", crash{message: "panic: early"}},
		{"a panic in a library",
			"hello\npanic: strings: negative Repeat count\n\ngoroutine 20 [running]:\n" +
				"strings.Repeat({0x4ab870?, 0x0?}, 0x0?)\n\t/usr/local/go/src/strings/strings.go:628 +0x56f\n" +
				"plain.(*Q).D.func1()\n\t/home/u/q/q.go:8 +0x26\ncreated by plain.(*Q).D in goroutine 7\n\t/home/u/q/q.go:7 +0x1a\n" +
				"\ngoroutine 1 [select]:\nmain.main()\n\t/home/u/q/adtinferdriver/main.go:3\n",
			crash{message: "panic: strings: negative Repeat count", where: "/home/u/q/q.go:8", another: true, started: "/home/u/q/q.go:7"}},
		{"several lines, panicked again",
			"panic: one\n\ttwo [recovered, repanicked]\n\ngoroutine 3 [running]:\nplain.C.func1.1()\n\t/home/u/q/q.go:7 +0x18\n" +
				"panic({0x494220?, 0x4b5e00?})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\ncreated by plain.C in goroutine 1\n\t/home/u/q/q.go:9 +0x1a\n",
			crash{message: "panic: one", where: "/home/u/q/q.go:7", another: true, started: "/home/u/q/q.go:9"}},
		{"a timer, in another package",
			"panic: x\n\ngoroutine 17 [running]:\npanic({0x4?})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\nother.F()\n\t/home/u/qq/f.go:10\n" +
				"created by time.goFunc\n\t/usr/local/go/src/time/sleep.go:215 +0x2d\n",
			crash{message: "panic: x", where: "/home/u/qq/f.go:10", another: true}},
		{"a call",
			"fatal error: sync: unlock of unlocked mutex\n\ngoroutine 18 [running]:\nsync.fatal({0x5?})\n\t/usr/local/go/src/runtime/panic.go:1181 +0x18\n" +
				"plain.(*Q).Fatal()\n\t/home/u/q/q.go:5 +0x1\n" + calling,
			crash{message: "fatal error: sync: unlock of unlocked mutex", where: "/home/u/q/q.go:5"}},
		{"cut", "panic: x\n\ngoroutine 1 [running]:\nplain.F()", crash{message: "panic: x"}},
	} {
		if d := cmp.Diff(c.want, readCrash(c.printed, "/home/u/q"), cmp.AllowUnexported(crash{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
