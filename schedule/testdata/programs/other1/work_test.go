package other1

import "runtime"

// work stands for computing between two steps, without any synchronization: it makes the bugs rare when tests run freely.
func work() {
	x := uint32(1)
	for i := range uint32(4000) {
		x = x*1664525 + i
	}
	runtime.KeepAlive(x)
}
