package learn

// Random automata for tests that use packages which import this one.
var (
	MachineOf       = implementation
	RandomAutomaton = randomAutomaton
	Changed         = changed
)
