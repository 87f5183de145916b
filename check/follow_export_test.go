package check

// Keep bounds the events that Follow keeps.
func (b *Batch) Keep(n int) { b.keep = n }
