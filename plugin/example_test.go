package plugin_test

import (
	"context"
	"fmt"
	"log"

	"lda.chat/wf"
	"lda.chat/wf/plugin"
	"lda.chat/wf/source"
)

// A registry knows its functions; under which id they stand is said where it becomes a source.
func ExampleRegistry() {
	type Person struct {
		Name string `json:"name"`
	}
	type Greeting struct {
		Text string `json:"text"`
	}
	greet := wf.Node("greet", func(_ context.Context, in Person) (Greeting, error) {
		return Greeting{"Hello, " + in.Name + "!"}, nil
	}).Describe("Greets a person.").Effect(wf.EffectPure)

	local, err := (&plugin.Registry{Nodes: []*wf.Func{greet}}).Source("local.hello")
	if err != nil {
		log.Fatal(err)
	}
	set, err := source.NewSet(context.Background(), local)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.IDs(), set.Refs())
	// Output: [local.hello] [local.hello.greet]
}
