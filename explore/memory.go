package explore

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// machineMemory is how many bytes of memory the machine has, or 8 GB if it does not say.
func machineMemory() int64 {
	const unknown = 8 << 30
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "MemTotal:"); ok {
			if kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64); err == nil {
				return kb << 10
			}
		}
	}
	return unknown
}
