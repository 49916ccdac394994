package cli

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandInfo describes a command: what help shows and docs/cli.md is made of.
type commandInfo struct {
	Command  string        `json:"command"` // "wf plan validate"
	Usage    string        `json:"usage"`   // with arguments
	Summary  string        `json:"summary"`
	Text     string        `json:"text,omitempty"`
	Examples string        `json:"examples,omitempty"`
	Commands []commandInfo `json:"commands,omitempty"` // of a group: command, usage and summary
	Flags    []flagInfo    `json:"flags,omitempty"`
	Common   []flagInfo    `json:"common_flags,omitempty"` // those of all commands
}

type flagInfo struct {
	Name    string `json:"name"`
	Short   string `json:"short,omitempty"`
	Type    string `json:"type"`
	Default string `json:"default,omitempty"`
	Text    string `json:"text"`
}

func describe(cmd *cobra.Command) commandInfo {
	info := commandInfo{Command: cmd.CommandPath(), Usage: cmd.UseLine(), Summary: cmd.Short, Text: cmd.Long, Examples: cmd.Example}
	if cmd.HasSubCommands() {
		info.Usage = cmd.CommandPath() + " COMMAND"
	}
	info.Usage = strings.TrimSuffix(info.Usage, " [flags]")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			info.Commands = append(info.Commands, commandInfo{Command: c.CommandPath(), Usage: strings.TrimSuffix(c.UseLine(), " [flags]"), Summary: c.Short})
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { info.Flags = appendFlag(info.Flags, f) })
	cmd.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { info.Common = appendFlag(info.Common, f) })
	return info
}

func appendFlag(list []flagInfo, f *pflag.Flag) []flagInfo {
	if f.Hidden || f.Name == "help" {
		return list
	}
	kind, text := pflag.UnquoteUsage(f) // the quoted word of a flag's text names its value
	info := flagInfo{Name: f.Name, Short: f.Shorthand, Type: cmp.Or(kind, f.Value.Type()), Default: f.DefValue, Text: text}
	if info.Type == "bool" || info.Default == "0" || info.Default == "0s" || info.Default == "[]" { // the text says what that is
		info.Default = ""
	}
	return append(list, info)
}

// help answers with the help of a command.
func (a *app) help(cmd *cobra.Command) {
	a.command = words(cmd)
	info := describe(cmd)
	a.result = &answer{result: info, text: func(p *page) { p.help(info) }}
}

func (p *page) help(info commandInfo) {
	text := info.Text
	if text == "" {
		text = info.Summary + "."
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !strings.Contains(paragraph, "\n ") { // nothing in it stands where it stands for a reason
			paragraph = wrapped(paragraph, helpWidth)
		}
		p.line(paragraph)
		p.line()
	}
	p.line(p.bold("Usage:"), info.Usage)
	if info.Examples != "" {
		p.line()
		p.line(p.bold("Examples:"))
		p.line(info.Examples)
	}
	if len(info.Commands) > 0 {
		p.line()
		p.line(p.bold("Commands:"))
		rows := &table{}
		for _, c := range info.Commands {
			rows.rows = append(rows.rows, []string{"  " + strings.TrimPrefix(c.Command, info.Command+" "), c.Summary})
		}
		rows.write(p)
		p.line()
		p.line(`"` + info.Command + ` COMMAND --help" tells more about one.`)
	}
	p.flags("Flags:", info.Flags)
	p.flags("Flags of all commands:", info.Common)
}

func (p *page) flags(title string, flags []flagInfo) {
	if len(flags) == 0 {
		return
	}
	p.line()
	p.line(p.bold(title))
	widest := 0
	for _, f := range flags {
		widest = max(widest, utf8.RuneCountInString(f.usage()))
	}
	rows := &table{}
	for _, f := range flags {
		usage := "  " + f.usage()
		for line := range strings.Lines(wrapped(f.Text+f.defaultText(), max(helpWidth-widest-4, 40))) {
			rows.rows = append(rows.rows, []string{usage, strings.TrimSuffix(line, "\n")})
			usage = ""
		}
	}
	rows.write(p)
}

// helpWidth is how many characters a line of help has at most, as far as words can be broken.
const helpWidth = 120

// usage is how a flag is written: -o, --format text|json.
func (f *flagInfo) usage() string {
	s := "--" + f.Name
	if f.Short != "" {
		s = "-" + f.Short + ", " + s
	}
	if f.Type != "bool" {
		s += " " + f.Type
	}
	return s
}

func (f *flagInfo) defaultText() string {
	if f.Default == "" {
		return ""
	}
	return " (" + f.Default + ")"
}

// topics are pages of help that belong to no command.
var topics = map[string]func() *answer{"exit-codes": exitCodesAnswer}

func helpCommand(a *app, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command, or about exit-codes",
		RunE: a.run(func(_ context.Context, args []string) (*answer, error) {
			if len(args) == 1 && topics[args[0]] != nil {
				return topics[args[0]](), nil
			}
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				asked := strings.Join(args, " ")
				hint := cmp.Or(intended(root, asked), nearest(asked, helpNames(root)))
				if hint == "" {
					hint = `"wf help" lists the commands; "wf help exit-codes" explains the exit codes`
				}
				return nil, failed(ExitUsage, codeCommandUnknown, `there is no command "wf `+strings.Join(args, " ")+`"`, hint)
			}
			a.help(cmd)
			return a.result, nil
		}),
	}
}

// helpNames lists what help can be asked about.
func helpNames(root *cobra.Command) []string {
	names := []string{"exit-codes"}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			names = append(names, words(c))
			walk(c)
		}
	}
	walk(root)
	return names
}

func exitCodesAnswer() *answer {
	t := &table{head: []string{"CODE", "NAME", "MEANING"}}
	for _, e := range exitCodes {
		t.rows = append(t.rows, []string{strconv.Itoa(e.Code), e.Name, e.Meaning})
	}
	return &answer{result: map[string]any{"exit_codes": exitCodes}, table: t, text: t.write}
}
