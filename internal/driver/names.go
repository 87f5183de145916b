//go:build go1.21

package driver

import (
	"reflect"
	"runtime"
	"strings"
	"unicode"
)

// LowerCamel is a Go name as theories write it: PushFront is pushFront, ID is
// id, HTTPGet is httpGet.
func LowerCamel(name string) string {
	rs := []rune(name)
	n := 0
	for n < len(rs) && unicode.IsUpper(rs[n]) {
		n++
	}
	if n > 1 && n < len(rs) && unicode.IsLower(rs[n]) {
		n-- // the last capital begins the next word
	}
	for i := 0; i < n; i++ {
		rs[i] = unicode.ToLower(rs[i])
	}
	return string(rs)
}

// funcName is the name of a declared function or method expression, such as
// "Add" for (*Queue).Add, and "" for a function literal.
func funcName(fn reflect.Value) string {
	f := runtime.FuncForPC(fn.Pointer())
	if f == nil {
		return ""
	}
	name := strings.TrimSuffix(f.Name(), "-fm")
	name = strings.TrimSuffix(name, "[...]")
	name = name[strings.LastIndexByte(name, '.')+1:]
	if strings.HasPrefix(name, "func") || name == "" || unicode.IsDigit(rune(name[0])) {
		return ""
	}
	return name
}
