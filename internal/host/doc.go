// Package host is the room of what the machine offers, in packages below it: files, blocks
// of binary logs, memory. The commands, the readers of logs, record and check use them.
package host
