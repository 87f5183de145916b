package parkmeter

// Meter is a parking meter for one spot. Coins buy minutes, up to a limit that
// may be left on the meter at any moment.
type Meter struct {
	perCoin  int64
	maxStay  int64
	paidTill int64
	fines    int
}

// New returns a meter that gives perCoin minutes for each coin.
func New(perCoin, maxStay int64) *Meter {
	return &Meter{perCoin: perCoin, maxStay: maxStay}
}

// Insert pays one coin at minute now. The coin is refused if it would take the
// time left beyond the longest stay.
func (m *Meter) Insert(now int64) bool {
	left := m.Left(now) + m.perCoin
	if left > m.maxStay {
		return false
	}
	m.paidTill = now + left
	return true
}

// Left returns the minutes left at minute now.
func (m *Meter) Left(now int64) int64 { return max(0, m.paidTill-now) }

// Inspect writes a fine if the time has run out and reports whether it did.
func (m *Meter) Inspect(now int64) bool {
	if m.Left(now) > 0 {
		return false
	}
	m.fines++
	return true
}

// Fines returns the number of fines written at this meter.
func (m *Meter) Fines() int { return m.fines }
