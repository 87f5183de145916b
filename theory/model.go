package theory

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/wording"
)

var modelForm = object("a model",
	need("package", importPath, func(m *origin.Model) *string { return &m.Package }),
	may("type", name("a model's type"), func(m *origin.Model) *string { return &m.Type }).
		about("The type, constructor or Spec of the package, unless metadata.new tells."),
	may("typeArg", line("a type argument"), func(m *origin.Model) *string { return &m.TypeArg }),
	may("skip", list("skip", name("a skipped method")).flow(), func(m *origin.Model) *[]string { return &m.Skip }).
		about("Methods that are no operations of the data type."),
	need("source", matching("a source", `^sha256:[0-9a-f]{64}$`, `"sha256:" and 64 hexadecimal digits`), func(m *origin.Model) *string { return &m.Source }).
		about("The hash of its source files, and of those it imports from its module."),
	need("go", line("a version of Go"), func(m *origin.Model) *string { return &m.Go }).
		about("The version of Go with which it was tried."),
).defined("model")

// element is what an import path has between two slashes: dots stand alone, for
// three of them mean many packages to the go command.
const element = `[\p{L}\p{Nd}_~+-]+(\.[\p{L}\p{Nd}_~+-]+)*`

var importPath = matching("a package", `^[\p{L}\p{Nd}_][\p{L}\p{Nd}_~+-]*(\.[\p{L}\p{Nd}_~+-]+)*(/`+element+`)*$`, "an import path")

var trialForm = object("trial",
	may("why", line("a reason"), func(t *origin.Trial) *string { return &t.Why }).
		about("Why no patterns were found."),
	count("sequences", func(t *origin.Trial) *int { return &t.Sequences }),
	count("calls", func(t *origin.Trial) *int { return &t.Calls }),
	need("deterministic", truth("deterministic"), func(t *origin.Trial) *bool { return &t.Deterministic }),
	may("states", some(object("states",
		need("copied", truth("copied"), func(k *states.Kept) *bool { return &k.Copied }),
		need("interned", truth("interned"), func(k *states.Kept) *bool { return &k.Interned }),
		may("why", list("why", line("a reason")), func(k *states.Kept) *[]string { return &k.Why }),
	)), func(t *origin.Trial) **states.Kept { return &t.States }).
		about("Whether states are kept as copies, and equal ones are one; and why not."),
	need("kinds", list("kinds", line("a sequence of calls")), func(t *origin.Trial) *[]string { return &t.Kinds }).
		about("For each kind of operations that was seen, the shortest sequence that ends in it."),
	need("examples", list("examples", line("a sequence of calls")), func(t *origin.Trial) *[]string { return &t.Examples }),
)

// modelStatusForm is the form of the status of a model.
// head is what the file of a theory says before everything else.
func (t *Theory) head() string {
	m := t.Spec.Model
	if t.Spec.Headline() != ByModel {
		return ""
	}
	why := "No pattern description was looked for."
	if tr := t.Status.Trial; tr != nil && tr.Why != "" {
		why = "No pattern description was found: " + strings.TrimSuffix(tr.Why, ".") + "."
	}
	return fmt.Sprintf("# %s\n# This theory is the reference itself: checking runs package %s.\n", wording.Line(why), m.Package)
}
