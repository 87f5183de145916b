package ir

import "slices"

// WithoutPolicy is the program in which directives are comments.
func (p *Program) WithoutPolicy() *Program {
	if p.Policy == nil {
		return p
	}
	q := *p
	q.Policy, q.Funcs = nil, slices.Clone(p.Funcs)
	for i, f := range p.Funcs {
		if f != nil && slices.ContainsFunc(f.Code, func(in Instr) bool { return in.Op == Ghost }) {
			q.Funcs[i] = f.withoutGhosts()
		}
	}
	return &q
}

// withoutGhosts is a function in which each directive is a jump to its end.
func (f *Func) withoutGhosts() *Func {
	g := *f
	g.Code = slices.Clone(f.Code)
	for i := range g.Code {
		if in := &g.Code[i]; in.Op == Ghost && in.M == GhostBegin {
			*in = Instr{Op: Jump, To: int32(max(f.ghostEnd(i), 0))} // see Endless
		}
	}
	seen := make([]bool, len(g.Code))
	todo := []int{0}
	if g.Recovers >= 0 {
		todo = append(todo, int(g.Recovers))
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[i] {
			seen[i] = true
			todo = append(todo, g.Next(i)...)
		}
	}
	for i := range g.Code {
		switch {
		case !seen[i]: // nothing leads there, and nothing leads on
			g.Code[i] = Instr{Op: Jump, To: int32(i)}
		case g.Code[i].Op == Ghost:
			g.Code[i] = Instr{Op: Move}
		}
	}
	g.Finish()
	return &g
}

// Endless is the place of a directive that no way leaves, as it calls what never returns; 0 if there
// is none.
func (p *Program) Endless() int32 {
	for _, f := range p.Funcs {
		if f == nil {
			continue
		}
		for i := range f.Code {
			if in := &f.Code[i]; in.Op == Ghost && in.M == GhostBegin && f.ghostEnd(i) < 0 {
				return in.Pos
			}
		}
	}
	return 0
}

// ghostEnd is the end of the directive that begins at an instruction: every way from there leads to
// it. It is -1 if none does.
func (f *Func) ghostEnd(begin int) int {
	seen := map[int]bool{}
	for todo := []int{begin}; len(todo) > 0; todo = todo[1:] {
		i := todo[0]
		if in := &f.Code[i]; in.Op == Ghost && in.M == GhostEnd {
			return i
		}
		if !seen[i] {
			seen[i] = true
			todo = append(todo, f.Next(i)...)
		}
	}
	return -1
}
