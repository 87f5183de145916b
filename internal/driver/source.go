package driver

import "embed"

// Source is the text of this package, which the loader lays over users'
// modules. This file stays out of it.
//
//go:embed *.go clock/*.go objects/*.go values/*.go
var Source embed.FS
