package theory_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/theory"
)

const cell = `
apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: cell}
spec:
  methods:
    - {name: set, args: 1, outcomes: [{outcome: none}]}
    - {name: get, outcomes: [{outcome: value, returns: 1}]}
  axioms:
    - {name: known, formula: "forall x:Op. method(x) = get ⇒ ∃ y:Op. method(y) = set & arg(y) = ret(x)"}
`

// A theory is read with all its names checked.
func ExampleRead() {
	t, err := theory.Read(strings.NewReader(cell), "cell.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Name, "has", len(t.Spec.Methods), "methods")
	fmt.Println(formula.String(t.Spec.Axioms[0].Formula))
	// Output:
	// cell has 2 methods
	// forall x:Op. method(x) = get -> exists y:Op. method(y) = set & arg(y) = ret(x)
}

// A mistake is reported where it is.
func ExampleRead_mistake() {
	typo := strings.Replace(cell, "method(x) = get", "method(x) = gte", 1)
	_, err := theory.Read(strings.NewReader(typo), "cell.theory.yaml")
	fmt.Println(err)
	// Output:
	// cell.theory.yaml:10:56: unknown method "gte"; did you mean "get"?
}

// Writing gives every theory one canonical form.
func ExampleWrite() {
	t, err := theory.Read(strings.NewReader(cell), "cell.theory.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := theory.Write(os.Stdout, t); err != nil {
		fmt.Println(err)
	}
	// Output:
	// apiVersion: adtinfer/v1alpha1
	// kind: Theory
	// metadata:
	//   name: cell
	// spec:
	//   width: 1
	//   methods:
	//     - name: set
	//       args: 1
	//       outcomes: [{outcome: none}]
	//     - name: get
	//       args: 0
	//       outcomes: [{outcome: value, returns: 1}]
	//   matching:
	//     mode: timeless
	//     target: []
	//     readonly: "false"
	//   axioms:
	//     - name: known
	//       formula: forall x:Op. method(x) = get -> exists y:Op. method(y) = set & arg(y) = ret(x)
}
