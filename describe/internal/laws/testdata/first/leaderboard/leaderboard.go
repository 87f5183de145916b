package leaderboard

import (
	"cmp"
	"slices"
	"strings"
)

// Row is one line of the board.
type Row struct {
	Player string
	Score  int
}

// Board remembers the best score of every player.
type Board struct {
	best map[string]int
}

// New returns an empty board.
func New() *Board { return &Board{best: make(map[string]int)} }

// Submit records a score and reports whether it is the player's new best.
func (b *Board) Submit(player string, score int) bool {
	if old, ok := b.best[player]; ok && score <= old {
		return false
	}
	b.best[player] = score
	return true
}

// Best returns the best score of a player.
func (b *Board) Best(player string) (int, bool) {
	s, ok := b.best[player]
	return s, ok
}

// Rank returns the player's place, counting from 1. Players with equal scores
// share a place.
func (b *Board) Rank(player string) (int, bool) {
	mine, ok := b.best[player]
	if !ok {
		return 0, false
	}
	rank := 1
	for _, s := range b.best {
		if s > mine {
			rank++
		}
	}
	return rank, true
}

// Top returns up to n rows, highest score first and then by name.
func (b *Board) Top(n int) []Row {
	rows := make([]Row, 0, len(b.best))
	for p, s := range b.best {
		rows = append(rows, Row{Player: p, Score: s})
	}
	slices.SortFunc(rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.Player, y.Player))
	})
	return rows[:max(0, min(n, len(rows)))]
}

// Remove takes a player off the board.
func (b *Board) Remove(player string) bool {
	_, ok := b.best[player]
	delete(b.best, player)
	return ok
}
