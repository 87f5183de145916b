package wallet

import "errors"

var (
	ErrFunds  = errors.New("insufficient funds")
	ErrAmount = errors.New("amount must be positive")
	ErrHold   = errors.New("no such hold")
)

// Wallet is a prepaid balance. Money can be held first and captured later.
type Wallet struct {
	balance int
	holds   map[int]int
	lastID  int
}

// New returns a wallet with an opening balance.
func New(balance int) *Wallet {
	return &Wallet{balance: balance, holds: map[int]int{}}
}

// TopUp adds money.
func (w *Wallet) TopUp(amount int) error {
	if amount <= 0 {
		return ErrAmount
	}
	w.balance += amount
	return nil
}

// Hold blocks an amount and returns the id of the hold.
func (w *Wallet) Hold(amount int) (int, error) {
	if amount <= 0 {
		return 0, ErrAmount
	}
	if amount > w.Available() {
		return 0, ErrFunds
	}
	w.lastID++
	w.holds[w.lastID] = amount
	return w.lastID, nil
}

// Capture spends all or part of a hold; the rest becomes available again.
func (w *Wallet) Capture(id, amount int) error {
	held, ok := w.holds[id]
	if !ok {
		return ErrHold
	}
	if amount <= 0 {
		return ErrAmount
	}
	if amount > held {
		return ErrFunds
	}
	delete(w.holds, id)
	w.balance -= amount
	return nil
}

// Cancel lifts a hold and returns the amount it had blocked.
func (w *Wallet) Cancel(id int) (int, error) {
	held, ok := w.holds[id]
	if !ok {
		return 0, ErrHold
	}
	delete(w.holds, id)
	return held, nil
}

// Available returns the balance without the held amounts.
func (w *Wallet) Available() int {
	free := w.balance
	for _, h := range w.holds {
		free -= h
	}
	return free
}

// Balance returns the balance including the held amounts.
func (w *Wallet) Balance() int { return w.balance }
