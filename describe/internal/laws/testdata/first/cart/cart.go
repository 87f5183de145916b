package cart

import (
	"errors"
	"fmt"
)

// ErrPrice is returned when a product is added at a second, different price.
var ErrPrice = errors.New("cart: price differs from the one in the cart")

// Line is one product in the cart, with its price in cents.
type Line struct {
	SKU   string
	Price int
	Qty   int
}

// Cart is a shopping cart that keeps its lines in the order they were added.
type Cart struct {
	maxQty int
	lines  []Line
}

// New returns an empty cart that accepts at most maxQty pieces of a product.
func New(maxQty int) *Cart { return &Cart{maxQty: maxQty} }

func (c *Cart) find(sku string) int {
	for i, l := range c.lines {
		if l.SKU == sku {
			return i
		}
	}
	return -1
}

// Add puts the line into the cart, merging it with an existing one.
func (c *Cart) Add(l Line) error {
	if l.Qty <= 0 || l.Price < 0 {
		return fmt.Errorf("cart: invalid line for %q", l.SKU)
	}
	i := c.find(l.SKU)
	have := 0
	if i >= 0 {
		if c.lines[i].Price != l.Price {
			return ErrPrice
		}
		have = c.lines[i].Qty
	}
	if have+l.Qty > c.maxQty {
		return fmt.Errorf("cart: at most %d of %q", c.maxQty, l.SKU)
	}
	if i >= 0 {
		c.lines[i].Qty += l.Qty
	} else {
		c.lines = append(c.lines, l)
	}
	return nil
}

// Remove takes out up to qty pieces and returns how many were taken out.
func (c *Cart) Remove(sku string, qty int) int {
	i := c.find(sku)
	if i < 0 || qty <= 0 {
		return 0
	}
	qty = min(qty, c.lines[i].Qty)
	c.lines[i].Qty -= qty
	if c.lines[i].Qty == 0 {
		c.lines = append(c.lines[:i], c.lines[i+1:]...)
	}
	return qty
}

// Total returns the price of everything in cents.
func (c *Cart) Total() int {
	sum := 0
	for _, l := range c.lines {
		sum += l.Price * l.Qty
	}
	return sum
}

// Lines returns a copy of the lines.
func (c *Cart) Lines() []Line { return append([]Line(nil), c.lines...) }
