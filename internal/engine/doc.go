// Package engine is the room of the engines, each in a package below it: what decides
// whether executions refine a theory, and what gives reasons. Package check uses all of
// them; describe/internal/judge, explore, adttest and out/page use some.
package engine
