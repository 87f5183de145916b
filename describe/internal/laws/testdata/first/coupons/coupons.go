package coupons

import "errors"

var (
	ErrUnknownCode = errors.New("coupons: unknown code")
	ErrUsedUp      = errors.New("coupons: code used up")
	ErrAgain       = errors.New("coupons: customer already used this code")
	ErrExists      = errors.New("coupons: code already issued")
	ErrInvalid     = errors.New("coupons: invalid percentage or limit")
)

type coupon struct {
	percent int
	limit   int
	usedBy  map[string]bool
}

// Book holds percentage coupons. Each can be redeemed a limited number of
// times, once per customer.
type Book struct {
	codes map[string]*coupon
}

// NewBook returns a book without coupons.
func NewBook() *Book { return &Book{codes: map[string]*coupon{}} }

// Issue creates a coupon worth percent off that can be used limit times.
func (b *Book) Issue(code string, percent, limit int) error {
	if percent < 1 || percent > 100 || limit < 1 {
		return ErrInvalid
	}
	if _, ok := b.codes[code]; ok {
		return ErrExists
	}
	b.codes[code] = &coupon{percent: percent, limit: limit, usedBy: map[string]bool{}}
	return nil
}

// Redeem uses a coupon on an amount and returns what is left to pay.
func (b *Book) Redeem(code, customer string, amount int) (int, error) {
	c, ok := b.codes[code]
	if !ok {
		return amount, ErrUnknownCode
	}
	if c.usedBy[customer] {
		return amount, ErrAgain
	}
	if len(c.usedBy) >= c.limit {
		return amount, ErrUsedUp
	}
	c.usedBy[customer] = true
	return amount - amount*c.percent/100, nil
}

// Left returns how often a coupon can still be used.
func (b *Book) Left(code string) (int, bool) {
	c, ok := b.codes[code]
	if !ok {
		return 0, false
	}
	return c.limit - len(c.usedBy), true
}

// Withdraw removes a coupon.
func (b *Book) Withdraw(code string) error {
	if _, ok := b.codes[code]; !ok {
		return ErrUnknownCode
	}
	delete(b.codes, code)
	return nil
}
