//go:build adtinfer_norecord

package record

// enabled reports whether recording is compiled in: it is not.
const enabled = false
