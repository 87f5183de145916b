// Package bank moves money between accounts.
package bank

import (
	"errors"
	"fmt"
)

// ErrAmount says that an amount is not positive.
var ErrAmount = errors.New("bank: amount must be positive")

// Bank has an account for everybody.
type Bank struct {
	balances map[string]int
}

// New opens a bank without money.
func New() *Bank {
	return &Bank{balances: map[string]int{}}
}

// Deposit pays into an account.
func (b *Bank) Deposit(account string, amount int) error {
	if amount <= 0 {
		return ErrAmount
	}
	b.balances[account] += amount
	return nil
}

// Transfer moves money, if there is enough.
func (b *Bank) Transfer(from, to string, amount int) error {
	if amount <= 0 {
		return ErrAmount
	}
	if has := b.balances[from]; has < amount {
		return fmt.Errorf("bank: %s has only %d", from, has)
	}
	b.balances[from] -= amount
	b.balances[to] += amount
	return nil
}

// Balance says how much is in an account.
func (b *Bank) Balance(account string) int {
	return b.balances[account]
}
