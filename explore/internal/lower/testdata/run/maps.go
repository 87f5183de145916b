package run

type key struct {
	a int
	b string
}

func Maps(a, b uint8) (int, bool, int) {
	m := map[int]int{1: 10, 2: 20, 3: 30}
	m[int(a%5)] += 5
	delete(m, int(b%5))
	v, ok := m[2]
	sum := 0
	for k, v := range m {
		sum += k * v
	}
	for k := range m {
		if k > 2 {
			delete(m, k)
		}
	}
	return v, ok, sum + len(m)
}

func StructKeys(a uint8) (int, int, bool) {
	m := map[key]pair{}
	m[key{1, "x"}] = pair{3, "y"}
	m[key{int(a % 3), "x"}] = pair{4, "z"}
	_, ok := m[key{2, "x"}]
	n := len(m)
	clear(m)
	return n, len(m) + m[key{}].a, ok
}

func NilMap(a uint8) (int, bool) {
	var m map[string]int
	if a%2 == 0 {
		m = make(map[string]int, 4)
	}
	_, ok := m["x"]
	for range m {
		ok = true
	}
	delete(m, "x")
	m["y"] = 1
	return len(m), ok
}

func AnyKeys(a uint8, s string) (int, bool) {
	m := map[any]int{1: 1, "a": 2, key{1, "b"}: 3}
	var k any = s
	switch a % 4 {
	case 0:
		k = key{1, "b"}
	case 1:
		k = int8(1)
	case 2:
		k = []int{1}
	}
	_, ok := m[k]
	return len(m), ok
}
