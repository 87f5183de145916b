//go:build go1.21

package values

// Tree is a value with its parts, for those who do not have its type.
type Tree struct {
	Kind  string // KindNil for nil, KindString for texts and bytes
	Text  string // of a value without parts
	Parts []Tree // of a map keys and values in turn, sorted by key
}

// Tree is the value that a text of this type stands for; false: it stands for none.
func (b Basic) Tree(text string) (Tree, bool) {
	n, ok := b.read(text)
	return n.tree(), ok
}

func (n *node) tree() Tree {
	t := Tree{Kind: n.kind, Text: n.text}
	for i := range n.parts {
		t.Parts = append(t.Parts, n.parts[i].tree())
	}
	return t
}
