package monitor

// giving is a search: which pending removes took the values of a lock that nobody
// removed. One value may stay.
type giving struct {
	few     []int // by value: how many pending removes are in time for it, from the first on
	mayStay int   // how many values may stay
	used    []bool
	alike   func(t int) bool    // pending remove t is as good as the one before; nil if that is not known
	take    func(i, t int) bool // lets t take value i, or nobody if there is no such t, if it fits to the values before
	tries   int
}

// maxTries bounds how many choices of pending removes are tried.
const maxTries = 20_000

// give gives pending removes to the values from the i-th on, in all ways.
func (g *giving) give(i int) answer {
	if i == len(g.few) {
		return linearizable
	}
	if g.tries++; g.tries > maxTries {
		return unclear
	}
	if !g.enough(i) {
		return violating
	}
	result := violating
	for t := range len(g.used) + 1 {
		stays := t == len(g.used)
		if !stays && (g.used[t] || t >= g.few[i] || t > 0 && !g.used[t-1] && g.alike != nil && g.alike(t)) || !g.take(i, t) {
			continue
		}
		if !stays {
			g.used[t] = true
		}
		a := g.give(i + 1)
		if !stays {
			g.used[t] = false
		}
		if a == linearizable {
			return a
		}
		result = max(result, a)
	}
	return result
}

// enough reports whether there may be as many pending removes left as values from
// the i-th on need: the later a value is taken the more it constrains, so those
// that are in time for it are the first few.
func (g *giving) enough(i int) bool {
	need := make([]int, len(g.used)+1) // values for which so many are in time
	for _, n := range g.few[i:] {
		need[n]++
	}
	more := -g.mayStay // values than pending removes
	for t, n := range need {
		if more += n; more > 0 {
			return false
		}
		if t < len(g.used) && !g.used[t] {
			more--
		}
	}
	return true
}
