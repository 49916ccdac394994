// Package cli is the `wf` command as a library. A host that has Go functions of its own makes its own binary with them:
//
//	func main() {
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
//		context.AfterFunc(ctx, stop) // a second Ctrl-C kills
//		os.Exit(cli.Main(ctx, &cli.Options{Registries: map[string]*plugin.Registry{"report": registry}}))
//	}
//
// Every command answers in every format, in success and in failure: with --format json as one envelope of the members ok,
// result, diagnostics, next_actions and meta. Standard output holds the result and nothing else. The exit code
// says what kind of end it was: see [ExitDone] and those after it.
package cli
