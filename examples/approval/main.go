// Command approval drafts a letter, asks whether it may go out, revises it by the answer, and sends it.
//
//	go run ./examples/approval          # the answers are prepared: the first draft is rejected, the second approved
//	go run ./examples/approval -ask     # you are asked
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/examples/approval/letter"
)

func main() {
	topic := flag.String("topic", "The office is closed on Friday.", "what the letter is about")
	ask := flag.Bool("ask", false, "ask on the terminal, instead of using prepared answers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills, while the terminal is being read
	var input io.Reader = strings.NewReader("Say who answers the phone.\nyes\n")
	if *ask {
		input = os.Stdin
	}
	if err := run(ctx, *topic, input, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "approval:", err)
		os.Exit(1)
	}
}

// run runs the workflow. Each line of answers answers one question: "yes", or what is wrong.
func run(ctx context.Context, topic string, answers io.Reader, out io.Writer) error {
	workflow, err := letter.Workflow()
	if err != nil {
		return err
	}
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		return err
	}
	r, err := rt.Run(ctx, workflow, letter.Input{Topic: topic})
	if err != nil {
		return err
	}
	defer r.Cancel(context.Background(), "nobody waits for it any more")
	lines := bufio.NewScanner(answers)
	for r.Status() == wf.StatusInterrupted {
		open := r.Interrupts()[0]
		fmt.Fprintf(out, "%s %s\n\nMay it go out? Say yes, or what is wrong: ", open.ID, open.Request)
		if !lines.Scan() {
			return errors.Join(errors.New("no answer has come"), lines.Err())
		}
		fmt.Fprintln(out, lines.Text())
		if err := r.Resume(ctx, answer(open.ID, strings.TrimSpace(lines.Text()))); err != nil {
			fmt.Fprintln(out, err) // the question stays open
		}
		if err := r.Wait(ctx); err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	var result letter.Output
	if err := r.Output(&result); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s: %s, outcome %s\n\n%s\n", r.ID(), r.Status(), r.Outcome(), result.Text)
	return nil
}

func answer(id, line string) wf.Answer {
	if strings.EqualFold(line, "yes") {
		return wf.Answer{Interrupt: id, Outcome: "approved"}
	}
	return wf.Answer{Interrupt: id, Outcome: "rejected", Payload: letter.Feedback{Comment: line}}
}
