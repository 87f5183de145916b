package review

import (
	"bytes"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/theory"
)

// Site makes a page of each Markdown document in the folders docs and examples below root,
// and of README.md, which is index.html, and lists them. Pages of pattern documents are those
// of the theories beside them. Links to documents lead to their pages, those to other files
// of the project to source, the address of root.
func Site(root, dir, source string) (pages []string, err error) {
	docs, err := documents(root)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		p, err := pageAt(root, doc, func(to string) string { return linked(docs, source, doc, to) })
		if err != nil {
			return nil, err
		}
		p.Sections[0].Body = template.HTML(`<p><a href="`+relative(doc, "README.md")+`">All documents</a></p>`) + p.Sections[0].Body
		var b bytes.Buffer
		if err := page.Write(&b, p); err != nil {
			return nil, err
		}
		file := filepath.Join(dir, filepath.FromSlash(pageName(doc)))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			return nil, err
		}
		pages = append(pages, file)
	}
	return pages, nil
}

// documents lists those that have pages, by their slashed paths below root.
func documents(root string) (docs []string, err error) {
	docs = []string{"README.md"}
	for _, top := range []string{"docs", "examples"} {
		err = filepath.WalkDir(filepath.Join(root, top), func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(file) == ".md" {
				name, _ := filepath.Rel(root, file)
				docs = append(docs, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// pageAt is the page of a document.
func pageAt(root, doc string, link func(string) string) (*page.Page, error) {
	file := filepath.Join(root, filepath.FromSlash(doc))
	if name, ok := strings.CutSuffix(file, ".patterns.md"); ok {
		f, err := os.Open(name + ".theory.yaml")
		if err != nil {
			return nil, err
		}
		defer f.Close()
		t, err := theory.Read(f, f.Name())
		if err != nil {
			return nil, err
		}
		return pageOf(t)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := Document(text, nil, link)
	if err == nil {
		p.Style = theoryStyle
	}
	return p, err
}

// pageName is the name of a document's page.
func pageName(doc string) string {
	if doc == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(doc, ".md") + ".html"
}

// relative is the link from the page of a document to that of another one.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + pageName(to)
}

// linked is where a link of a document leads on its page.
func linked(docs []string, source, doc, to string) string {
	file, fragment, found := strings.Cut(to, "#")
	if file == "" || strings.Contains(file, ":") {
		return to
	}
	if found {
		fragment = "#" + fragment
	}
	file = path.Join(path.Dir(doc), file)
	if slices.Contains(docs, file) {
		return relative(doc, file) + fragment
	}
	return source + file + fragment
}
