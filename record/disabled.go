//go:build adtinfer_norecord

package record

// Enabled tells whether recording is compiled in: it is not.
const Enabled = false
