package strings

// Builder is the text, with the capacity that was asked for.
type Builder struct {
	s    string
	most int
}

func (b *Builder) String() string { return b.s }
func (b *Builder) Len() int       { return len(b.s) }
func (b *Builder) Cap() int       { return max(len(b.s), b.most) }
func (b *Builder) Reset()         { *b = Builder{} }

func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
	if most := b.Cap(); most-len(b.s) < n {
		b.most = 2*most + n
	}
}

func (b *Builder) Write(p []byte) (int, error) {
	b.s += string(p)
	return len(p), nil
}

func (b *Builder) WriteByte(c byte) error {
	b.s += string([]byte{c})
	return nil
}

func (b *Builder) WriteRune(r rune) (int, error) {
	s := string(r)
	b.s += s
	return len(s), nil
}

func (b *Builder) WriteString(s string) (int, error) {
	b.s += s
	return len(s), nil
}
