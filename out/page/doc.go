// Package page writes pages for a browser. A page is one file that asks nobody for
// anything: style, script and data are in it, and a content security policy keeps the
// browser from loading more.
//
//	err := page.Write(w, &page.Page{
//		Title:    "run.log: violation",
//		Sections: []page.Section{{ID: "operations", Title: "The operations", Body: page.Lanes(lanes)}},
//	})
//
// Without scripts a page is readable up to what only a script draws; it prints, and
// follows the reader's choice of a dark or a light theme.
//
//	Page      title, sections, and for what moves a script with its data
//	Section   a part of a page with a heading, and an anchor
//	Lane      a row of a drawing: what one process did
//	Span      an operation in a lane
//	Verdict   what came of a log; WriteVerdict and WriteVerdicts make the pages of check -f html
//	Log       the operations of a log, all of which its page has
package page
