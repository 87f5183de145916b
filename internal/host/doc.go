// Package host is the room of what the machine offers, in packages below it: files, blocks
// of binary logs, memory, what is kept from run to run. Most rooms use them.
package host
