// Package vending is a coin-operated vending machine.
package vending

import "errors"

// Errors returned by Machine.
var (
	ErrUnknown = errors.New("vending: unknown slot")
	ErrSoldOut = errors.New("vending: sold out")
	ErrCredit  = errors.New("vending: not enough credit")
)

type slot struct {
	price int
	count int
}

// Machine sells products from numbered slots. Money is in cents.
type Machine struct {
	slots  map[int]*slot
	credit int
	box    int
}

// New returns an empty machine.
func New() *Machine { return &Machine{slots: make(map[int]*slot)} }

// Load puts count products into a slot and sets its price.
func (m *Machine) Load(number, price, count int) {
	s, ok := m.slots[number]
	if !ok {
		s = &slot{}
		m.slots[number] = s
	}
	s.price = price
	s.count += count
}

// Insert accepts a coin of 5, 10, 20, 50, 100 or 200 cents and returns the
// credit. Other coins fall through.
func (m *Machine) Insert(coin int) int {
	switch coin {
	case 5, 10, 20, 50, 100, 200:
		m.credit += coin
	}
	return m.credit
}

// Buy delivers one product and returns the credit that is left.
func (m *Machine) Buy(number int) (int, error) {
	s, ok := m.slots[number]
	if !ok {
		return m.credit, ErrUnknown
	}
	if s.count == 0 {
		return m.credit, ErrSoldOut
	}
	if m.credit < s.price {
		return m.credit, ErrCredit
	}
	s.count--
	m.credit -= s.price
	m.box += s.price
	return m.credit, nil
}

// Refund returns the whole credit to the customer.
func (m *Machine) Refund() int {
	c := m.credit
	m.credit = 0
	return c
}

// Collect empties the cash box and returns what was in it.
func (m *Machine) Collect() int {
	b := m.box
	m.box = 0
	return b
}
