// Command wf is the `wf` binary, with the functions of the report workflow in it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lda.chat/wf/cli"
	"lda.chat/wf/examples/report_workflow/report"
	"lda.chat/wf/plugin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills
	os.Exit(cli.Main(ctx, &cli.Options{Registries: map[string]*plugin.Registry{"report": report.Registry()}}))
}
