//go:build !adtinfer_norecord

package record

// enabled reports whether recording is compiled in. Under the build tag
// adtinfer_norecord it is false, the methods of a Handle are empty, and a
// recorder holds nothing.
const enabled = true
