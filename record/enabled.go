//go:build !adtinfer_norecord

package record

// Enabled tells whether recording is compiled in. Under the build tag
// adtinfer_norecord it is false, the methods of a Handle are empty, and a
// recorder holds nothing.
const Enabled = true
