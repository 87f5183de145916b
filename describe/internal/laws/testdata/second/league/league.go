// Package league keeps the table of a football league.
package league

import (
	"cmp"
	"errors"
	"slices"
)

// ErrTeam is returned for a result with an unknown team or a team that plays
// against itself.
var ErrTeam = errors.New("league: bad team")

// Row is one line of the table.
type Row struct {
	Team   string
	Played int
	Points int
	Diff   int
}

// League gives three points for a win and one for a draw.
type League struct {
	rows map[string]*Row
}

// New returns a league without teams.
func New() *League { return &League{rows: make(map[string]*Row)} }

// Join enters a team. It returns false if the team is already in.
func (l *League) Join(team string) bool {
	if _, ok := l.rows[team]; ok {
		return false
	}
	l.rows[team] = &Row{Team: team}
	return true
}

// Result records the score of a match.
func (l *League) Result(home, away string, homeGoals, awayGoals int) error {
	h, a := l.rows[home], l.rows[away]
	if h == nil || a == nil || h == a {
		return ErrTeam
	}
	h.Played++
	a.Played++
	h.Diff += homeGoals - awayGoals
	a.Diff += awayGoals - homeGoals
	switch {
	case homeGoals > awayGoals:
		h.Points += 3
	case homeGoals < awayGoals:
		a.Points += 3
	default:
		h.Points++
		a.Points++
	}
	return nil
}

// Points returns the points of a team.
func (l *League) Points(team string) (int, bool) {
	r, ok := l.rows[team]
	if !ok {
		return 0, false
	}
	return r.Points, true
}

// Table returns the rows ordered by points, goal difference and name.
func (l *League) Table() []Row {
	out := make([]Row, 0, len(l.rows))
	for _, r := range l.rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(b.Points, a.Points),
			cmp.Compare(b.Diff, a.Diff),
			cmp.Compare(a.Team, b.Team),
		)
	})
	return out
}
