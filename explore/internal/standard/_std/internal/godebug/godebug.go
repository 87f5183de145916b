// Package godebug is what internal/godebug is to the explorer: no setting is made.
package godebug

type Setting struct{ name string }

func New(name string) *Setting        { return &Setting{name} }
func (s *Setting) Name() string       { return s.name }
func (s *Setting) Undocumented() bool { return s.name != "" && s.name[0] == '#' }
func (s *Setting) String() string     { return s.name + "=" }
func (s *Setting) IncNonDefault()     {}
func (s *Setting) Value() string      { return "" }
