package run

func Append(n uint8, v int) (int, int, int) {
	var s []int
	for i := range int(n % 20) {
		s = append(s, i, v)
	}
	t := append(s[:len(s):len(s)], 1)
	return len(s), len(t), s[len(s)-1] + t[len(t)-1]
}

func Share(n int) (int, int) {
	s := make([]int, 3, 10)
	t := append(s, n)
	u := append(s, n+1)
	s[0] = 9
	return t[3], u[0]
}

func SliceBounds(i, j, k uint8) (int, int) {
	s := []int{1, 2, 3, 4, 5}
	t := s[i%6 : j%6 : k%7]
	return len(t), cap(t)
}

func SliceArray(i uint8) (int, int) {
	a := [5]int{1, 2, 3, 4, 5}
	s := a[i%6:]
	t := a[:]
	t[0] = 7
	return len(s) + cap(s) + a[0], len(a[1:3:4])
}

func MakeSlice(n int8) (int, int) {
	s := make([]string, n, 20)
	return len(s), cap(s)
}

func Copy(n uint8) (int, int, int) {
	a, b := []int{1, 2, 3, 4, 5}, make([]int, n%8)
	c := copy(b, a)
	copy(a[1:], a)
	clear(b)
	return c, a[1] + a[4]*10, len(b)
}

type pair struct {
	a int
	b string
}

func Pairs(n uint8) (sum int, text string) {
	var s []pair
	for i := range int(n % 6) {
		s = append(s, pair{i, "x"})
	}
	for i := range s {
		s[i].a++
	}
	for _, p := range s {
		sum += p.a
		text += p.b
	}
	return
}

func ToArray(n uint8) (int, int) {
	s := make([]int, n%6)
	for i := range s {
		s[i] = i
	}
	p := (*[3]int)(s)
	p[0] = 5
	a := [2]int(s)
	return s[0], a[1]
}

func NilSlice(n uint8) (bool, int, bool) {
	var s []int
	if n%2 == 0 {
		s = []int{}
	}
	return s == nil, len(s[:0]), append(s, s...) == nil
}

func Variadic(a, b int) (int, int) {
	sum := func(list ...int) (n int) {
		for _, v := range list {
			n += v
		}
		return n
	}
	return sum(), sum(a, b) + sum([]int{1, 2}...)
}

func Sort(a, b, c int8) (int8, int8, int8) {
	s := []int8{a, b, c}
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s[0], s[1], s[2]
}
