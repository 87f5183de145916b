package history

// opIndex finds operations by their identifiers. Most logs number them, so
// numbers have a table of their own.
type opIndex struct {
	small []int32 // by number: 1 + the operation's index, 0 if there is none
	rest  map[string]int32
	count int
}

// maxDigits is how many digits a number has at most that the table may hold.
const maxDigits = 9

// numberOf is the number that an identifier is, as it would be written; -1 if
// it is none.
func numberOf(id string) int {
	if len(id) == 0 || len(id) > maxDigits || id[0] == '0' && len(id) > 1 {
		return -1
	}
	n := 0
	for i := range len(id) {
		d := id[i] - '0'
		if d > 9 {
			return -1
		}
		n = n*10 + int(d)
	}
	return n
}

// get finds an operation; number is numberOf(id).
func (x *opIndex) get(id string, number int) (index int, ok bool) {
	if number >= 0 && number < len(x.small) && x.small[number] != 0 {
		return int(x.small[number]) - 1, true
	}
	if len(x.rest) == 0 {
		return 0, false
	}
	i, ok := x.rest[id]
	return int(i), ok
}

// put adds an operation whose identifier is new.
func (x *opIndex) put(id string, number, index int) {
	x.count++
	if number >= len(x.small) && number < 4*x.count+1024 {
		x.small = append(x.small, make([]int32, 2*number+1024-len(x.small))...)
	}
	if number >= 0 && number < len(x.small) {
		x.small[number] = int32(index) + 1
		return
	}
	if x.rest == nil {
		x.rest = map[string]int32{}
	}
	x.rest[id] = int32(index)
}
