package check

// ForTests are options with bounds that tests can reach: how many events Follow
// keeps, and from how many operations on logs are decided as they are read, or procedures stand in for models.
func ForTests(o Options, keep, leastOps int) Options {
	o.keep, o.leastOps = keep, leastOps
	return o
}
