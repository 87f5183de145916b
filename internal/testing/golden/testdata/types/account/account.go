// Package account is an account that is never overdrawn.
package account

import "errors"

// ErrInsufficient says that there is not enough money.
var ErrInsufficient = errors.New("account: insufficient funds")

// Account is empty at first.
type Account struct {
	cents int64
}

// Deposit pays money in.
func (a *Account) Deposit(cents int64) {
	a.cents += cents
}

// Withdraw pays money out and returns what is left.
func (a *Account) Withdraw(cents int64) (left int64, err error) {
	if cents > a.cents {
		return a.cents, ErrInsufficient
	}
	a.cents -= cents
	return a.cents, nil
}

// Balance returns how much there is.
func (a *Account) Balance() int64 {
	return a.cents
}
