package skeleton

import (
	"embed"
	"text/template"
)

//go:embed templates/*.go.txt
var templates embed.FS

// layout is the file with a Spec.
var layout = template.Must(template.New("spec").Parse(`package {{.Package}}

import "github.com/adtinfer/adtinfer/reference"

// {{.Var}} says what adtinfer infer makes of {{.Type}}. What is in comments is found, or is
// not so, unless you say it; adtinfer explain spec has more.
var {{.Var}} = reference.Spec{
	Name: {{printf "%q" .Name}}, // of the data type, and of the files that infer writes

	// New makes an object.
	New: {{.New}},
{{if .Foreign}}
	// The operations are all methods of {{.Type}} that can be some:
	//{{range .Operations}}
	//	{{.Signature}}{{end}}
{{else}}
	// The operations. Name is what theories and logs say, Func takes the object first:
	// a method, or a function of your own.
	Operations: []reference.Operation{ {{- range .Operations}}
		{Name: {{printf "%q" .Name}}, Func: {{.Func}}}, // {{.Signature}}{{end}}
	},
{{end}}{{if .Skipped}}
	// These methods are no operations:
	//{{range .Skipped}}
	//   - {{.GoName}}: {{.Why}}{{end}}
	//
	// One can be made an operation by a function that takes the object and values, such
	// as ids, and returns values: adtinfer explain skipped.
{{end}}
	// Language restricts the executions that are considered, so that values tell
	// operations apart. Without one, infer looks for it.
	//
	// Language: []reference.Rule{{"{{"}}
	// 	Name:    "{{or .In "add"}}-once",
	// 	Formula: "forall x:Op, y:Op. method(x) = {{or .In "add"}} & method(y) = {{or .In "add"}} & arg(x) = arg(y) -> x = y",
	// 	Reading: "each value is passed to {{or .In "add"}} at most once",
	// {{"}}"}},

	// Target says which operation y an operation x belongs to, ReadOnly which x change
	// nothing. Without them, infer looks for them.
	//
	// Target: []string{
	// 	"method(y) = {{or .In "add"}} & arg(y) = ret(x)",
	// 	"y = x & method(x) = {{or .In "add"}}{{if .Empty}} | y = x & method(x) = {{.Out}} & outcome(x) = nil{{end}}",
	// },
	// ReadOnly: "outcome(x) = nil",

	// MayFail are answers that are allowed in every state and then change nothing.
	//
	// MayFail: []string{ {{- printf "%q" (or .MayFail "offer=false")}}},

	// Errors are errors of other packages that methods return: each is an outcome of its own,
	// as those of this package are. AnyError takes all errors of a method for one.
	//
	// Errors: map[string]error{"ErrEOF": io.EOF},

	// Aliases are other names that logs use.
	//
	// Aliases: map[string][]string{"{{(index .Operations 0).Name}}": {"other"}},
}
`))
