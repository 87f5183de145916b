// Package logbeam checks logs on Apache Beam: more of them, and larger ones, than one
// machine reads. A pipeline splits logs by object and key (check.Split), decides each
// part with the theory, and merges what came of them (check.Merge) into the verdicts
// of adtinfer check.
//
//	p, s := beam.NewPipelineWithRoot()
//	theory := beam.Create(s, yaml)                       // the text of a theory file, a []byte
//	reports, left := logbeam.Check(s, theory, []string{"logs/*.jsonl"}, logbeam.Options{})
//	logbeam.Write(s, reports, left, "verdicts")         // verdicts.jsonl, verdicts.md, verdicts.left.jsonl
//	err := beamx.Run(ctx, p)
//
// Files are read by blocks of lines, so that many workers read one file. Blocks are laid
// out before anything is read, and events are numbered by block: work that a runner does
// twice comes to the same.
//
//	type      holds                                      comes from
//	Options   how files are read and parts are checked
//	Block     a part of a file, for one worker           Blocks
//	Line      an event: a line of a log, and its place   Events
//	Summary   what a block holds, or what is wrong in it Events
//	Found     what came of some parts of a log           Parts
//	Report    the verdict on a log, or on an object      Merge
//	Left      what could not be checked, and why         Merge
package logbeam
