package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Is reports whether a stream is a terminal that may be drawn on.
func Is(w io.Writer) bool { return os.Getenv("TERM") != "dumb" && isTerminal(w) }

// isTerminal asks the system, which knows /dev/null from a terminal. The file stays as
// it is: File.Fd would make it blocking.
func isTerminal(w io.Writer) (is bool) {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = conn.Control(func(fd uintptr) { is = term.IsTerminal(int(fd)) })
	return err == nil && is
}

// Colour reports whether a stream gets colours. NO_COLOR forbids them, whatever it
// holds; then FORCE_COLOR decides, where 0 and false are no and all else is yes; and
// else a terminal gets them.
func Colour(w io.Writer) bool { return colour(os.Getenv, func() bool { return Is(w) }) }

func colour(env func(string) string, terminal func() bool) bool {
	switch force := env("FORCE_COLOR"); {
	case env("NO_COLOR") != "":
		return false
	case force != "":
		return force != "0" && force != "false"
	}
	return terminal()
}
