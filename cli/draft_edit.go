package cli

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/edit"
)

// focusedEdit is a command that makes one kind of edit of a draft.
type focusedEdit struct {
	op      string // as in [edit.Ops]; the command's name too
	takes   string // an argument behind the draft: the member of the edit that it is; "": none
	text    string // more about it than its summary
	flags   []editFlag
	example string
}

// editFlag is a flag of such a command: a member of the edit, or, with a slash, one inside that member.
type editFlag struct {
	name, member string
	kind         *flagKind
	doc          string // `WORD` in it is what its value is called
	required     bool
}

// summaryOfEdit is the sentence about an edit in the table of edits, as a line.
func summaryOfEdit(op string) string {
	for _, o := range edit.Ops() {
		if o.Name == op {
			return strings.TrimSuffix(o.Doc, ".")
		}
	}
	panic("there is no edit " + op)
}

// sameFlag is the flag of a focused command for what another one calls by a name that this one does not have; "" if there is none.
func sameFlag(op, name string) string {
	members := map[string]bool{}
	for _, f := range focusedEdits {
		for _, flag := range f.flags {
			if flag.name == name {
				members[flag.member] = true
			}
		}
	}
	for _, f := range focusedEdits {
		for _, flag := range f.flags {
			if f.op == op && members[flag.member] {
				return flag.name
			}
		}
	}
	return ""
}

// focusedCommand makes the command of a kind of edit.
func focusedCommand(a *app, f *focusedEdit) *cobra.Command {
	var flags draftFlags
	var revision uint64
	given := newGivenEdit(f.op)
	use, names, most := f.op+" DRAFT", "one DRAFT", 1
	if f.takes != "" {
		use, names, most = use+" "+strings.ToUpper(f.takes), "one DRAFT and "+strings.ToUpper(f.takes), 2
	}
	cmd := &cobra.Command{
		Use:     use,
		Short:   summaryOfEdit(f.op),
		Long:    f.text,
		Example: strings.ReplaceAll("  "+f.example, "\n", "\n  "),
		Args:    takes(most, most, names),
	}
	for _, flag := range f.flags {
		cmd.Flags().Var(&editValue{edit: given, flag: flag}, flag.name, flag.doc)
		if flag.kind == isSet {
			cmd.Flags().Lookup(flag.name).NoOptDefVal = "true"
		}
	}
	cmd.Flags().StringVar(&given.in, "in", "", "the edit is of this `WORKFLOW` inside the plan")
	revisionFlag(cmd, &revision)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags.storeFlags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		for _, flag := range f.flags {
			if flag.required && !cmd.Flags().Changed(flag.name) {
				return nil, failed(ExitUsage, codeUsage, cmd.CommandPath()+" needs --"+flag.name, seeHelp(cmd))
			}
		}
		if f.takes != "" {
			given.members[f.takes] = args[1]
		}
		list, err := given.edits()
		if err != nil {
			return nil, err
		}
		edits, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		d, err := api.ApplyDraft(ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: args[0], Revision: revision}, Edits: edits, DraftView: flags.view})
		if err != nil {
			return nil, err
		}
		return drafted(d, &flags.storeFlags), nil
	})
	return cmd
}
