package formula

import "github.com/adtinfer/adtinfer/history"

// labelIndex finds elements by what their labels say.
type labelIndex struct {
	p      Partial
	every  []int
	kinds  map[history.Kind][]int // outcome Pending: any; method "": any
	values map[valueTerm]map[history.Value][]int
}

func newLabelIndex(p Partial) *labelIndex {
	ix := &labelIndex{p: p, every: make([]int, p.Len()), kinds: map[history.Kind][]int{}, values: map[valueTerm]map[history.Value][]int{}}
	for i := range ix.every {
		ix.every[i] = i
	}
	return ix
}

// ofKind lists the elements whose method and outcome are the constants of ks.
func (ix *labelIndex) ofKind(ks []*node) []int {
	if len(ks) == 0 {
		return ix.every
	}
	var want history.Kind
	for _, k := range ks {
		if k.op == opMethod {
			want.Method = k.name
		} else {
			want.Outcome = history.Outcome(k.name)
		}
	}
	list, ok := ix.kinds[want]
	if !ok {
		for i := range ix.every {
			k := ix.p.Label(i).Kind
			if (want.Method == "" || k.Method == want.Method) && (want.Outcome == "" || k.Outcome == want.Outcome) {
				list = append(list, i)
			}
		}
		ix.kinds[want] = list
	}
	return list
}

// withValue lists the elements whose argument or return value is v.
func (ix *labelIndex) withValue(t valueTerm, v history.Value) []int {
	t = valueTerm{ret: t.ret, index: t.index}
	byValue, ok := ix.values[t]
	if !ok {
		byValue = map[history.Value][]int{}
		for i := range ix.every {
			if w, ok := t.of(ix.p.Label(i)); ok {
				byValue[w] = append(byValue[w], i)
			}
		}
		ix.values[t] = byValue
	}
	return byValue[v]
}
