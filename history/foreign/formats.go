package foreign

// Format is whose format a file is in.
type Format string

// The formats.
const (
	Jepsen    Format = "jepsen"    // EDN of Jepsen and Knossos, and the lines of jepsen.util
	Porcupine Format = "porcupine" // Porcupine's test data: EDN maps with :key, and the lines of jepsen.util
	ElleCLI   Format = "elle-cli"  // JSON arrays of elle-cli and jepsen
	LiMo      Format = "limo"      // [thread] call push 1
	FPTLin    Format = "fptlin"    // process start end METHOD value
	Violin    Format = "violin"    // [id] call push(1)
	CSV       Format = "csv"       // a table with columns for call, return, method and so on
)

// formats are in the order of documents. Logs of ours, as Violin's are, and tables have no parser that makes records.
var formats = []struct {
	name  Format
	parse parser
}{
	{Jepsen, parseJepsen},
	{Porcupine, parseJepsen},
	{ElleCLI, parseElleCLI},
	{LiMo, parseLiMo},
	{FPTLin, parseFPTLin},
	{Violin, nil},
	{CSV, nil},
}

// Formats lists the formats in the order of documents.
func Formats() (names []Format) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// parser makes records of a file in the format; nil if there is none.
func (f Format) parser() parser {
	for _, known := range formats {
		if known.name == f {
			return known.parse
		}
	}
	return nil
}
