package standard

// refused are the packages of the standard library none of whose functions can be explored.
var refused = map[string]string{
	"net": "uses the network", "net/http": "uses the network", "net/rpc": "uses the network", "crypto/tls": "uses the network",
	"os": "uses the operating system", "os/exec": "uses the operating system", "os/signal": "uses the operating system", "os/user": "uses the operating system",
	"syscall": "uses the operating system", "internal/poll": "uses the operating system", "io/ioutil": "uses the operating system",
	"reflect": "uses reflection", "encoding/json": "uses reflection", "encoding/gob": "uses reflection",
	"encoding/xml": "uses reflection", "text/template": "uses reflection", "html/template": "uses reflection",
	"plugin": "loads code at run time", "runtime/cgo": "calls C", "runtime/debug": "asks the runtime system about itself",
	"runtime/metrics": "asks the runtime system about itself", "runtime/pprof": "asks the runtime system about itself", "runtime/trace": "asks the runtime system about itself",
	"weak": "depends on when memory is collected", "unique": "depends on when memory is collected",
	"crypto/rand": "makes random numbers that no choice of ours covers",
	"testing":     "is for tests",
}
