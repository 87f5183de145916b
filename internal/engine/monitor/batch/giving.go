package batch

// Giving is a search: which pending removes took the values of a lock that nobody
// removed. One value may stay.
type Giving struct {
	Few     []int // by value: how many pending removes are in time for it, from the first on
	MayStay int   // how many values may stay
	Used    []bool
	alike   func(t int) bool    // pending remove t is as good as the one before; nil if that is not known
	Take    func(i, t int) bool // lets t take value i, or nobody if there is no such t, if it fits to the values before
	tries   int
}

// maxTries bounds how many choices of pending removes are tried.
const maxTries = 20_000

// Give gives pending removes to the values from the i-th on, in all ways.
func (g *Giving) Give(i int) Answer {
	if i == len(g.Few) {
		return Linearizable
	}
	if g.tries++; g.tries > maxTries {
		return Unclear
	}
	if !g.enough(i) {
		return Violating
	}
	result := Violating
	for t := range len(g.Used) + 1 {
		stays := t == len(g.Used)
		if !stays && (g.Used[t] || t >= g.Few[i] || t > 0 && !g.Used[t-1] && g.alike != nil && g.alike(t)) || !g.Take(i, t) {
			continue
		}
		if !stays {
			g.Used[t] = true
		}
		a := g.Give(i + 1)
		if !stays {
			g.Used[t] = false
		}
		if a == Linearizable {
			return a
		}
		result = max(result, a)
	}
	return result
}

// enough reports whether there may be as many pending removes left as values from
// the i-th on need: the later a value is taken the more it constrains, so those
// that are in time for it are the first few.
func (g *Giving) enough(i int) bool {
	need := make([]int, len(g.Used)+1) // values for which so many are in time
	for _, n := range g.Few[i:] {
		need[n]++
	}
	more := -g.MayStay // values than pending removes
	for t, n := range need {
		if more += n; more > 0 {
			return false
		}
		if t < len(g.Used) && !g.Used[t] {
			more--
		}
	}
	return true
}
