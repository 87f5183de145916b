// Package memory knows how much memory there is, and ends work that takes more than its
// part.
//
//	guard := memory.Watch(4 << 30)
//	defer guard.Close()
//	ctx, use := guard.Enter(ctx) // ends when memory is short, with the cause *Exceeded
//	defer use.Leave()
//
//	Machine  how much there is
//	Parse    sizes as users write them
//	Guard    ends work before memory does
package memory

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Machine is how many bytes of memory the machine has, or the control group that the
// process runs in if that is less; 8 GB if neither says.
func Machine() int64 {
	total := int64(8 << 30)
	if n := number("/proc/meminfo", "MemTotal:"); n > 0 {
		total = n << 10
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if n := number(path, ""); n > 0 {
			total = min(total, n)
		}
	}
	return total
}

// number is the number after a word in a file, 0 if there is none.
func number(path, word string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), word); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64); err == nil {
				return n
			}
		}
	}
	return 0
}

// Parse reads a size such as 512MB. The error says what is wrong with the text alone.
func Parse(text string) (int64, error) {
	digits, shift := strings.ToUpper(text), 0
	for i, unit := range []string{"KB", "MB", "GB", "TB"} {
		if rest, ok := strings.CutSuffix(digits, unit); ok {
			digits, shift = rest, 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("wants a size such as 512MB or 4GB, not %q", text)
	}
	return n << shift, nil
}

// Size is a number of bytes as Parse reads it, in the largest unit that fits.
func Size(n int64) string {
	for i, unit := range []string{"TB", "GB", "MB", "KB"} {
		if shift := 10 * (4 - i); n >= 1<<shift && n%(1<<shift) == 0 {
			return fmt.Sprintf("%d%s", n>>shift, unit)
		}
	}
	return strconv.FormatInt(n, 10)
}
