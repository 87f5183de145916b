// Package schedule runs compiled, unmodified Go tests under many schedules.
package schedule
