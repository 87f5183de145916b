// Package browser opens pages in a real browser. It is a module of its own, so that what
// drives the browser is no dependency of the rest.
package browser
