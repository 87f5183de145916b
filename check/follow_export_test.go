package check

// Keep bounds the events that Follow keeps.
func (b *Batch) Keep(n int) { b.keep = n }

// Direct sets the bytes and operations from which on logs are decided in one go
// with reading them.
func (b *Batch) Direct(bytes, ops int) { b.directBytes, b.directOps = bytes, ops }
