package theory

import "gopkg.in/yaml.v3"

// LongRuns are random sequences of the reference that the theory was held against.
type LongRuns struct {
	Sequences int
	Calls     int    // of all sequences
	Longest   int    // calls of one
	Witness   string // the shortest run about which the theory is wrong, and why; empty: it is about none
}

// Mutants are wrong versions of the reference that the theory was held against.
type Mutants struct {
	Made       int
	Equivalent int // of these no difference from the reference was found on Words sequences
	Seen       int // of these the theory rejects an execution that the reference does not have
	Words      int // sequences tried for each mutant before it counts as equivalent; prefixes included
	Unseen     []Unseen
	Dropped    []string // mutants that could not be run, and why; not counted in Made
}

// Unseen is a mutant of the reference that the theory never rejects.
type Unseen struct {
	Name  string // what is wrong: "remove does nothing"
	Shows string // the shortest execution found that the reference does not have
	Calls int    // its length
}

func longRunsNode(r *LongRuns) *yaml.Node {
	m := mapping("sequences", num(r.Sequences), "calls", num(r.Calls), "longest", num(r.Longest))
	if r.Witness != "" {
		add(m, "witness", str(r.Witness))
	}
	return m
}

func (d *decoder) longRuns(n *yaml.Node) *LongRuns {
	r := &LongRuns{}
	d.object(n, "longRuns",
		d.count("sequences", &r.Sequences),
		d.count("calls", &r.Calls),
		d.count("longest", &r.Longest),
		optional("witness", func(n *yaml.Node) { r.Witness = d.text(n, "witness") }),
	)
	return r
}

func mutantsNode(s *Mutants) *yaml.Node {
	m := mapping("made", num(s.Made), "equivalent", num(s.Equivalent), "seen", num(s.Seen), "words", num(s.Words))
	if len(s.Unseen) > 0 {
		add(m, "unseen", sequence(s.Unseen, func(u Unseen) *yaml.Node {
			return mapping("name", str(u.Name), "shows", str(u.Shows), "calls", num(u.Calls))
		}))
	}
	if len(s.Dropped) > 0 {
		add(m, "dropped", sequence(s.Dropped, str))
	}
	return m
}

func (d *decoder) mutants(n *yaml.Node) *Mutants {
	m := &Mutants{}
	d.object(n, "mutants",
		d.count("made", &m.Made),
		d.count("equivalent", &m.Equivalent),
		d.count("seen", &m.Seen),
		d.count("words", &m.Words),
		optional("unseen", func(n *yaml.Node) {
			d.list(n, "unseen", func(n *yaml.Node) { m.Unseen = append(m.Unseen, d.unseen(n)) })
		}),
		optional("dropped", func(n *yaml.Node) { m.Dropped = d.lines(n, "dropped") }),
	)
	return m
}

func (d *decoder) unseen(n *yaml.Node) (u Unseen) {
	d.object(n, "an unseen mutant",
		required("name", func(n *yaml.Node) { u.Name = d.line(n, "a mutant's name") }),
		required("shows", func(n *yaml.Node) { u.Shows = d.line(n, "what shows a mutant") }),
		d.count("calls", &u.Calls),
	)
	return u
}

// lines reads a list of texts of one line each.
func (d *decoder) lines(n *yaml.Node, what string) (texts []string) {
	d.list(n, what, func(n *yaml.Node) { texts = append(texts, d.line(n, "an item of "+what)) })
	return texts
}
