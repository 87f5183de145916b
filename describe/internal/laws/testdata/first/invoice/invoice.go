package invoice

import (
	"errors"
	"fmt"
)

// State is the stage an invoice has reached.
type State int

const (
	Draft State = iota
	Sent
	Paid
	Void
)

// String returns the state's name.
func (s State) String() string {
	return [...]string{"draft", "sent", "paid", "void"}[s]
}

// ErrNothingDue is returned when an empty invoice is sent.
var ErrNothingDue = errors.New("invoice: nothing due")

// Invoice is a bill in cents. Items are added while it is a draft; after it
// was sent it collects payments.
type Invoice struct {
	state State
	total int
	paid  int
}

// New returns an empty draft.
func New() *Invoice { return &Invoice{} }

// AddItem adds qty pieces at the given price.
func (i *Invoice) AddItem(qty, price int) error {
	if i.state != Draft {
		return fmt.Errorf("invoice: cannot add to a %v invoice", i.state)
	}
	if qty < 1 || price < 1 {
		return fmt.Errorf("invoice: bad item %d x %d", qty, price)
	}
	i.total += qty * price
	return nil
}

// Send closes the draft.
func (i *Invoice) Send() error {
	if i.state != Draft {
		return fmt.Errorf("invoice: cannot send a %v invoice", i.state)
	}
	if i.total == 0 {
		return ErrNothingDue
	}
	i.state = Sent
	return nil
}

// Pay records a payment and returns the part of it that was too much.
func (i *Invoice) Pay(amount int) (change int, err error) {
	if i.state != Sent {
		return amount, fmt.Errorf("invoice: cannot pay a %v invoice", i.state)
	}
	if amount < 1 {
		return amount, fmt.Errorf("invoice: bad amount %d", amount)
	}
	used := min(amount, i.Due())
	i.paid += used
	if i.Due() == 0 {
		i.state = Paid
	}
	return amount - used, nil
}

// Cancel voids an invoice on which nothing has been paid.
func (i *Invoice) Cancel() bool {
	if i.state == Void || i.paid > 0 {
		return false
	}
	i.state = Void
	return true
}

// Due returns the amount that is still open.
func (i *Invoice) Due() int { return i.total - i.paid }

// State returns the present state.
func (i *Invoice) State() State { return i.state }
