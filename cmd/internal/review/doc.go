// Package review makes pages of documents: of specifications, which people read and
// sign off, and of Markdown.
//
//	err := review.Theory(w, t)              // patterns in lanes, automata as diagrams
//	err = review.Run(w, result)             // an interleaving, step by step
//	p, err := review.Document(text, nil, nil)    // a page of a Markdown document
//	pages, err := review.Site(root, dir, source)  // all documents of a project
//
// It is no part of package page, which users of adttest link, too: Markdown is read by
// a library.
package review
