package check

// Keep bounds the events that Follow keeps.
func (b *Batch) Keep(n int) { b.keep = n }

// Direct sets the number of operations from which on logs are decided in one go
// with reading them.
func (b *Batch) Direct(ops int) { b.leastOps = ops }
