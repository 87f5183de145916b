package strings

// Builder is the text.
type Builder struct{ s string }

func (b *Builder) String() string { return b.s }
func (b *Builder) Len() int       { return len(b.s) }
func (b *Builder) Cap() int       { return len(b.s) }
func (b *Builder) Reset()         { b.s = "" }

func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
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
