package tennisgame

import "fmt"

// Side identifies a player.
type Side int

const (
	Server Side = iota
	Receiver
)

// Game keeps the points of a single game of tennis.
type Game struct {
	points [2]int
}

// New starts a game at love all.
func New() *Game { return &Game{} }

// Point gives a point to a side. It returns false once the game is decided.
func (g *Game) Point(s Side) bool {
	if s != Server && s != Receiver {
		return false
	}
	if _, done := g.Winner(); done {
		return false
	}
	g.points[s]++
	if g.points[Server] == 4 && g.points[Receiver] == 4 {
		g.points = [2]int{3, 3} // back to deuce
	}
	return true
}

// Winner returns the side that has won the game.
func (g *Game) Winner() (Side, bool) {
	a, b := g.points[Server], g.points[Receiver]
	switch {
	case a >= 4 && a-b >= 2:
		return Server, true
	case b >= 4 && b-a >= 2:
		return Receiver, true
	}
	return Server, false
}

// Deuce reports whether both sides stand at forty.
func (g *Game) Deuce() bool { return g.points == [2]int{3, 3} }

// Call returns the score as the umpire would announce it.
func (g *Game) Call() string {
	if s, done := g.Winner(); done {
		if s == Server {
			return "game server"
		}
		return "game receiver"
	}
	a, b := g.points[Server], g.points[Receiver]
	names := []string{"love", "fifteen", "thirty", "forty"}
	switch {
	case g.Deuce():
		return "deuce"
	case a == 4:
		return "advantage server"
	case b == 4:
		return "advantage receiver"
	case a == b:
		return names[a] + " all"
	}
	return fmt.Sprintf("%s %s", names[a], names[b])
}
