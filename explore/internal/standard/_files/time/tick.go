package time

type Ticker struct{ C <-chan Time }

func NewTicker(d Duration) *Ticker
func Tick(d Duration) <-chan Time
func (t *Ticker) Stop()
func (t *Ticker) Reset(d Duration)
