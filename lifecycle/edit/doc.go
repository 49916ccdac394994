// Package edit changes drafts: plans that people, programs and language models write command by command, and that may be incomplete
// until they are done. An edit is a pure function from one document to another. There is no store here, no clock and no I/O, and a
// [Doc] never changes, so to undo is to keep the one before.
//
// A document is always well-formed JSON, and always the smallest change away from the one before: members that an edit is not about
// keep their order, their spelling and their white space. It may be written in the short form of plans, in the canonical one, or in
// both, and an edit writes as what is there is written.
//
// A draft may be unfinished: an edge to a step that is not there yet is kept, a step may lack what it needs. An edit reports what it
// has left open ([Report].Open), in the words of the validator. What can only be a mistake, such as a member that no step has, an
// unknown step or a text where a path stands, is an [Error] that leaves the document as it was.
//
// Edits are structs, one for each operation ([Ops]), and JSON objects whose member "op" names it ([Parse]):
//
//	[{"op": "add-step", "step": {"id": "extract", "node": "local.report.extract_report"}, "after": "read"},
//	 {"op": "bind", "step": "extract", "to": "text", "from": "state.text"}]
package edit
