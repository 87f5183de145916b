//go:build go1.25

package maphash

import "hash"

func (h *Hash) Clone() (hash.Cloner, error) {
	c := *h
	return &c, nil
}
