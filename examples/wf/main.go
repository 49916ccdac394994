// Command wf is the `wf` binary, with every store and the functions of the examples in it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"lda.chat/wf/cli"
	"lda.chat/wf/examples/approval/letter"
	"lda.chat/wf/examples/report_workflow/report"
	"lda.chat/wf/plugin"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills
	os.Exit(cli.Main(ctx, &cli.Options{Registries: registries(), Stores: stores()}))
}

// registries are the functions that configurations may name.
func registries() map[string]*plugin.Registry {
	return map[string]*plugin.Registry{"report": report.Registry(), "letter": letter.Registry()}
}
