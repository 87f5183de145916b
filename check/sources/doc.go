// Package sources turns what a user names into the logs to check: files, directories,
// lists of names, archives. Packed logs are unpacked on the way.
//
//	logs, err := sources.All(ctx, sources.Options{Args: args, Stdin: os.Stdin})
//	err = batch.Run(ctx, logs.Each, func(r check.Report) { ... })
//
//	All, List  what a user names, as logs
//	Unpack     a reader of what gzip or zstd packed
package sources
