package bowling

import "errors"

var (
	ErrPins     = errors.New("bowling: invalid number of pins")
	ErrFinished = errors.New("bowling: game is over")
)

// Game records the rolls of one bowler in a ten-frame game.
type Game struct {
	rolls    []int
	frame    int // 0 to 9, 10 when the game is over
	standing int
	inFrame  int // rolls already made in this frame
}

// New starts a game.
func New() *Game { return &Game{standing: 10} }

// Roll records a throw that knocked down the given number of pins.
func (g *Game) Roll(pins int) error {
	if g.Over() {
		return ErrFinished
	}
	if pins < 0 || pins > g.standing {
		return ErrPins
	}
	g.rolls = append(g.rolls, pins)
	g.standing -= pins
	g.inFrame++
	if g.frame < 9 {
		if g.standing == 0 || g.inFrame == 2 {
			g.frame, g.inFrame, g.standing = g.frame+1, 0, 10
		}
		return nil
	}
	// In the last frame a strike or a spare earns a third roll.
	if g.inFrame == 3 || g.inFrame == 2 && g.standing > 0 && g.rolls[len(g.rolls)-2] != 10 {
		g.frame = 10
	} else if g.standing == 0 {
		g.standing = 10
	}
	return nil
}

// Over reports whether all frames have been played.
func (g *Game) Over() bool { return g.frame == 10 }

// Frame returns the number of the current frame, from 1 to 10.
func (g *Game) Frame() int { return min(g.frame+1, 10) }

// Score returns the points so far, with bonuses for the rolls already made.
func (g *Game) Score() int {
	at := func(i int) int {
		if i < len(g.rolls) {
			return g.rolls[i]
		}
		return 0
	}
	total, i := 0, 0
	for range 10 {
		switch {
		case at(i) == 10:
			total += 10 + at(i+1) + at(i+2)
			i++
		case at(i)+at(i+1) == 10:
			total += 10 + at(i+2)
			i += 2
		default:
			total += at(i) + at(i+1)
			i += 2
		}
	}
	return total
}
