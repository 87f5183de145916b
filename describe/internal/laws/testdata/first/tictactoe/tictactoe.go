package tictactoe

import (
	"errors"
	"fmt"
	"strings"
)

// Mark is the content of a cell.
type Mark int

const (
	Empty Mark = iota
	X
	O
)

// ErrGameOver is returned for a move after the end of the game.
var ErrGameOver = errors.New("game over")

var lines = [8][3]int{
	{0, 1, 2}, {3, 4, 5}, {6, 7, 8},
	{0, 3, 6}, {1, 4, 7}, {2, 5, 8},
	{0, 4, 8}, {2, 4, 6},
}

// Game is a game of tic-tac-toe. X moves first.
type Game struct {
	cells [9]Mark
	moves []int
}

// New returns a game with an empty board.
func New() *Game { return &Game{} }

// Turn returns whose move it is.
func (g *Game) Turn() Mark {
	if len(g.moves)%2 == 0 {
		return X
	}
	return O
}

// Play puts the current player's mark in a cell numbered 0 to 8.
func (g *Game) Play(cell int) error {
	if g.Winner() != Empty || len(g.moves) == 9 {
		return ErrGameOver
	}
	if cell < 0 || cell > 8 {
		return fmt.Errorf("no cell %d", cell)
	}
	if g.cells[cell] != Empty {
		return fmt.Errorf("cell %d is taken", cell)
	}
	g.cells[cell] = g.Turn()
	g.moves = append(g.moves, cell)
	return nil
}

// TakeBack undoes the last move and returns its cell.
func (g *Game) TakeBack() (int, bool) {
	if len(g.moves) == 0 {
		return 0, false
	}
	last := g.moves[len(g.moves)-1]
	g.moves = g.moves[:len(g.moves)-1]
	g.cells[last] = Empty
	return last, true
}

// Winner returns the player with three in a row, or Empty.
func (g *Game) Winner() Mark {
	for _, l := range lines {
		if m := g.cells[l[0]]; m != Empty && m == g.cells[l[1]] && m == g.cells[l[2]] {
			return m
		}
	}
	return Empty
}

// String draws the board as nine characters, row by row.
func (g *Game) String() string {
	var sb strings.Builder
	for _, m := range g.cells {
		sb.WriteByte(".XO"[m])
	}
	return sb.String()
}
