package cli_test

import (
	"context"
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/cli"
	"lda.chat/wf/plugin"
)

type Person struct {
	Name string `json:"name"`
}

type Greeting struct {
	Text string `json:"text"`
}

func greet(_ context.Context, in Person) (Greeting, error) {
	return Greeting{"Hello, " + in.Name + "!"}, nil
}

// A wf of one's own: the Go functions of a registry, and a wf.config.json that gives the registry the id of a source,
//
//	{"sources": [{"kind": "go", "id": "local", "registry": "mine"}]}
//
// A program leaves out Args and Dir, and ends with os.Exit(cli.Main(…)).
func ExampleMain() {
	mine := &plugin.Registry{Nodes: []*wf.Func{wf.Node("greet", greet).Effect(wf.EffectPure)}}
	exit := cli.Main(context.Background(), &cli.Options{
		Registries: map[string]*plugin.Registry{"mine": mine},
		Args:       []string{"cap", "call", "local.greet", "--input", `{"name": "Ada"}`},
		Dir:        "testdata/own", // where the configuration is
	})
	fmt.Println("exit", exit)
	// Output:
	// {
	//   "text": "Hello, Ada!"
	// }
	// exit 0
}
