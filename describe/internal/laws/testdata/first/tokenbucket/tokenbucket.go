package tokenbucket

// Bucket limits a rate. It holds up to burst tokens and gains one token every
// interval; each permitted action costs tokens.
type Bucket struct {
	burst    int64
	interval int64
	tokens   int64
	last     int64 // time up to which tokens have been credited
	denied   int
}

// New returns a full bucket whose clock stands at 0.
func New(burst, interval int64) *Bucket {
	return &Bucket{burst: burst, interval: max(interval, 1), tokens: burst}
}

func (b *Bucket) refill(now int64) {
	if now <= b.last {
		return
	}
	gained := (now - b.last) / b.interval
	b.last += gained * b.interval
	b.tokens = min(b.burst, b.tokens+gained)
}

// Allow tries to spend one token at time now.
func (b *Bucket) Allow(now int64) bool { return b.AllowN(now, 1) }

// AllowN tries to spend n tokens at time now; it spends all of them or none.
func (b *Bucket) AllowN(now, n int64) bool {
	b.refill(now)
	if n < 0 || n > b.tokens {
		b.denied++
		return false
	}
	b.tokens -= n
	return true
}

// Tokens returns the tokens there are at time now.
func (b *Bucket) Tokens(now int64) int64 {
	b.refill(now)
	return b.tokens
}

// Denied returns how many requests were turned down.
func (b *Bucket) Denied() int { return b.denied }
