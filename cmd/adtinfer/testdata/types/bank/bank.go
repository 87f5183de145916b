// Package bank keeps accounts.
package bank

import (
	"errors"
	"sync"
)

// ErrFunds says that an account does not have enough.
var ErrFunds = errors.New("bank: insufficient funds")

// Bank has an account for every name, with nothing in it at first.
type Bank struct {
	mu       sync.Mutex
	balances map[string]int
}

// New returns a bank.
func New() *Bank { return &Bank{balances: map[string]int{}} }

// Deposit pays in.
func (b *Bank) Deposit(account string, amount int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balances[account] += amount
}

// Withdraw pays out.
func (b *Bank) Withdraw(account string, amount int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.balances[account] < amount {
		return ErrFunds
	}
	b.balances[account] -= amount
	return nil
}

// Balance returns what is in an account.
func (b *Bank) Balance(account string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.balances[account]
}
