package page

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
)

// node is an element of a page, or a text.
type node struct {
	tag, text string
	attr      map[string]string
	children  []*node
}

func (n *node) has(name string) bool { _, ok := n.attr[name]; return ok }

func (n *node) all(want func(*node) bool) (found []*node) {
	for _, c := range n.children {
		if want(c) {
			found = append(found, c)
		}
		found = append(found, c.all(want)...)
	}
	return found
}

func (n *node) content() string {
	text := n.text
	for _, c := range n.children {
		text += c.content()
	}
	return text
}

var scripts = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`)

// parse reads a page without its scripts and style.
func parse(t *testing.T, text string) *node {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(scripts.ReplaceAllString(text, "")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	root := &node{}
	path := []*node{root}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return root
		} else if err != nil {
			t.Fatal(err)
		}
		top := path[len(path)-1]
		switch x := token.(type) {
		case xml.StartElement:
			n := &node{tag: x.Name.Local, attr: map[string]string{}}
			for _, a := range x.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			top.children, path = append(top.children, n), append(path, n)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			top.children = append(top.children, &node{text: string(x)})
		}
	}
}
