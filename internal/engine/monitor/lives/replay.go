package lives

// replays reports whether steps are an order of all operations that real time and the table
// allow. It takes the values as they were given.
func (s *search) replays(steps []Step) bool {
	class := make([]int32, len(s.Values)) // in which it leaves, or stays
	for v := range s.Values {
		class[v] = int32(s.Values[v].Ways[0].Class)
	}
	used := make([]int, s.Removers)
	for _, x := range steps {
		if x.Leaves {
			class[x.Value] = int32(s.Values[x.Value].Ways[x.Way].Class)
		}
	}
	r := newRow(len(s.Values), s.Classes())
	came, left := make([]bool, len(s.Values)), make([]bool, len(s.Values))
	now, count := int32(0), 0
	for i, x := range steps {
		v := &s.Values[x.Value]
		op := v.In
		if x.Leaves {
			op = v.Ways[x.Way].Out
			if k := int(class[x.Value]) % (s.Removers + 1); len(v.Ways) > 1 {
				if used[k]++; used[k] > len(s.calls[1<<k]) {
					return false
				}
				op.S = s.calls[1<<k][used[k]-1]
			}
		}
		if now = max(now, op.S); now >= op.E {
			return false
		}
		switch {
		case !x.Leaves && !came[x.Value]:
			r.add(x.Value, class[x.Value], int32(i)+1)
			came[x.Value] = true
			count++
		case x.Leaves && came[x.Value] && !left[x.Value] && s.blocks(&r, x.Value, class[x.Value]) < 0:
			r.remove(x.Value, class[x.Value])
			left[x.Value] = true
		default:
			return false
		}
	}
	return count == len(s.Values) && s.mayStay(&r, class, left)
}

// mayStay reports whether the values that are in at the end may all stay.
func (s *search) mayStay(r *row, class []int32, left []bool) bool {
	for v := range left {
		if !left[v] && !s.Stays(int(class[v])) {
			return false
		}
	}
	for c, h := range r.head {
		for d, t := range r.tail {
			if h != 0 && t != 0 && r.seq[h-1] < r.seq[t-1] && s.allowed[s.At(c, d)]&oneEncloses == 0 {
				return false
			}
		}
	}
	return true
}
