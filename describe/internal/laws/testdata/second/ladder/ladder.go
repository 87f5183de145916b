// Package ladder runs a club ladder in which players challenge upward.
package ladder

import (
	"fmt"
	"slices"
)

// Ladder ranks players; rank 1 is the top rung.
type Ladder struct {
	reach   int
	players []string
}

// NewLadder returns an empty ladder on which a player may challenge others up
// to reach rungs above.
func NewLadder(reach int) *Ladder { return &Ladder{reach: reach} }

// Enter adds a new player at the bottom and returns the rank.
func (l *Ladder) Enter(player string) (int, error) {
	if slices.Contains(l.players, player) {
		return 0, fmt.Errorf("ladder: %s is already on the ladder", player)
	}
	l.players = append(l.players, player)
	return len(l.players), nil
}

// Rank returns the rank of a player, or 0.
func (l *Ladder) Rank(player string) int {
	return slices.Index(l.players, player) + 1
}

// CanChallenge reports whether challenger may play defender.
func (l *Ladder) CanChallenge(challenger, defender string) bool {
	c, d := l.Rank(challenger), l.Rank(defender)
	return c > 0 && d > 0 && c > d && c-d <= l.reach
}

// Won records that challenger beat defender: the challenger takes the
// defender's rung and everyone in between moves down by one.
func (l *Ladder) Won(challenger, defender string) error {
	if !l.CanChallenge(challenger, defender) {
		return fmt.Errorf("ladder: %s cannot challenge %s", challenger, defender)
	}
	c, d := l.Rank(challenger)-1, l.Rank(defender)-1
	l.players = slices.Delete(l.players, c, c+1)
	l.players = slices.Insert(l.players, d, challenger)
	return nil
}

// At returns the player who stands on a rung.
func (l *Ladder) At(rank int) (string, bool) {
	if rank < 1 || rank > len(l.players) {
		return "", false
	}
	return l.players[rank-1], true
}
